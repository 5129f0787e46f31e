/**
 * The rows of what was kept of a log: what a reader would have seen, with the place of each in the log.
 * A row is a line unless the log drew on a terminal.
 */
import { endOfLine, playOut, readLines } from "../text/index.ts";
import { leftOut } from "./cut.ts";
import { roughKey, roughKeyOfBytes } from "./outliers.ts";
import { RawRows } from "./raw-rows.ts";
import type { Scan, Segment } from "./segment.ts";
import { stemMatcher } from "./stems.ts";

/** The rows of a log in order, as parallel lists. */
export interface Rows {
  readonly text: readonly string[];
  /** The number of the log's line that each row was written by, from 1. */
  readonly line: readonly number[];
  /** For each row its `roughKey`: 0 for a blank row, and for no other. */
  readonly keys: readonly number[];
  /** The rows that hold a stem, in order: no other row is evidence. */
  readonly candidates: readonly number[];
  /** The bytes of the rows, where each is a line of one piece of UTF-8; null where rows were made of them some other way. */
  readonly raw: RawRows | null;
  /** Whether a terminal was drawn on: the rows are then not the log's lines. */
  readonly drawn: boolean;
  /** Whether all of the log is in the rows. */
  readonly complete: boolean;
  /** For lines, by their number, how many more of their kind were counted in the log and are not in the rows. */
  readonly unkept: ReadonlyMap<number, number>;
  /** Finds the bytes of lines, which are given in ascending order. */
  placesOf(lines: readonly number[]): ReadonlyMap<number, Place>;
}

/** The bytes of a line, the line feed included; `to` is exclusive. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Turns what was kept into rows. */
export function rowsOf(scan: Scan): Rows {
  let text: string[] = [];
  const line: number[] = [];
  const keys: number[] = [];
  const candidates: number[] = [];
  let drawn = false;
  let raw: RawRows | null = null;
  let end = 0;
  for (const segment of scan.segments) {
    const bytes = readable(segment);
    const { text: lines, starts, hasControls: terminal } = readLines(bytes);
    const goesOn = segment.startsInside && line.at(-1) === segment.firstLine && !drawn && !terminal;
    if (goesOn) {
      // One line of which parts were kept is one row; what was not kept of it is counted in bytes.
      const last = text.length - 1;
      lines[0] = `${text[last] ?? ""}${leftOut(segment.from - end)}${lines[0] ?? ""}`;
      text.length = line.length = keys.length = last;
      if (candidates.at(-1) === last) candidates.length--;
    }
    end = segment.from + segment.bytes.length;
    const base = text.length;
    if (terminal) {
      drawn = true;
      for (const row of playOut(lines, segment.firstLine)) {
        text.push(row.text);
        line.push(row.line);
        keys.push(roughKey(row.text));
      }
    } else {
      // Most logs are one segment: its lines need not be copied.
      if (base === 0) text = lines;
      for (let i = 0; i < lines.length; i++) {
        const row = lines[i] ?? "";
        if (base > 0) text.push(row);
        line.push(segment.firstLine + i);
        keys.push(goesOn && i === 0 ? roughKey(row) : roughKeyOfBytes(bytes, starts[i] ?? 0, row));
      }
    }
    if (!terminal && !goesOn) {
      raw = scan.segments.length === 1 ? new RawRows(bytes, starts) : null;
      stemMatcher().eachLine(bytes, 0, bytes.length, (row) => {
        candidates.push(base + row);
        return (starts[row + 1] ?? bytes.length + 1) - 1;
      });
    } else {
      const searched = Buffer.from(text.slice(base).join("\n"));
      stemMatcher().eachLine(searched, 0, searched.length, (row, _, at) => {
        candidates.push(base + row);
        return endOfLine(searched, at, searched.length);
      });
    }
  }
  const kept = scan.segments.reduce((sum, segment) => sum + segment.bytes.length, 0);
  return {
    text,
    line,
    keys,
    candidates,
    raw,
    drawn,
    unkept: scan.unkept,
    complete: kept === scan.totalBytes,
    placesOf: (lines) => placesOf(scan, lines),
  };
}

/** A piece that begins inside a character loses the rest of that character, not the line. */
function readable(segment: Segment): Uint8Array {
  let skip = 0;
  if (segment.startsInside) while (skip < 3 && ((segment.bytes[skip] ?? 0) & 0xc0) === 0x80) skip++;
  return segment.bytes.subarray(skip);
}

/** The bytes of lines, which are given in ascending order. */
function placesOf(scan: Scan, lines: readonly number[]): Map<number, Place> {
  const places = new Map<number, Place>();
  let wanted = 0;
  for (const segment of scan.segments) {
    let number = segment.firstLine;
    let at = 0;
    // A line of which parts were kept goes on here.
    const begun = segment.startsInside ? places.get(number) : undefined;
    if (begun !== undefined) {
      const feed = segment.bytes.indexOf(10);
      places.set(number, { ...begun, to: segment.from + (feed < 0 ? segment.bytes.length : feed + 1) });
    }
    while (wanted < lines.length && (lines[wanted] ?? 0) < number) wanted++;
    while (at < segment.bytes.length && wanted < lines.length) {
      const feed = segment.bytes.indexOf(10, at);
      const end = feed < 0 ? segment.bytes.length : feed + 1;
      if (lines[wanted] === number) {
        places.set(number, { from: segment.from + at, to: segment.from + end });
        wanted++;
      }
      at = end;
      number++;
    }
  }
  return places;
}
