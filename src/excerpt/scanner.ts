/**
 * Reads a log that is too long to be kept: keeps its start, its end, and in a bounded room the surroundings
 * of lines that may be evidence. Counts every line.
 *
 * Theory: the stems and the patterns of the user find the lines; `Surroundings` decides which of them stay.
 * The end is known from the size, so it is kept without being searched.
 */
import { countLineFeeds } from "../text/index.ts";
import { joined, type Scan, type Segment } from "./segment.ts";
import { stemMatcher } from "./stems.ts";
import { REACH, REACH_BACK, Surroundings, type Window } from "./surroundings.ts";
import type { LinePattern } from "./types.ts";
import { linesOfUsers } from "./user-lines.ts";

/** The bytes that are searched at once; only the last block may be shorter. */
const BLOCK = 1 << 20;
const LINE_FEED = 10;
const HEAD = 256 << 10;
const TAIL = 512 << 10;
// A line of more bytes is kept in part where the head ends and the tail begins, and is searched in parts.
const HUGE = 64 << 10;
// So much of a huge line is kept before a stem.
const BEFORE_STEM = 1024;

/** Keeps what matters of a log that is too long to keep. */
export class Scanner {
  readonly #size: number;
  readonly #patterns: readonly LinePattern[];
  readonly #segments: Segment[] = [];
  #surroundings: Surroundings | null = null;
  #total = 0;
  #lastByte = LINE_FEED;
  /** Bytes at the end of the window that make no block yet. */
  #added = 0;
  /** What was read last; `#line` is the number of the line at `#searched`. */
  readonly #room = Buffer.allocUnsafe(TAIL + BLOCK * 2);
  #window: Buffer = this.#room.subarray(0, 0);
  #windowAt = 0;
  #searched = 0;
  #line = 1;

  /** @param size The bytes that will be pushed, as far as it is known. */
  constructor(size: number, patterns: readonly LinePattern[] = []) {
    this.#size = size;
    this.#patterns = patterns;
  }

  /**
   * Takes the next bytes, and searches them when they make a block: blocks are of one size, so that the choice does not
   * depend on how the log was read.
   */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + BLOCK - this.#added);
      const length = this.#window.length;
      this.#room.set(part, length);
      this.#window = this.#room.subarray(0, length + part.length);
      this.#added += part.length;
      at += part.length;
      if (this.#added === BLOCK) this.#takeBlock();
    }
  }

  #takeBlock(): void {
    const block = this.#window.subarray(this.#window.length - this.#added);
    this.#added = 0;
    if (this.#surroundings === null) {
      const feed = block.lastIndexOf(LINE_FEED, HEAD);
      // A line that does not end in the head is kept in part only when it is huge.
      const head = Buffer.from(block.subarray(0, feed < HEAD - HUGE ? HEAD : feed + 1));
      this.#segments.push({ from: 0, bytes: head, firstLine: 1, startsInside: false });
      this.#surroundings = new Surroundings(head.length);
    }
    this.#total += block.length;
    this.#lastByte = block[block.length - 1] ?? this.#lastByte;
    // The last bytes are kept anyway; they are counted, not searched, when it is known where they begin.
    const reach = Math.min(this.#window.length, Math.max(this.#searched, this.#size - TAIL - this.#windowAt)) - REACH;
    const feed = reach <= this.#searched ? -1 : this.#window.lastIndexOf(LINE_FEED, reach - 1);
    const until = feed >= this.#searched || reach - this.#searched < HUGE ? feed + 1 : reach;
    if (until > this.#searched) this.#search(until, this.#surroundings);
    // What was searched and may not be shown any more makes room.
    const drop = Math.min(this.#searched - REACH_BACK * 2, Math.max(0, this.#size - TAIL - this.#windowAt - REACH));
    if (drop > 0) {
      this.#room.copyWithin(0, drop, this.#window.length);
      this.#window = this.#room.subarray(0, this.#window.length - drop);
      this.#windowAt += drop;
      this.#searched -= drop;
    }
  }

  finish(unread: string | null): Scan {
    if (this.#added > 0) this.#takeBlock();
    const kept = this.#surroundings?.pieces ?? [];
    const last = kept.at(-1);
    const keptTo = last === undefined ? (this.#segments[0]?.bytes.length ?? 0) : last.from + last.bytes.length;
    // What was not searched is kept.
    const earliest = Math.max(this.#searched, keptTo - this.#windowAt);
    const feed = this.#window.indexOf(LINE_FEED, Math.max(0, earliest - 1));
    const tailAt = feed < 0 || feed - earliest > HUGE || feed + 1 >= this.#window.length ? earliest : feed + 1;
    const atTail = this.#line + countLineFeeds(this.#window, this.#searched, tailAt);
    const tail = this.#window.subarray(tailAt);
    this.#segments.push(...kept);
    const unkept = this.#surroundings?.unkept(this.#segments, (bytes, found) => {
      stemMatcher().eachLine(bytes, 0, bytes.length, found);
    });
    if (tail.length > 0) {
      const startsInside = tailAt > 0 ? this.#window[tailAt - 1] !== LINE_FEED : this.#windowAt > 0;
      this.#segments.push({ from: this.#windowAt + tailAt, bytes: Buffer.from(tail), firstLine: atTail, startsInside });
    }
    const open = this.#total > 0 && this.#lastByte !== LINE_FEED ? 1 : 0;
    return {
      totalBytes: this.#total,
      totalLines: atTail - 1 + countLineFeeds(tail) + open,
      segments: joined(this.#segments),
      unkept: unkept ?? new Map(),
      unread,
    };
  }

  /** Looks for evidence from where the search stopped up to `until`, and counts its lines. */
  #search(until: number, surroundings: Surroundings): void {
    const from = this.#searched;
    const base = this.#line;
    const window = { bytes: this.#window, at: this.#windowAt };
    const users = this.#patterns.length === 0 ? [] : linesOfUsers(this.#window, from, until, this.#patterns);
    const feeds =
      users.length === 0
        ? stemMatcher().eachLine(window.bytes, from, until, (index, start, at) =>
            surroundings.offer(window, base + index, nearTo(start, at), until, false),
          )
        : this.#searchBoth(window, from, until, users, surroundings);
    this.#line = base + feeds;
    this.#searched = until;
  }

  /** Offers lines with stems and lines of the user's, in order; answers the number of line feeds. */
  #searchBoth(window: Window, from: number, until: number, users: number[], surroundings: Surroundings): number {
    const base = this.#line;
    const { bytes } = window;
    let next = 0;
    let counted = from;
    let line = base;
    const offerUsersTo = (before: number): void => {
      for (let start = users[next]; start !== undefined && start < before; start = users[++next]) {
        line += countLineFeeds(bytes, counted, start);
        counted = start;
        surroundings.offer(window, line, start, until, true);
      }
    };
    const feeds = stemMatcher().eachLine(bytes, from, until, (index, start, at) => {
      offerUsersTo(start);
      const isUsers = users[next] === start;
      if (isUsers) next++;
      return surroundings.offer(window, base + index, isUsers ? start : nearTo(start, at), until, isUsers);
    });
    offerUsersTo(until);
    return feeds;
  }
}

/** Of a huge line the part around the stem is kept, not its start. */
function nearTo(start: number, at: number): number {
  return at - start > HUGE ? at - BEFORE_STEM : start;
}
