/**
 * The surroundings of lines that may be evidence, in a bounded room. When it is full, kinds that were seen
 * often give their place to kinds that were seen once, so that a line of a new kind finds a place however
 * late it comes.
 *
 * Theory: what is worth keeping is decided again each time the room is full, over all that is in it. Shapes
 * (see `kinds.ts`) take turns: first one line of each, the rarest, then a second one. The first in that order
 * keep much of what stands around them, later ones only themselves, the last go. Each time a third of the
 * room is freed, so the work is a bounded multiple of what is put in.
 */
import { countLineFeeds, endOfLine } from "../text/index.ts";
import { KindCounts, kindOf, readTo } from "./kinds.ts";
import { addLeft, type Line, type Piece } from "./pieces.ts";
import type { Segment } from "./segment.ts";
import { NAME_SHARES, readWords, roomForWords, Vocabulary } from "./vocabulary.ts";

const LINE_FEED = 10;
const ROOM = 1 << 20;
/** How often a kind is put in. */
const PER_KIND = 3;
// Once the room was full, shapes with so many lines in it take no more; those of few common words may be
// several, so now and then one is let in all the same.
const PER_SHAPE = 4;
const VAGUE = 3;
const CREDIT_BYTES = 64 << 10;
const MOST_CREDITS = 32;
const MOST_SHAPES = 300;
/** Bytes that are kept of one line at most. */
const LONGEST = 4096;
/** Bytes kept before and behind a line: at first, and once the room was full. */
const FIRST = { before: 2048, after: 6144 };
const LATER = { before: 1024, after: 4096 };
// What is kept when the room is full: up to a share of it all that was put in, then less and less.
const TURNS = [
  { share: 0.25, before: 2048, after: 6144 },
  { share: 0.4, before: 512, after: 1536 },
  { share: 0.5, before: 128, after: 512 },
  { share: 0.66, before: 0, after: 0 },
];

const MILD = /\b(?:warn(?:ing)?|info|debug|note|hint|notice)\b|deprecat/i;

/** The bytes that must be at hand behind the place that is searched. */
export const REACH: number = FIRST.after;
/** The bytes that must be at hand before it. */
export const REACH_BACK: number = FIRST.before;

/** A part of the log that is at hand: `bytes[0]` stands at offset `at`. */
export interface Window {
  readonly bytes: Buffer;
  readonly at: number;
}

/** Keeps surroundings of lines, which are offered in order. */
export class Surroundings {
  readonly #counts = new KindCounts();
  readonly #vocabulary = new Vocabulary();
  readonly #words = roomForWords();
  #pieces: Piece[] = [];
  #size = 0;
  /** Everything before this offset was kept, or was not wanted. */
  #until: number;
  readonly #headEnd: number;
  #wasFull = false;
  /** Of `NAME_SHARES`; a larger one when there are more shapes than there is room for. */
  #share = 0;
  #perShape = new Map<number, number>();
  #credits = MOST_CREDITS;
  #creditedTo = 0;

  /** @param headEnd Up to here the log is kept anyway. */
  constructor(headEnd: number) {
    this.#until = headEnd;
    this.#headEnd = headEnd;
  }

  /** What is kept, in order. */
  get pieces(): readonly Segment[] {
    return this.#pieces;
  }

