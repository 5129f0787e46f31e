/**
 * Line feeds in bytes: how many there are, and where the line begins that comes behind a number of them.
 *
 * Theory: a line is what stands between two bytes of a line feed, whatever the bytes around it mean; so it is in ASCII,
 * UTF-8 and every encoding that keeps ASCII. In UTF-16 a line feed is a unit of two bytes, and its byte is also a half
 * of other characters: there the units are looked at.
 */
import { type WideEncoding, wideEncodingOf } from "./wide.ts";

const LINE_FEED = 10;

/** The number of line feeds in `bytes`. */
export function countLineFeeds(bytes: Uint8Array, from = 0, to: number = bytes.length): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  let at = from;
  while (at + 3 < to) {
    // Four sums, a byte each, so they have to be taken before one of them is full.
    let sums = 0;
    const end = Math.min(to - 3, at + 4 * 255);
    for (; at < end; at += 4) {
      const other = view.getInt32(at, true) ^ 0x0a0a0a0a;
      // A bit for each byte that is nought: adding to its lower bits never carries into the next one.
      sums += ~(((other & 0x7f7f7f7f) + 0x7f7f7f7f) | other | 0x7f7f7f7f) >>> 7;
    }
    count += (sums & 0xff) + ((sums >>> 8) & 0xff) + ((sums >>> 16) & 0xff) + (sums >>> 24);
  }
  for (; at < to; at++) if (bytes[at] === LINE_FEED) count++;
  return count;
}

/** Counts line feeds down through a log that comes in pieces of any length, from its first byte on. */
export class LineFeedCountdown {
  #left: number;
  /** The mark of UTF-16 stands in the first two bytes: until they came it is not known. */
  #encoding: WideEncoding | null | undefined;
  /** Whether an odd number of bytes was taken, and the last of them. */
  #isInside = false;
  #last = -1;

  /** @param count How many line feeds are to come, from 0. */
  constructor(count: number) {
    this.#left = count;
  }

  /** How many line feeds are still to come. */
  get left(): number {
    return this.#left;
  }

  /** Wants `count` line feeds more. */
  more(count: number): void {
    this.#left += count;
  }

  /** Takes the next bytes up to the last line feed that is wanted; answers how many it took: all where that is not there. */
  take(bytes: Uint8Array): number {
    let at = 0;
    // One by one until both bytes of a mark could be seen: without one they count as any others.
    for (; this.#encoding === undefined && at < bytes.length && this.#left > 0; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#last >= 0) this.#encoding = wideEncodingOf(Uint8Array.of(this.#last, byte));
      if (byte === LINE_FEED) this.#left--;
      this.#last = byte;
      this.#isInside = !this.#isInside;
    }
    if (this.#left === 0 || at === bytes.length) return at;
    const rest = bytes.subarray(at);
    return at + ((this.#encoding ?? null) === null ? this.#takeBytes(rest) : this.#takeUnits(rest));
  }

  #takeBytes(bytes: Uint8Array): number {
    const count = countLineFeeds(bytes);
    if (count < this.#left) {
      this.#left -= count;
      return bytes.length;
    }
    let at = 0;
    while (this.#left > 0) if (bytes[at++] === LINE_FEED) this.#left--;
    return at;
  }

  #takeUnits(bytes: Uint8Array): number {
    const isLittle = this.#encoding === "utf-16le";
    let at = 0;
    if (this.#isInside && bytes.length > 0) {
      this.#countUnit(isLittle, this.#last, bytes[0] ?? 0);
      at = 1;
    }
    for (; this.#left > 0 && at + 1 < bytes.length; at += 2)
      this.#countUnit(isLittle, bytes[at] ?? 0, bytes[at + 1] ?? 0);
    const isCut = this.#left > 0 && at < bytes.length;
    this.#isInside = isCut;
    if (isCut) this.#last = bytes[at++] ?? 0;
    return at;
  }

  #countUnit(isLittle: boolean, first: number, second: number): void {
    if ((isLittle ? first : second) === LINE_FEED && (isLittle ? second : first) === 0) this.#left--;
  }
}
