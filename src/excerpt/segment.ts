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
  /** Lines, an unterminated last one included; null where all are kept, and are counted when they are read. */
  readonly totalLines: number | null;
  /** Ascending, never overlapping. */
  readonly segments: readonly Segment[];
  /** For lines that are kept, by their number, how many more of their kind were counted and not kept. */
  readonly unkept: ReadonlyMap<number, number>;
  /** Why the log could not be read to its end; null when it could. */
  readonly unread: string | null;
}

/** The number of line feeds in `bytes`. */
export function countLineFeeds(bytes: Uint8Array, from = 0, to: number = bytes.length): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  let at = from;
  while (at + 3 < to) {
    // Four sums, a byte each, so they have to be taken before one of them is full.
    let sums = 0;
    const end = Math.min(to - 3, at + 4 * 255);
    for (; at < end; at += 4) {
      const other = view.getInt32(at, true) ^ 0x0a0a0a0a;
      // A bit for each byte that is nought: adding to its lower bits never carries into the next one.
      sums += ~(((other & 0x7f7f7f7f) + 0x7f7f7f7f) | other | 0x7f7f7f7f) >>> 7;
    }
    count += (sums & 0xff) + ((sums >>> 8) & 0xff) + ((sums >>> 16) & 0xff) + (sums >>> 24);
  }
  for (; at < to; at++) if (bytes[at] === LINE_FEED) count++;
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
