/** What is kept of a log while it is read. */

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
  /** Lines, an unterminated last one included; null where all are kept, and are counted when they are read. */
  readonly totalLines: number | null;
  /** Ascending, never overlapping. */
  readonly segments: readonly Segment[];
  /** For lines that are kept, by their number, how many more of their kind were counted and not kept. */
  readonly unkept: ReadonlyMap<number, number>;
  /** Why the log could not be read to its end; null when it could. */
  readonly unread: string | null;
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
