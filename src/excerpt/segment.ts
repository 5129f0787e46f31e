/** What is kept of a log while it is read, and how its lines are counted. */

const LINE_FEED = 10;

/** A run of bytes of the log that was kept. */
export interface Segment {
  /** Offset of the first byte. */
  readonly from: number;
  readonly bytes: Uint8Array;
  /** The number of the line that the first byte belongs to, from 1. */
  readonly firstLine: number;
  /** Whether the line had begun before the first byte. */
  readonly startsInside: boolean;
}

/** What was read of a log. */
export interface Scan {
  readonly totalBytes: number;
  /** Lines, an unterminated last one included. */
  readonly totalLines: number;
  /** Ascending, never overlapping. */
  readonly segments: readonly Segment[];
  /** For lines that are kept, by their number, how many more of their kind were counted and not kept. */
  readonly unkept: ReadonlyMap<number, number>;
  /** Why the log could not be read to its end; null when it could. */
  readonly unread: string | null;
}

/** The number of line feeds in `bytes`. */
export function countLineFeeds(bytes: Uint8Array, from = 0, to: number = bytes.length): number {
  let count = 0;
  for (let i = from; i < to; i++) if (bytes[i] === LINE_FEED) count++;
  return count;
}

/** Joins segments that touch, so that a line stands in one where it can. */
export function joined(segments: readonly Segment[]): Segment[] {
  const runs: Segment[][] = [];
  let end = -1;
  for (const segment of segments) {
    if (segment.from === end) runs.at(-1)?.push(segment);
    else runs.push([segment]);
    end = segment.from + segment.bytes.length;
  }
  return runs.flatMap((run) =>
    run[0] === undefined ? [] : [{ ...run[0], bytes: Buffer.concat(run.map((segment) => segment.bytes)) }],
  );
}
