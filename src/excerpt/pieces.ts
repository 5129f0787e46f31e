/** Pieces of a huge log that are kept for the sake of lines, and what is left of one when some of them go. */
import { countLineFeeds } from "../text/index.ts";
import type { Segment } from "./segment.ts";

const LINE_FEED = 10;

/** A line for whose sake something is kept. Places are offsets in the log. */
export interface Line {
  readonly kind: number;
  shape: number;
  readonly from: number;
  readonly to: number;
  readonly isUsers: boolean;
  /** 1 for what is said to be mild, 0 for others; -1 when it was not told yet. */
  rank: number;
  /** What its place is worth, as it was told last: see `Surroundings`. Told anew each time for all, so kept here. */
  turn: number;
  count: number;
  ofShape: number;
  /** What stays around it; null when it goes. */
  reach: Reach | null;
}

/** A run of bytes that is kept for the sake of its lines, which are in order. */
export interface Piece extends Segment {
  readonly bytes: Buffer;
  readonly lines: Line[];
}

/** How many bytes around a line are kept. */
export interface Reach {
  readonly before: number;
  readonly after: number;
}

/** Adds to `left` what is left of a piece: the lines that stay, each with as much around it as it may have. */
export function addLeft(left: Piece[], piece: Piece): void {
  let from = 0;
  let to = 0;
  let lines: Line[] = [];
  for (const line of piece.lines) {
    const kept = line.reach;
    if (kept === null) continue;
    const start = Math.max(0, line.from - piece.from);
    const end = Math.min(piece.bytes.length, line.to - piece.from);
    const first =
      start - kept.before <= 0 ? 0 : Math.min(start, piece.bytes.indexOf(LINE_FEED, start - kept.before - 1) + 1);
    const feed = piece.bytes.lastIndexOf(LINE_FEED, end + Math.max(1, kept.after) - 1);
    const last = end + kept.after >= piece.bytes.length ? piece.bytes.length : Math.max(end, feed + 1);
    if (lines.length > 0 && first <= to) {
      to = Math.max(to, last);
      lines.push(line);
      continue;
    }
    if (lines.length > 0) left.push(partOf(piece, from, to, lines));
    from = first;
    to = last;
    lines = [line];
  }
  if (lines.length > 0) left.push(partOf(piece, from, to, lines));
}

function partOf(piece: Piece, from: number, to: number, lines: Line[]): Piece {
  const isWhole = from === 0 && to === piece.bytes.length;
  // Nearly every piece stays as it is: what is not made anew need not be cleared away.
  if (isWhole && lines.length === piece.lines.length) return piece;
  return {
    from: piece.from + from,
    bytes: isWhole ? piece.bytes : Buffer.from(piece.bytes.subarray(from, to)),
    firstLine: piece.firstLine + countLineFeeds(piece.bytes, 0, from),
    startsInside: from === 0 ? piece.startsInside : piece.bytes[from - 1] !== LINE_FEED,
    lines,
  };
}
