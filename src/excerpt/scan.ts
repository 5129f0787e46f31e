/**
 * Reads a log once, in pieces of 1 MiB, and keeps a bounded part of it: everything of a log of up to
 * 8 MiB; of a longer one its start, its end, and the surroundings of lines that may be evidence.
 * Counts every line exactly.
 *
 * Theory: the choice is made in memory over what is kept, so it is the same for small logs and for
 * huge ones. In the middle of a huge log one cheap pattern finds candidate lines; those of a shape
 * that was kept often enough are only counted. Bounds: 8 MiB kept whole, else 1 + 3 MiB of ends and
 * 4 MiB of surroundings.
 */
import { shapeKey } from "./shape.ts";
import type { ByteSource } from "./types.ts";

/** A run of bytes of the log that was kept. */
export interface Segment {
  /** Offset of the first byte. */
  readonly from: number;
  readonly bytes: Uint8Array;
  /** The number of the line that the first byte belongs to, from 1. */
  readonly firstLine: number;
  /** Whether the line had begun before the first byte. */
  readonly startsInside: boolean;
}

/** What was read of a log. */
export interface Scan {
  readonly totalBytes: number;
  /** Lines, an unterminated last one included. */
  readonly totalLines: number;
  /** Ascending, never overlapping. */
  readonly segments: readonly Segment[];
  /** Why the log could not be read to its end; null when it could. */
  readonly unread: string | null;
  /** Candidate lines of the middle that were counted but not kept, by shape. */
  readonly uncounted: number;
}

const READ = 1 << 20;
const WHOLE = 8 << 20;
const HEAD = 1 << 20;
const TAIL = 3 << 20;
const MIDDLE = 4 << 20;
const BEFORE = 2048;
const AFTER = 6144;
const LOOKAHEAD = 32 << 10;
const PER_SHAPE = 3;
const MAX_SHAPES = 20_000;

/** Scans bytes that are in memory. */
export function scanBytes(bytes: Uint8Array, candidates: RegExp): Scan {
  const scanner = new Scanner(bytes.length, candidates);
  if (bytes.length <= WHOLE) return scanner.whole(bytes);
  for (let at = 0; at < bytes.length; at += READ) scanner.push(bytes.subarray(at, at + READ));
  return scanner.finish(null);
}

