/**
 * Reads a log that is too long to be kept: keeps its start, its end, and the surroundings of lines that
 * may be evidence, until the room for those is full. Counts every line.
 *
 * Theory: the stems find candidate lines; those whose words were seen often enough are only counted. The
 * end is known from the size, so it is kept without being searched.
 */
import { Seen, wordsOf } from "./seen.ts";
import { countLineFeeds, joined, type Scan, type Segment } from "./segment.ts";
import { stemMatcher } from "./stems.ts";

/** The bytes that are given to a scanner at once; only the last block may be shorter. */
export const BLOCK: number = 1 << 20;
const LINE_FEED = 10;
const HEAD = 512 << 10;
const TAIL = 1 << 20;
const MIDDLE = 1 << 20;
const BEFORE = 2048;
const AFTER = 6144;
// Bytes of a line by which it is told from others, and that are kept of it at most.
const KEYED = 96;
const LONGEST = 4096;
// A line of more bytes is kept in part where the head ends and the tail begins.
const HUGE = 64 << 10;

/** Keeps what matters of a log that is too long to keep. */
export class Scanner {
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
    // Where there is no room for more, candidates need not be found.
    const counted =
      this.#middle >= MIDDLE
        ? countLineFeeds(this.#window, this.#searched, until)
        : stemMatcher().eachLine(this.#window, this.#searched, until, (line, start, end) =>
            this.#consider(base + line, start, end),
          );
    this.#line = base + counted;
    this.#searched = until;
  }

  #consider(line: number, start: number, end: number): void {
    if (this.#middle >= MIDDLE) return;
    const window = this.#window;
    const key = wordsOf(window, start, Math.min(end, start + KEYED));
    if (!this.#seen.isRare(key)) return;
    const last = Math.min(end, start + LONGEST);
    // When half of the room is taken the rest is shared by more of them.
    const part = this.#middle > MIDDLE / 2 ? 4 : 1;
    const firstFeed = window.indexOf(LINE_FEED, Math.max(0, start - BEFORE / part));
    const from = Math.max(firstFeed < 0 || firstFeed >= start ? start : firstFeed + 1, this.#kept - this.#windowAt);
    const lastFeed = window.lastIndexOf(LINE_FEED, Math.min(window.length, last + AFTER / part) - 1);
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
