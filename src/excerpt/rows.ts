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
  /** The rows that hold a stem, in order: no other row is evidence. */
  readonly candidates: readonly number[];
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

/** The rows of one segment. */
interface Piece extends Pick<Rows, "text" | "line" | "keys" | "candidates" | "raw" | "drawn"> {
  /** Where its lines start, the first of them at its first byte. */
  readonly starts: readonly number[];
}

/** Turns what was kept into rows. */
export function rowsOf(scan: Scan): Rows {
  const { segments, totalBytes, totalLines, unkept } = scan;
  const pieces = segments.map(pieceOf);
  const starts = pieces.map((piece) => piece.starts);
  const kept = segments.reduce((sum, segment) => sum + segment.bytes.length, 0);
  return {
    ...(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : joined(segments, pieces)),
    unkept,
    totalLines: totalLines ?? starts[0]?.length ?? 0,
    complete: kept === totalBytes,
    placesOf: (lines) => placesOf(segments, starts, lines),
  };
}

function joined(segments: readonly Segment[], pieces: readonly Piece[]): Omit<Piece, "starts"> {
  const text: string[] = [];
  const line: number[] = [];
  const keys: number[] = [];
  const candidates: number[] = [];
  let drawn = false;
  let end = 0;
  for (const [index, { from, firstLine, startsInside, bytes }] of segments.entries()) {
    const piece = pieces[index];
    if (piece === undefined) continue;
    drawn ||= piece.drawn;
    const last = text.length - 1;
    // One line of which parts were kept is one row; what was not kept of it is counted in bytes.
    const goesOn = startsInside && line[last] === firstLine && !drawn;
    if (goesOn) {
      const row = `${text[last] ?? ""}${leftOut(from - end)}${piece.text[0] ?? ""}`;
      text[last] = row;
      keys[last] = roughKey(row);
      if (piece.candidates[0] === 0 && candidates.at(-1) !== last) candidates.push(last);
    }
    const first = goesOn ? 1 : 0;
    const above = text.length - first;
    for (let i = first; i < piece.text.length; i++) {
      text.push(piece.text[i] ?? "");
      line.push(piece.line[i] ?? 0);
      keys.push(piece.keys[i] ?? 0);
    }
    for (const row of piece.candidates) if (row >= first) candidates.push(above + row);
    end = from + bytes.length;
  }
  return { text, line, keys, candidates, raw: null, drawn };
}

function pieceOf(segment: Segment): Piece {
  const bytes = readable(segment);
  const { text: lines, starts: read, hasControls: drawn } = readLines(bytes);
  const skipped = segment.bytes.length - bytes.length;
  const starts = skipped === 0 ? read : read.map((at, line) => (line === 0 ? 0 : at + skipped));
  const candidates: number[] = [];
  if (!drawn) {
    const raw = new RawRows(bytes, read);
    stemMatcher().eachLine(bytes, 0, bytes.length, (row) => {
      candidates.push(row);
      return raw.to(row);
    });
    const line = lines.map((_, i) => segment.firstLine + i);
    return { text: lines, line, keys: roughKeysOf(raw, lines), candidates, raw, drawn, starts };
  }
  const played = playOut(lines, segment.firstLine);
  const text = played.map((row) => row.text);
  const searched = Buffer.from(text.join("\n"));
  stemMatcher().eachLine(searched, 0, searched.length, (row, _, at) => {
    candidates.push(row);
    return endOfLine(searched, at, searched.length);
  });
  const line = played.map((row) => row.line);
  return { text, line, keys: text.map(roughKey), candidates, raw: null, drawn, starts };
}

/** A piece that begins inside a character loses the rest of that character, not the line. */
function readable(segment: Segment): Uint8Array {
  let skip = 0;
  if (segment.startsInside) while (skip < 3 && ((segment.bytes[skip] ?? 0) & 0xc0) === 0x80) skip++;
  return segment.bytes.subarray(skip);
}

/** The bytes of lines, which are given in ascending order; `starts` says of each piece where its lines start. */
function placesOf(
  segments: readonly Segment[],
  starts: readonly (readonly number[])[],
  lines: readonly number[],
): Map<number, Place> {
  const places = new Map<number, Place>();
  let wanted = 0;
  for (const [piece, { from, bytes, firstLine, startsInside }] of segments.entries()) {
    const own = starts[piece] ?? [];
    const endOf = (at: number): number => from + (own[at + 1] ?? bytes.length);
    // A line of which parts were kept goes on here.
    const begun = startsInside ? places.get(firstLine) : undefined;
    if (begun !== undefined) places.set(firstLine, { ...begun, to: endOf(0) });
    for (let line = lines[wanted]; line !== undefined && line < firstLine + own.length; line = lines[++wanted]) {
      const at = line - firstLine;
      if (at >= 0) places.set(line, { from: from + (own[at] ?? 0), to: endOf(at) });
    }
  }
  return places;
}