/** Scans a log. Its size is asked for once: what is appended afterwards is not read. */
export async function scanSource(source: ByteSource, candidates: RegExp): Promise<Scan> {
  let size = 0;
  let unread: string | null = null;
  try {
    size = await source.size();
  } catch (error) {
    return new Scanner(0, candidates).finish(reason(error));
  }
  const scanner = new Scanner(size, candidates);
  const small = size <= WHOLE ? Buffer.allocUnsafe(size) : null;
  let at = 0;
  while (at < size) {
    let part: Uint8Array;
    try {
      part = await source.read(at, Math.min(READ, size - at));
    } catch (error) {
      unread = reason(error);
      break;
    }
    // Shorter than its size a moment ago: it was truncated. What was read is all there is to tell of.
    if (part.length === 0) break;
    const used = part.length > size - at ? part.subarray(0, size - at) : part;
    if (small === null) scanner.push(used);
    else small.set(used, at);
    at += used.length;
  }
  if (small !== null) return { ...scanner.whole(small.subarray(0, at)), unread };
  return scanner.finish(unread);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The number of line feeds in `bytes` from `from` up to `to`. */
export function countLineFeeds(bytes: Uint8Array, from = 0, to: number = bytes.length): number {
  let count = 0;
  for (let i = from; i < to; i++) if (bytes[i] === 10) count++;
  return count;
}

class Scanner {
  readonly #candidates: RegExp;
  readonly #size: number;
  readonly #seen = new Map<string, number>();
  readonly #middle: Segment[] = [];
  #middleBytes = 0;
  #uncounted = 0;
  #head: Buffer[] = [];
  #total = 0;
  #lineFeeds = 0;
  #lastByte = 10;
  /** Bytes not yet searched, with what precedes them; `#windowAt` is its offset, `#windowLine` the line there. */
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;
  #windowLine = 1;
  #searched = 0;
  #kept = 0;
  #counted = { at: 0, line: 1 };

  constructor(size: number, candidates: RegExp) {
    this.#size = size;
    this.#candidates = new RegExp(candidates.source, candidates.flags.includes("g") ? candidates.flags : `${candidates.flags}g`);
  }

  whole(bytes: Uint8Array): Scan {
    const lineFeeds = countLineFeeds(bytes);
    const open = bytes.length > 0 && bytes[bytes.length - 1] !== 10 ? 1 : 0;
    return {
      totalBytes: bytes.length,
      totalLines: lineFeeds + open,
      segments: bytes.length === 0 ? [] : [{ from: 0, bytes, firstLine: 1, startsInside: false }],
      unread: null,
      uncounted: 0,
    };
  }

  push(part: Uint8Array): void {
    const room = HEAD - this.#total;
    if (room > 0) this.#head.push(Buffer.from(part.subarray(0, room)));
    this.#total += part.length;
    this.#lastByte = part[part.length - 1] ?? this.#lastByte;
    this.#window = Buffer.concat([this.#window, part]);
    // The last TAIL bytes are kept anyway, so they are never searched.
    const until = Math.min(this.#window.length - LOOKAHEAD, this.#size - TAIL - this.#windowAt);
    if (until > this.#searched) this.#search(until);
    const keepFrom = Math.max(0, Math.min(this.#searched - LOOKAHEAD, this.#window.length - LOOKAHEAD * 2));
    const inTail = this.#windowAt + this.#window.length > this.#size - TAIL;
    const drop = inTail ? Math.min(keepFrom, Math.max(0, this.#size - TAIL - LOOKAHEAD - this.#windowAt)) : keepFrom;
    if (drop > 0) {
      const line = this.#lineAt(drop);
      this.#lineFeeds += line - this.#windowLine;
      this.#windowLine = line;
      this.#window = Buffer.from(this.#window.subarray(drop));
      this.#windowAt += drop;
      this.#searched = Math.max(0, this.#searched - drop);
    }
  }

  finish(unread: string | null): Scan {
    const lineFeeds = this.#lineFeeds + countLineFeeds(this.#window);
    const head = Buffer.concat(this.#head);
    const segments: Segment[] = head.length > 0 ? [{ from: 0, bytes: head, firstLine: 1, startsInside: false }] : [];
    for (const piece of this.#middle) segments.push(piece);
    const tailAt = Math.max(this.#windowAt, this.#total - TAIL);
    if (this.#window.length > 0) segments.push(this.#segment(tailAt - this.#windowAt, this.#window.length));
    return {
      totalBytes: this.#total,
      totalLines: lineFeeds + (this.#total > 0 && this.#lastByte !== 10 ? 1 : 0),
      segments: disjoint(segments),
      unread,
      uncounted: this.#uncounted,
    };
  }

  #search(until: number): void {
    const text = this.#window.toString("latin1", 0, Math.min(this.#window.length, until + LOOKAHEAD));
    const pattern = this.#candidates;
    pattern.lastIndex = this.#searched;
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
      if (found.index >= until) break;
      const start = Math.max(text.lastIndexOf("\n", found.index) + 1, found.index - BEFORE);
      const feed = text.indexOf("\n", found.index);
      const end = Math.min(feed < 0 ? text.length : feed, found.index + BEFORE);
      const key = shapeKey(text.slice(start, Math.min(end, start + 400)));
      const seen = this.#seen.get(key) ?? 0;
      if (seen > 0 || this.#seen.size < MAX_SHAPES) this.#seen.set(key, seen + 1);
      if (seen < PER_SHAPE && this.#middleBytes < MIDDLE) this.#keep(text, start, end);
      else this.#uncounted++;
      pattern.lastIndex = Math.max(end, found.index + 1);
    }
    this.#searched = until;
  }

  /** Keeps the surroundings of a candidate, from whole line to whole line where the lines are not huge. */
  #keep(text: string, start: number, end: number): void {
    let from = text.indexOf("\n", Math.max(0, start - BEFORE)) + 1;
    if (from === 0 || from > start) from = start;
    let to = text.lastIndexOf("\n", Math.min(text.length, end + AFTER)) + 1;
    if (to < end) to = end;
    const at = this.#windowAt + from;
    const skip = Math.max(0, this.#kept - at);
    if (from + skip >= to) return;
    const segment = this.#segment(from + skip, to);
    this.#middle.push({ ...segment, bytes: Buffer.from(segment.bytes) });
    this.#middleBytes += segment.bytes.length;
    this.#kept = this.#windowAt + to;
  }

  /** The line number at a place of the window; asked for in ascending order, it counts every byte once. */
  #lineAt(place: number): number {
    const known = this.#counted;
    const base = known.at >= this.#windowAt && known.at <= this.#windowAt + place ? known : { at: this.#windowAt, line: this.#windowLine };
    const line = base.line + countLineFeeds(this.#window, base.at - this.#windowAt, place);
    this.#counted = { at: this.#windowAt + place, line };
    return line;
  }

  #segment(from: number, to: number): Segment {
    return {
      from: this.#windowAt + from,
      bytes: this.#window.subarray(from, to),
      firstLine: this.#lineAt(from),
      startsInside: from > 0 ? this.#window[from - 1] !== 10 : this.#windowAt > 0,
    };
  }
}

/** Cuts overlaps off and joins neighbours, so that a line stands in one segment where it can. */
function disjoint(segments: readonly Segment[]): Segment[] {
  const out: Segment[] = [];
  for (const segment of segments) {
    const last = out.at(-1);
    const end = last === undefined ? 0 : last.from + last.bytes.length;
    if (last === undefined || segment.from > end) {
      out.push(segment);
      continue;
    }
    const overlap = end - segment.from;
    if (overlap >= segment.bytes.length) continue;
    out[out.length - 1] = { ...last, bytes: Buffer.concat([last.bytes, segment.bytes.subarray(overlap)]) };
  }
  return out;
}
