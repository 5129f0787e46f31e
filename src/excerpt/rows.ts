/**
 * The rows of what was kept of a log: what a reader would have seen, with the place of each in the log.
 * A row is a line unless the log drew on a terminal.
 */
import { decodeLines, type Encoding, encodingOf, hasControls, playOut } from "../text/index.ts";
import type { Scan, Segment } from "./scan.ts";

/** The rows of a log in order, as parallel lists. */
export interface Rows {
  readonly text: readonly string[];
  /** The number of the log's line that each row was written by, from 1. */
  readonly line: readonly number[];
  /** Whether a terminal was drawn on: the rows are then not the log's lines. */
  readonly drawn: boolean;
  /** The bytes of a line, the line feed included. */
  bytesOf(line: number): { from: number; to: number };
}

/** Turns what was kept into rows. */
export function rowsOf(scan: Scan): Rows {
  const first = scan.segments[0];
  const encoding = first === undefined || first.from > 0 ? "utf-8" : encodingOf(first.bytes);
  const texts: string[] = [];
  const numbers: number[] = [];
  let drawn = false;
  for (const segment of scan.segments) {
    const lines = segmentLines(segment, encoding);
    if (hasControls(lines.join("\n"))) {
      drawn = true;
      for (const row of playOut(lines, segment.firstLine)) {
        texts.push(row.text);
        numbers.push(row.line);
      }
    } else {
      for (let i = 0; i < lines.length; i++) {
        texts.push(lines[i] ?? "");
        numbers.push(segment.firstLine + i);
      }
    }
  }
  return { text: texts, line: numbers, drawn, bytesOf: (line) => findBytes(scan, line) };
}

function segmentLines(segment: Segment, encoding: Encoding): string[] {
  const bytes = segment.bytes;
  if (!segment.startsInside || encoding !== "utf-8") return decodeLines(bytes, encoding);
  // A piece that begins inside a character loses the rest of that character, not the line.
  let skip = 0;
  while (skip < 3 && ((bytes[skip] ?? 0) & 0xc0) === 0x80) skip++;
  return decodeLines(bytes.subarray(skip), encoding);
}

function findBytes(scan: Scan, line: number): { from: number; to: number } {
  for (const segment of scan.segments) {
    if (line < segment.firstLine) break;
    let at = 0;
    for (let n = segment.firstLine; n < line && at >= 0; n++) at = segment.bytes.indexOf(10, at) + 1 || -1;
    if (at < 0 || at >= segment.bytes.length) continue;
    const feed = segment.bytes.indexOf(10, at);
    return { from: segment.from + at, to: segment.from + (feed < 0 ? segment.bytes.length : feed + 1) };
  }
  return { from: 0, to: 0 };
}
