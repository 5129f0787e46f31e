/** A log on disk as a source of bytes; it may grow while it is read. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { ByteSource } from "../excerpt/index.ts";

/** A log that was opened for reading. */
export interface LogSource extends ByteSource {
  close(): Promise<void>;
}

/**
 * Opens a log; rejects with the system's error when it is gone. Reads are synchronous underneath: a log
 * lies in the page cache, and a turn through the thread pool costs more than the read.
 */
export async function openLog(path: string): Promise<LogSource> {
  const fd = openSync(path, "r");
  let buffer = Buffer.allocUnsafe(0);
  let isOpen = true;
  return {
    size: async () => fstatSync(fd).size,
    async read(offset, length) {
      if (buffer.length < length) buffer = Buffer.allocUnsafe(length);
      return buffer.subarray(0, readSync(fd, buffer, 0, length, offset));
    },
    async close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}
