/**
 * The rows of what was kept of a log: what a reader would have seen, with the place of each in the log.
 * A row is a line unless the log drew on a terminal.
 */
import { endOfLine, playOut, readLines } from "../text/index.ts";
import { leftOut } from "./cut.ts";
import { roughKey, roughKeysOf } from "./outliers.ts";
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
  /** Finds the rows that hold a stem, in order: no other row is evidence. A log that is shown whole is not searched. */
  candidates(): readonly number[];
  /** The bytes of the rows, where each is a line of one piece of UTF-8; null where rows were made of them some other way. */
  readonly raw: RawRows | null;
  /** Whether a terminal was drawn on: the rows are then not the log's lines. */
  readonly drawn: boolean;
  /** The lines of the log, an unterminated last one included. */
  readonly totalLines: number;
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

/** Rows by themselves. */
type Read = Pick<Rows, "text" | "line" | "keys" | "candidates" | "raw" | "drawn">;

/** The rows of one segment. */
interface Piece {
  readonly segment: Segment;
  readonly read: Read;
  /** Where its lines start, the first of them at its first byte. */
  readonly starts: readonly number[];
}

/** Turns what was kept into rows. */
export function rowsOf({ segments, totalBytes, totalLines, unkept }: Scan): Rows {
  const pieces = segments.map(pieceOf);
  const [first] = pieces;
  const kept = segments.reduce((sum, segment) => sum + segment.bytes.length, 0);
  return {
    ...(pieces.length === 1 && first !== undefined ? first.read : joined(pieces)),
    unkept,
    totalLines: totalLines ?? first?.starts.length ?? 0,
    complete: kept === totalBytes,
    placesOf: (lines) => placesOf(pieces, lines),
  };
}

function joined(pieces: readonly Piece[]): Read {
  const text: string[] = [];
  const line: number[] = [];
  const keys: number[] = [];
  /** For each piece the number of its first row; its first line may be a part of the row before. */
  const firsts: number[] = [];
  let drawn = false;
  let end = 0;
  for (const { segment, read } of pieces) {
    const { from, firstLine, startsInside, bytes } = segment;
    drawn ||= read.drawn;
    const last = text.length - 1;
    // One line of which parts were kept is one row; what was not kept of it is counted in bytes.
    const goesOn = startsInside && line[last] === firstLine && !drawn;
    if (goesOn) {
      const row = `${text[last] ?? ""}${leftOut(from - end)}${read.text[0] ?? ""}`;
      text[last] = row;
      keys[last] = roughKey(row);
    }
    const first = goesOn ? 1 : 0;
    firsts.push(text.length - first);
    for (let i = first; i < read.text.length; i++) {
      text.push(read.text[i] ?? "");
      line.push(read.line[i] ?? 0);
      keys.push(read.keys[i] ?? 0);
    }
    end = from + bytes.length;
  }
  const candidates = (): number[] => {
    const rows = pieces.flatMap(({ read }, index) => read.candidates().map((row) => (firsts[index] ?? 0) + row));
    return rows.filter((row, at) => row !== rows[at - 1]);
  };
  return { text, line, keys, candidates, raw: null, drawn };
}

function pieceOf(segment: Segment): Piece {
  const bytes = readable(segment);
  const { text: lines, starts: own, hasControls: drawn } = readLines(bytes);
  const skipped = segment.bytes.length - bytes.length;
  const starts = skipped === 0 ? own : own.map((at, line) => (line === 0 ? 0 : at + skipped));
  if (!drawn) {
    const raw = new RawRows(bytes, own);
    const line = lines.map((_, i) => segment.firstLine + i);
    const candidates = (): number[] => stemmed(bytes, (row) => raw.to(row));
    return { segment, starts, read: { text: lines, line, keys: roughKeysOf(raw, lines), candidates, raw, drawn } };
  }
  const played = playOut(lines, segment.firstLine);
  const text = played.map((row) => row.text);
  const line = played.map((row) => row.line);
  const candidates = (): number[] => {
    const searched = Buffer.from(text.join("\n"));
    return stemmed(searched, (_, at) => endOfLine(searched, at, searched.length));
  };
  return { segment, starts, read: { text, line, keys: text.map(roughKey), candidates, raw: null, drawn } };
}

/** The rows that hold a stem, of rows that stand in `bytes`; `endOf` tells where a row ends, of which `at` is a place. */
function stemmed(bytes: Uint8Array, endOf: (row: number, at: number) => number): number[] {
  const rows: number[] = [];
  stemMatcher().eachLine(bytes, 0, bytes.length, (row, _, at) => {
    rows.push(row);
    return endOf(row, at);
  });
  return rows;
}

/** A piece that begins inside a character loses the rest of that character, not the line. */
function readable(segment: Segment): Uint8Array {
  let skip = 0;
  if (segment.startsInside) while (skip < 3 && ((segment.bytes[skip] ?? 0) & 0xc0) === 0x80) skip++;
  return segment.bytes.subarray(skip);
}

/** The bytes of lines, which are given in ascending order. */
function placesOf(pieces: readonly Piece[], lines: readonly number[]): Map<number, Place> {
  const places = new Map<number, Place>();
  let wanted = 0;
  for (const { segment, starts } of pieces) {
    const { from, bytes, firstLine, startsInside } = segment;
    const endOf = (at: number): number => from + (starts[at + 1] ?? bytes.length);
    // A line of which parts were kept goes on here.
    const begun = startsInside ? places.get(firstLine) : undefined;
    if (begun !== undefined) places.set(firstLine, { ...begun, to: endOf(0) });
    for (let line = lines[wanted]; line !== undefined && line < firstLine + starts.length; line = lines[++wanted]) {
      const at = line - firstLine;
      if (at >= 0) places.set(line, { from: from + (starts[at] ?? 0), to: endOf(at) });
    }
  }
  return places;
}
