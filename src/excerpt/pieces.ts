/** Pieces of a huge log that are kept for the sake of lines, and what is left of one when some of them go. */
import { countLineFeeds, type Segment } from "./segment.ts";

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

/** What is left of a piece: the lines that stay, each with as much around it as it may have. */
export function partsOf(piece: Piece, reach: ReadonlyMap<Line, Reach>): Piece[] {
  const parts: { from: number; to: number; lines: Line[] }[] = [];
  for (const line of piece.lines) {
    const kept = reach.get(line);
    if (kept === undefined) continue;
    const start = Math.max(0, line.from - piece.from);
    const end = Math.min(piece.bytes.length, line.to - piece.from);
    const from =
      start - kept.before <= 0 ? 0 : Math.min(start, piece.bytes.indexOf(LINE_FEED, start - kept.before - 1) + 1);
    const feed = piece.bytes.lastIndexOf(LINE_FEED, end + Math.max(1, kept.after) - 1);
    const to = end + kept.after >= piece.bytes.length ? piece.bytes.length : Math.max(end, feed + 1);
    const last = parts.at(-1);
    if (last !== undefined && from <= last.to) {
      last.to = Math.max(last.to, to);
      last.lines.push(line);
    } else parts.push({ from, to, lines: [line] });
  }
  return parts.map(({ from, to, lines }) => ({
    from: piece.from + from,
    bytes: from === 0 && to === piece.bytes.length ? piece.bytes : Buffer.from(piece.bytes.subarray(from, to)),
    firstLine: piece.firstLine + countLineFeeds(piece.bytes, 0, from),
    startsInside: from === 0 ? piece.startsInside : piece.bytes[from - 1] !== LINE_FEED,
    lines,
  }));
}
