/** A log on disk as a source of bytes; it may grow while it is read. */
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { ByteSource } from "../excerpt/index.ts";

/** A log that was opened for reading. */
export interface LogSource extends ByteSource {
  close(): Promise<void>;
}

/** Opens a log; rejects with the system's error when it is gone. */
export async function openLog(path: string): Promise<LogSource> {
  const handle: FileHandle = await open(path, "r");
  let buffer = Buffer.allocUnsafe(0);
  return {
    size: async () => (await handle.stat()).size,
    async read(offset, length) {
      if (buffer.length < length) buffer = Buffer.allocUnsafe(length);
      const { bytesRead } = await handle.read(buffer, 0, length, offset);
      return buffer.subarray(0, bytesRead);
    },
    close: () => handle.close(),
  };
}