  /**
   * Offers a line that may be evidence: `number` is its number, `start` its place in the window, which is searched up
   * to `until`. Answers where the line ends, there at the latest.
   */
  offer(window: Window, number: number, start: number, until: number, isUsers: boolean): number {
    const kind = kindOf(window.bytes, start, until);
    const end = readTo < until && window.bytes[readTo] !== LINE_FEED ? endOfLine(window.bytes, readTo, until) : readTo;
    if (this.#counts.add(kind) <= PER_KIND) this.#consider(window, number, start, end, kind, isUsers);
    return end;
  }

  #consider(window: Window, number: number, start: number, end: number, kind: number, isUsers: boolean): void {
    const { bytes, at } = window;
    readWords(this.#words, bytes, start, end);
    this.#vocabulary.learn(this.#words);
    const shape = this.#vocabulary.shapeOf(this.#words, NAME_SHARES[this.#share] ?? 1);
    this.#counts.setShape(kind, shape.common < VAGUE ? 0 : shape.hash);
    const to = at + Math.min(end, start + LONGEST);
    const line: Line = {
      kind,
      shape: shape.hash,
      from: at + start,
      to,
      isUsers,
      rank: -1,
      turn: 0,
      count: 0,
      ofShape: 0,
      reach: null,
    };
    if (line.from < this.#until) {
      const last = this.#pieces.at(-1);
      if (last !== undefined && line.from >= last.from) last.lines.push(line);
      if (to <= this.#until) return;
    } else if (!this.#mayEnter(line, shape.common)) return;
    this.#put(window, number, start, line);
    if (this.#size > ROOM) this.#makeRoom();
  }

  /** For lines that are kept, by their number, how many more of their kind are not kept. */
  unkept(kept: readonly Segment[], eachLine: EachLine): ReadonlyMap<number, number> {
    const lines = new Map<number, { first: number; count: number }>();
    const shapes = new Map<number, number>();
    const inRoom = new Map(
      this.#pieces.flatMap((piece) => piece.lines.map((line) => [line.kind, line.shape] as const)),
    );
    for (const { bytes, firstLine } of kept) {
      eachLine(bytes, (index, start) => {
        const kind = kindOf(bytes, start, bytes.length);
        const known = lines.get(kind);
        if (known === undefined) lines.set(kind, { first: firstLine + index, count: 1 });
        else known.count++;
        const shape = inRoom.get(kind);
        if (shape !== undefined && !shapes.has(shape)) shapes.set(shape, firstLine + index);
        return bytes[readTo] === LINE_FEED ? readTo : endOfLine(bytes, readTo, bytes.length);
      });
    }
    const more = new Map<number, number>();
    const add = (line: number, count: number): void => {
      if (count > 0) more.set(line, (more.get(line) ?? 0) + count);
    };
    for (const [kind, { first, count }] of lines) add(first, this.#counts.of(kind) - count);
    for (const [shape, count] of this.#counts.byShape(lines)) {
      const line = shapes.get(shape);
      if (line !== undefined) add(line, count);
    }
    return more;
  }

  #mayEnter(line: Line, common: number): boolean {
    if (!this.#wasFull || line.isUsers) return true;
    if ((this.#perShape.get(line.shape) ?? 0) < PER_SHAPE) return true;
    if (common >= VAGUE) return false;
    const earned = Math.floor((line.from - this.#creditedTo) / CREDIT_BYTES);
    if (earned > 0) {
      this.#credits = Math.min(MOST_CREDITS, this.#credits + earned);
      this.#creditedTo += earned * CREDIT_BYTES;
    }
    if (this.#credits === 0) return false;
    this.#credits--;
    return true;
  }

  #put({ bytes, at }: Window, number: number, start: number, line: Line): void {
    const { before, after } = this.#wasFull ? LATER : FIRST;
    const end = line.to - at;
    const firstFeed = bytes.indexOf(LINE_FEED, Math.max(0, start - before));
    const wanted = firstFeed < 0 || firstFeed >= start ? start : firstFeed + 1;
    const from = Math.max(wanted, this.#until - at);
    const lastFeed = bytes.lastIndexOf(LINE_FEED, Math.min(bytes.length, end + after) - 1);
    const to = lastFeed > end ? lastFeed + 1 : end;
    if (from >= to) return;
    const firstLine =
      from <= start ? number - countLineFeeds(bytes, from, start) : number + countLineFeeds(bytes, start, from);
    const startsInside = from > 0 ? bytes[from - 1] !== LINE_FEED : at > 0;
    this.#pieces.push({
      from: at + from,
      bytes: Buffer.from(bytes.subarray(from, to)),
      firstLine,
      startsInside,
      lines: [line],
    });
    this.#size += to - from;
    this.#until = at + to;
    this.#perShape.set(line.shape, (this.#perShape.get(line.shape) ?? 0) + 1);
  }

  /** Decides over all that is kept. */
  #makeRoom(): void {
    this.#wasFull = true;
    let shapes = this.#byShape();
    while (shapes.size > MOST_SHAPES && this.#share + 1 < NAME_SHARES.length) {
      this.#share++;
      for (const line of [...shapes.values()].flat()) line.rank = -1;
      shapes = this.#byShape();
    }
    const wanted = this.#inTurn(shapes);
    this.#perShape = new Map();
    let used = 0;
    let turn = 0;
    for (const line of wanted) {
      line.reach = null;
      for (; turn < TURNS.length; turn++) {
        const reach = TURNS[turn];
        if (reach === undefined) break;
        const cost = reach.before + reach.after + line.to - line.from;
        if (used + cost > ROOM * reach.share) continue;
        used += cost;
        line.reach = reach;
        this.#perShape.set(line.shape, (this.#perShape.get(line.shape) ?? 0) + 1);
        break;
      }
    }
    const left: Piece[] = [];
    this.#size = 0;
    for (const piece of this.#pieces) addLeft(left, piece);
    for (const piece of left) this.#size += piece.bytes.length;
    this.#pieces = left;
    const last = this.#pieces.at(-1);
    this.#until = last === undefined ? this.#headEnd : last.from + last.bytes.length;
  }

  #byShape(): Map<number, Line[]> {
    const shapes = new Map<number, Line[]>();
    for (const piece of this.#pieces) {
      for (const line of piece.lines) {
        if (line.rank < 0) this.#settle(piece, line);
        const same = shapes.get(line.shape);
        if (same === undefined) shapes.set(line.shape, [line]);
        else same.push(line);
      }
    }
    return shapes;
  }

  /** The lines in the order in which they are worth their place. */
  #inTurn(shapes: ReadonlyMap<number, Line[]>): Line[] {
    const all: Line[] = [];
    for (const lines of shapes.values()) {
      for (const line of lines) line.count = this.#counts.of(line.kind);
      lines.sort((a, b) => a.count - b.count || a.from - b.from);
      let turn = 0;
      for (const line of lines) {
        line.turn = line.isUsers ? turn - PER_KIND : turn;
        line.count = Math.floor(Math.log2(line.count));
        line.ofShape = lines.length;
        all.push(line);
        turn++;
      }
    }
    return all.sort(
      (a, b) => a.turn - b.turn || a.rank - b.rank || a.count - b.count || a.ofShape - b.ofShape || a.from - b.from,
    );
  }

  /** Tells the shape of a line once more, by the words that are known now, and how sure it is to name a cause. */
  #settle(piece: Piece, line: Line): void {
    const start = line.from - piece.from;
    const end = line.to - piece.from;
    if (start < 0) {
      line.rank = 1;
      return;
    }
    readWords(this.#words, piece.bytes, start, end);
    const { hash, common } = this.#vocabulary.shapeOf(this.#words, NAME_SHARES[this.#share] ?? 1);
    line.shape = hash;
    this.#counts.setShape(line.kind, common < VAGUE ? 0 : hash);
    line.rank = MILD.test(piece.bytes.toString("latin1", start, Math.min(end, start + 1000))) ? 1 : 0;
  }
}

/** Calls back for each line of some bytes that may be evidence, as `StemMatcher.eachLine` does. */
export type EachLine = (bytes: Uint8Array, found: (index: number, start: number) => number) => void;
