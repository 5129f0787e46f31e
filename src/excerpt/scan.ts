/**
 * Reads a log once, in blocks of 1 MiB, and keeps a bounded part of it: everything of a log of up to
 * 4 MiB; of a longer one its start, its end, and the surroundings of lines that may be evidence.
 * Counts every line exactly.
 *
 * Theory: the choice is made in memory over what is kept, so it is the same for small logs and for
 * huge ones. In the middle of a huge log the stems find candidate lines; those whose letters were seen
 * often enough are only counted. Bounds: 4 MiB kept whole, else 1.5 MiB of ends and 1 MiB of
 * surroundings.
 */
import { StemMatcher } from "../text/index.ts";
import { STEMS } from "./stems.ts";
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
}

const LINE_FEED = 10;
const BLOCK = 1 << 20;
const WHOLE = 4 << 20;
const HEAD = 512 << 10;
const TAIL = 1 << 20;
const MIDDLE = 1 << 20;
const BEFORE = 2048;
const AFTER = 6144;
const PER_SHAPE = 3;
// Room for far more shapes than a log has, in half a megabyte.
const SEEN_BITS = 18;
// Bytes of a line by which it is told from others, and that are kept of it at most.
const KEYED = 96;
const LONGEST = 4096;
// A line of more bytes is kept in part where the head ends and the tail begins.
const HUGE = 64 << 10;

let matcher: StemMatcher | null = null;

/** The matcher of all stems, made when it is first needed. */
export function stemMatcher(): StemMatcher {
  matcher ??= new StemMatcher(STEMS);
  return matcher;
}

/** Scans bytes that are in memory. */
export function scanBytes(bytes: Uint8Array): Scan {
  if (bytes.length <= WHOLE) return whole(bytes, null);
  const scanner = new Scanner(bytes.length);
  for (let at = 0; at < bytes.length; at += BLOCK) scanner.push(bytes.subarray(at, at + BLOCK));
  return scanner.finish(null);
}

