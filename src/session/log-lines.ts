/**
 * Lines of a log by their number, counted as the excerpt counts them: what stands between line feeds, in UTF-16 by its
 * characters. One pass over what stands before the line, in bounded memory.
 */
import { open } from "node:fs/promises";
import { LineFeedCountdown } from "../text/index.ts";

/** Large enough that a turn through the thread pool is little of what it takes to count. */
const CHUNK_BYTES = 1 << 20;

/** Where a line begins. */
export interface LineStart {
  /** Offset of its first byte; of a line that is not there yet the end of the log. */
  readonly offset: number;
  /** Stands at the offset: what is left of it is the line feeds that are to come before the line. */
  readonly countdown: LineFeedCountdown;
}

/**
 * Finds where a line of a log begins.
 *
 * @param line From 1.
 * @param size How many bytes of the log are looked at; of none it need not be there.
 */
export async function startOfLine(path: string, line: number, size: number): Promise<LineStart> {
  const countdown = new LineFeedCountdown(line - 1);
  let offset = 0;
  if (size === 0 || countdown.left === 0) return { offset, countdown };
  const handle = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size));
    while (offset < size && countdown.left > 0) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - offset), offset);
      if (bytesRead === 0) break;
      offset += countdown.take(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
  return { offset, countdown };
}

/** How many lines may still be given out; shared by the logs of a sequence's stages. */
export interface LineLimit {
  left: number;
}

/**
 * The part of a log from a line on.
 *
 * @param chunks The log from where the countdown stands.
 * @param limit No more lines than these; nothing is read beyond them. Null for all.
 */
export async function* linesFrom(
  chunks: AsyncIterable<Buffer>,
  countdown: LineFeedCountdown,
  limit: LineLimit | null,
): AsyncGenerator<Buffer> {
  let isBegun = false;
  for await (const chunk of chunks) {
    let rest = chunk;
    if (!isBegun) {
      rest = chunk.subarray(countdown.take(chunk));
      if (countdown.left > 0) continue;
      isBegun = true;
      countdown.more(limit?.left ?? 0);
    }
    if (limit !== null) {
      rest = rest.subarray(0, countdown.take(rest));
      limit.left = countdown.left;
    }
    if (rest.length > 0) yield rest;
    if (limit?.left === 0) return;
  }
}
