/**
 * The rows of what was kept of a log: what a reader would have seen, with the place of each in the log.
 * A row is a line unless the log drew on a terminal.
 */
import { decodeLines, type Encoding, encodingOf, endOfLine, hasControls, playOut, readLines } from "../text/index.ts";
import { roughKey, roughKeysOf } from "./outliers.ts";
import { RawRows } from "./raw-rows.ts";
import type { Scan, Segment } from "./segment.ts";
import { stemMatcher } from "./stems.ts";

const LINE_FEED = 10;

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
  const first = segments[0];
  const encoding = first === undefined || first.from > 0 ? "utf-8" : encodingOf(first.bytes);
  const pieces = segments.map((segment) => pieceOf(segment, encoding));
  const starts = pieces.map((piece) => piece.starts);
  const kept = segments.reduce((sum, segment) => sum + segment.bytes.length, 0);
  return {
    ...(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : joined(pieces)),
    unkept,
    totalLines: totalLines ?? starts[0]?.length ?? 0,
    complete: kept === totalBytes,
    placesOf: (lines) => placesOf(segments, starts, lines),
  };
}

function joined(pieces: readonly Piece[]): Omit<Piece, "starts"> {
  let rows = 0;
  const candidates = pieces.map((piece) => {
    const above = rows;
    rows += piece.text.length;
    return piece.candidates.map((row) => above + row);
  });
  return {
    text: pieces.flatMap((piece) => piece.text),
    line: pieces.flatMap((piece) => piece.line),
    keys: pieces.flatMap((piece) => piece.keys),
    candidates: candidates.flat(),
    raw: null,
    drawn: pieces.some((piece) => piece.drawn),
  };
}

function pieceOf(segment: Segment, encoding: Encoding): Piece {
  const bytes = readable(segment, encoding);
  const read = encoding === "utf-8" ? readLines(bytes) : null;
  const lines = read === null ? decodeLines(bytes, encoding) : read.text;
  const starts = startsOf(segment, read?.starts ?? null, segment.bytes.length - bytes.length);
  const drawn = read === null ? lines.some(hasControls) : read.hasControls;
  if (read !== null && !drawn) {
    const raw = new RawRows(bytes, read.starts);
    const candidates: number[] = [];
    stemMatcher().eachLine(bytes, 0, bytes.length, (row) => {
      candidates.push(row);
      return raw.to(row);
    });
    const line = lines.map((_, i) => segment.firstLine + i);
    return { text: lines, line, keys: roughKeysOf(raw, lines), candidates, raw, drawn, starts };
  }
  const played = drawn ? playOut(lines, segment.firstLine) : null;
  const text = played?.map((row) => row.text) ?? lines;
  const line = played?.map((row) => row.line) ?? lines.map((_, i) => segment.firstLine + i);
  const candidates: number[] = [];
  const searched = Buffer.from(text.join("\n"));
  stemMatcher().eachLine(searched, 0, searched.length, (row, _, at) => {
    candidates.push(row);
    return endOfLine(searched, at, searched.length);
  });
  return { text, line, keys: text.map(roughKey), candidates, raw: null, drawn, starts };
}

/** A piece that begins inside a character loses the rest of that character, not the line. */
function readable(segment: Segment, encoding: Encoding): Uint8Array {
  let skip = 0;
  if (segment.startsInside && encoding === "utf-8")
    while (skip < 3 && ((segment.bytes[skip] ?? 0) & 0xc0) === 0x80) skip++;
  return segment.bytes.subarray(skip);
}

/** Where the lines of a piece start, the first of them at its first byte. */
function startsOf({ bytes }: Segment, read: readonly number[] | null, skipped: number): readonly number[] {
  if (read !== null) return skipped === 0 ? read : read.map((at, line) => (line === 0 ? 0 : at + skipped));
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    starts.push(at);
    const feed = bytes.indexOf(LINE_FEED, at);
    at = feed < 0 ? bytes.length : feed + 1;
  }
  return starts;
}

/** The bytes of lines, which are given in ascending order; `starts` says of each piece where its lines start. */
function placesOf(
  segments: readonly Segment[],
  starts: readonly (readonly number[])[],
  lines: readonly number[],
): Map<number, Place> {
  const places = new Map<number, Place>();
  let wanted = 0;
  for (const [piece, { from, bytes, firstLine }] of segments.entries()) {
    const own = starts[piece] ?? [];
    for (let line = lines[wanted]; line !== undefined && line < firstLine + own.length; line = lines[++wanted]) {
      const at = line - firstLine;
      if (at >= 0) places.set(line, { from: from + (own[at] ?? 0), to: from + (own[at + 1] ?? bytes.length) });
    }
  }
  return places;
}
