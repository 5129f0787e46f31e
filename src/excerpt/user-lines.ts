/**
 * The lines of a log that patterns of the user match: every line is tried, whatever its size.
 *
 * Theory: a pattern that can tell of many lines at once whether any of them may match is asked for 64 KiB,
 * then for parts of them, and only where it says so is line after line tried.
 */
import { plainText, writePlainLine } from "../text/index.ts";
import type { LinePattern } from "./types.ts";

const LINE_FEED = 10;
const RETURN = 13;
const ESCAPE = 27;
const LARGE = 64 << 10;
const SMALL = 4 << 10;
const SHORT = 256;
// Of a longer line its start and its end are tried.
const TRIED_START = 1000;
const TRIED_END = 200;

/** Whether one of the patterns matches a line. */
export function isMatched(patterns: readonly LinePattern[], line: string): boolean {
  const tried =
    line.length > TRIED_START + TRIED_END ? `${line.slice(0, TRIED_START)} ${line.slice(-TRIED_END)}` : line;
  return patterns.some((pattern) => pattern.test(tried));
}

/** Where the matching lines between `from` and `to` start, in order. A line that goes on beyond them is taken as far as it goes. */
export function linesOfUsers(bytes: Buffer, from: number, to: number, patterns: readonly LinePattern[]): number[] {
  const found: number[] = [];
  for (let at = from; at < to; ) {
    const end = endOfLines(bytes, at, to, LARGE);
    if (mayMatch(bytes.subarray(at, end), patterns)) {
      for (let part = at; part < end; ) {
        const partEnd = endOfLines(bytes, part, end, SMALL);
        if (mayMatch(bytes.subarray(part, partEnd), patterns)) tryEach(bytes, part, partEnd, patterns, found);
        part = partEnd;
      }
    }
    at = end;
  }
  return found;
}

/** Where about `size` bytes of whole lines end. */
function endOfLines(bytes: Buffer, from: number, to: number, size: number): number {
  if (from + size >= to) return to;
  const feed = bytes.indexOf(LINE_FEED, from + size);
  return feed < 0 || feed >= to ? to : feed + 1;
}

function mayMatch(bytes: Buffer, patterns: readonly LinePattern[]): boolean {
  const shown = asShown(bytes);
  return patterns.some((pattern) => pattern.mayMatch?.(shown) ?? true);
}

/** Room for lines as they are shown, which are asked about one after the other. */
let room: Buffer = Buffer.alloc(0);

/** The lines with those played out that draw; valid until the next call. */
function asShown(bytes: Buffer): Buffer {
  let escape = bytes.indexOf(ESCAPE);
  let carriage = bytes.indexOf(RETURN);
  if (escape < 0 && carriage < 0) return bytes;
  if (room.length < bytes.length) room = Buffer.allocUnsafeSlow(bytes.length + SMALL);
  let copied = 0;
  let end = 0;
  while (escape >= 0 || carriage >= 0) {
    const next = escape < 0 || (carriage >= 0 && carriage < escape) ? carriage : escape;
    const start = bytes.lastIndexOf(LINE_FEED, next) + 1;
    const feed = bytes.indexOf(LINE_FEED, next);
    const lineEnd = feed < 0 ? bytes.length : feed;
    end = copyBytes(bytes, copied, start, end);
    end = writePlainLine(bytes, start, lineEnd, room, end);
    copied = lineEnd;
    // Each is only looked for behind where it was found: else a log with many of one would be read for each of them.
    if (escape >= 0 && escape < lineEnd) escape = bytes.indexOf(ESCAPE, lineEnd);
    if (carriage >= 0 && carriage < lineEnd) carriage = bytes.indexOf(RETURN, lineEnd);
  }
  end = copyBytes(bytes, copied, bytes.length, end);
  return room.subarray(0, end);
}

/** Copies bytes to the room at a place; answers where they end there. */
function copyBytes(bytes: Buffer, from: number, to: number, at: number): number {
  // Between lines that draw mostly stand few others, or just a line feed: cheaper to move than to call for.
  if (to - from > SHORT) return at + bytes.copy(room, at, from, to);
  for (let i = from; i < to; i++) room[at + i - from] = bytes[i] ?? 0;
  return at + to - from;
}

function tryEach(bytes: Buffer, from: number, to: number, patterns: readonly LinePattern[], found: number[]): void {
  for (let at = from; at < to; ) {
    const feed = bytes.indexOf(LINE_FEED, at);
    const end = feed < 0 || feed > to ? to : feed;
    const line =
      end - at > LARGE
        ? Buffer.concat([bytes.subarray(at, at + SMALL), bytes.subarray(end - SMALL, end)])
        : bytes.subarray(at, end);
    const text = line.toString("utf8");
    if (isMatched(patterns, line.includes(ESCAPE) || line.includes(RETURN) ? plainText(text) : text)) found.push(at);
    at = end + 1;
  }
}