/** Scans a log. Its size is asked for once: what is appended afterwards is not read. */
export async function scanSource(source: ByteSource): Promise<Scan> {
  let size: number;
  try {
    size = await source.size();
  } catch (error) {
    return whole(new Uint8Array(0), reason(error));
  }
  const small = size <= WHOLE;
  const block = Buffer.allocUnsafe(small ? size : BLOCK);
  const scanner = new Scanner(size);
  let unread: string | null = null;
  let read = 0;
  let filled = 0;
  while (read < size) {
    let part: Uint8Array;
    try {
      part = await source.read(read, Math.min(BLOCK, block.length - filled, size - read));
    } catch (error) {
      unread = reason(error);
      break;
    }
    // Shorter than its size a moment ago: it was truncated. What was read is all there is to tell of.
    if (part.length === 0) break;
    const used = part.subarray(0, Math.min(part.length, block.length - filled, size - read));
    block.set(used, filled);
    filled += used.length;
    read += used.length;
    // The blocks are of one size, so that the choice does not depend on how the log was read.
    if (!small && filled === BLOCK) {
      scanner.push(block);
      filled = 0;
    }
  }
  if (small) return whole(block.subarray(0, filled), unread);
  if (filled > 0) scanner.push(block.subarray(0, filled));
  return scanner.finish(unread);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function whole(bytes: Uint8Array, unread: string | null): Scan {
  const open = bytes.length > 0 && bytes[bytes.length - 1] !== LINE_FEED ? 1 : 0;
  const segments = bytes.length === 0 ? [] : [{ from: 0, bytes, firstLine: 1, startsInside: false }];
  return { totalBytes: bytes.length, totalLines: countLineFeeds(bytes) + open, segments, unread };
}

/** The number of line feeds in `bytes`. */
function countLineFeeds(bytes: Uint8Array, from = 0, to: number = bytes.length): number {
  let count = 0;
  for (let i = from; i < to; i++) if (bytes[i] === LINE_FEED) count++;
  return count;
}

/** Keeps what matters of a log that is too long to keep. */
class Scanner {
  readonly #size: number;
  readonly #seen = new Seen();
  readonly #segments: Segment[] = [];
  #kept = 0;
  #middle = 0;
  #total = 0;
  #lastByte = LINE_FEED;
  /** What was read last; `#line` is the number of the line at `#searched`. */
  readonly #room = Buffer.allocUnsafe(TAIL + BLOCK * 2);
  #window: Buffer = this.#room.subarray(0, 0);
  #windowAt = 0;
  #searched = 0;
  #line = 1;

  constructor(size: number) {
    this.#size = size;
  }

  push(block: Uint8Array): void {
    if (this.#total === 0) {
      const feed = block.lastIndexOf(LINE_FEED, HEAD);
      // A line that does not end in the head is kept in part only when it is huge.
      const head = Buffer.from(block.subarray(0, feed < HEAD - HUGE ? HEAD : feed + 1));
      this.#segments.push({ from: 0, bytes: head, firstLine: 1, startsInside: false });
      this.#kept = head.length;
    }
    this.#total += block.length;
    this.#lastByte = block[block.length - 1] ?? this.#lastByte;
    const length = this.#window.length;
    this.#room.set(block, length);
    this.#window = this.#room.subarray(0, length + block.length);
    // The last bytes are kept anyway; they are counted, not searched, when it is known where they begin.
    const until = Math.min(this.#window.length, Math.max(this.#searched, this.#size - TAIL - this.#windowAt)) - AFTER;
    if (until > this.#searched) this.#search(until);
    const drop = Math.min(this.#searched - BEFORE * 2, Math.max(0, this.#size - TAIL - this.#windowAt - AFTER));
    if (drop > 0) {
      this.#room.copyWithin(0, drop, this.#window.length);
      this.#window = this.#room.subarray(0, this.#window.length - drop);
      this.#windowAt += drop;
      this.#searched -= drop;
    }
  }

  finish(unread: string | null): Scan {
    const earliest = Math.max(this.#searched, this.#window.length - TAIL);
    const feed = this.#window.indexOf(LINE_FEED, Math.max(0, earliest - 1));
    const tailAt = feed < 0 || feed - earliest > HUGE || feed + 1 >= this.#window.length ? earliest : feed + 1;
    const atTail = this.#line + countLineFeeds(this.#window, this.#searched, tailAt);
    const tail = this.#window.subarray(tailAt);
    if (tail.length > 0) this.#add(tailAt, this.#window.length, atTail);
    const open = this.#total > 0 && this.#lastByte !== LINE_FEED ? 1 : 0;
    return {
      totalBytes: this.#total,
      totalLines: atTail - 1 + countLineFeeds(tail) + open,
      segments: joined(this.#segments),
      unread,
    };
  }

  /** Looks for candidates from where the search stopped up to `until`, and counts its lines. */
  #search(until: number): void {
    const base = this.#line;
    const counted = stemMatcher().eachLine(this.#window, this.#searched, until, (line, start, end) =>
      this.#consider(base + line, start, end),
    );
    this.#line = base + counted;
    this.#searched = until;
  }

  #consider(line: number, start: number, end: number): void {
    const window = this.#window;
    const key = lettersOf(window, start, Math.min(end, start + KEYED));
    if (!this.#seen.isRare(key) || this.#middle >= MIDDLE) return;
    const last = Math.min(end, start + LONGEST);
    const firstFeed = window.indexOf(LINE_FEED, Math.max(0, start - BEFORE));
    const from = Math.max(firstFeed < 0 || firstFeed >= start ? start : firstFeed + 1, this.#kept - this.#windowAt);
    const lastFeed = window.lastIndexOf(LINE_FEED, Math.min(window.length, last + AFTER) - 1);
    const to = lastFeed > last ? lastFeed + 1 : last;
    if (from >= to) return;
    this.#middle += this.#add(
      from,
      to,
      from <= start ? line - countLineFeeds(window, from, start) : line + countLineFeeds(window, start, from),
    );
  }

  #add(from: number, to: number, firstLine: number): number {
    const at = Math.max(from, this.#kept - this.#windowAt);
    if (at >= to) return 0;
    const bytes = Buffer.from(this.#window.subarray(at, to));
    const startsInside = at > 0 ? this.#window[at - 1] !== LINE_FEED : this.#windowAt > 0;
    this.#segments.push({
      from: this.#windowAt + at,
      bytes,
      firstLine: firstLine + countLineFeeds(this.#window, from, at),
      startsInside,
    });
    this.#kept = this.#windowAt + to;
    return bytes.length;
  }
}

/** Counts keys, in a table of fixed size: what finds its place taken by another counts as not seen. */
class Seen {
  readonly #count = new Uint8Array(1 << SEEN_BITS);
  readonly #tag = new Uint8Array(1 << SEEN_BITS);

  /** Whether the key was asked for less than `PER_SHAPE` times before. */
  isRare(key: number): boolean {
    const mixed = Math.imul(key, 0x9e3779b1);
    const place = mixed >>> (32 - SEEN_BITS);
    const tag = mixed & 0xff;
    const count = this.#count[place] ?? 0;
    if (count > 0 && this.#tag[place] !== tag) return true;
    if (count >= PER_SHAPE) return false;
    this.#count[place] = count + 1;
    this.#tag[place] = tag;
    return true;
  }
}

/** A number for the letters of a line: lines that differ in numbers only have the same. */
function lettersOf(bytes: Uint8Array, from: number, to: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let hash = 0;
  for (let i = from; i < to; i++) {
    const byte = view.getUint8(i);
    if (byte < 48 || byte > 57) hash = (Math.imul(hash, 31) + byte) | 0;
  }
  return hash;
}

/** Joins segments that touch, so that a line stands in one where it can. */
function joined(segments: readonly Segment[]): Segment[] {
  const runs: Segment[][] = [];
  let end = -1;
  for (const segment of segments) {
    if (segment.from === end) runs.at(-1)?.push(segment);
    else runs.push([segment]);
    end = segment.from + segment.bytes.length;
  }
  return runs.flatMap((run) =>
    run[0] === undefined ? [] : [{ ...run[0], bytes: Buffer.concat(run.map((segment) => segment.bytes)) }],
  );
}
