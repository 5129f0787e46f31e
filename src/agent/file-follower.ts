/**
 * The bytes of a file that grows, as they come. The system tells of each growth (inotify(7), kqueue(2)); a
 * slow look besides covers file systems that don't. The same buffer is used again and again: what a chunk
 * holds is valid until the next is asked for.
 */
import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { open } from "node:fs/promises";

const CHUNK_BYTES = 1 << 18;
/** How often is looked where the system tells of nothing, in milliseconds. */
const LOOK_MS = 50;

/** Follows `path` until `until` resolves; what is there then is the last. */
export async function* followFile(path: string, until: Promise<unknown>): AsyncGenerator<Buffer> {
  let isOver = false;
  let isChanged = false;
  let wake: () => void = () => undefined;
  const changed = (): void => {
    isChanged = true;
    wake();
  };
  const over = (): void => {
    isOver = true;
    wake();
  };
  void until.then(over, over);
  const file = await open(path, "r");
  const watcher = watching(path, changed);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (;;) {
      // Looked at before the read: what was written before the end is read after it is known.
      const isLast = isOver;
      isChanged = false;
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
        if (bytesRead === 0) break;
        yield buffer.subarray(0, bytesRead);
      }
      if (isLast) return;
      if (isOver || isChanged) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = () => undefined;
    }
  } finally {
    watcher?.close();
    await file.close();
  }
}

function watching(path: string, changed: () => void): FSWatcher | null {
  try {
    const watcher = watch(path, { persistent: false }, changed);
    watcher.on("error", () => watcher.close()); // the slow look goes on
    return watcher;
  } catch {
    return null; // no watch is left for this user (ENOSPC): the slow look does
  }
}
