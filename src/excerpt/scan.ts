/**
 * Reads a log once, in blocks of 1 MiB, and keeps a bounded part of it: everything of a log of up to
 * 4 MiB; of a longer one its start, its end, and the surroundings of lines that may be evidence.
 *
 * Theory: the choice is made in memory over what is kept, so it is the same for small logs and for
 * huge ones. In the middle of a huge log the stems and the patterns of the user find candidate lines;
 * those whose words were seen often enough are only counted. Bounds: 4 MiB kept whole, else 0.75 MiB of
 * ends and 1 MiB of surroundings.
 */
import { Scanner } from "./scanner.ts";
import type { Scan } from "./segment.ts";
import type { ByteSource, LinePattern } from "./types.ts";

const WHOLE = 4 << 20;
// More of them would have left the processor's cache before they are searched.
const READ = 256 << 10;

/** Scans bytes that are in memory. */
export function scanBytes(bytes: Uint8Array, patterns?: readonly LinePattern[]): Scan {
  if (bytes.length <= WHOLE) return whole(bytes, null);
  const scanner = new Scanner(bytes.length, patterns);
  scanner.push(bytes);
  return scanner.finish(null);
}

/** Scans a log. Its size is asked for once: what is appended afterwards is not read. */
export async function scanSource(source: ByteSource, patterns?: readonly LinePattern[]): Promise<Scan> {
  let size: number;
  try {
    size = await source.size();
  } catch (error) {
    return whole(new Uint8Array(0), reason(error));
  }
  // Its tables take megabytes: made only for a log that needs them.
  const scanner = size <= WHOLE ? null : new Scanner(size, patterns);
  const kept = Buffer.allocUnsafe(scanner === null ? size : 0);
  let unread: string | null = null;
  let read = 0;
  while (read < size) {
    let part: Uint8Array;
    try {
      part = await source.read(read, Math.min(READ, size - read));
    } catch (error) {
      unread = reason(error);
      break;
    }
    // Shorter than its size a moment ago: it was truncated. What was read is all there is to tell of.
    if (part.length === 0) break;
    const used = part.subarray(0, size - read);
    if (scanner === null) kept.set(used, read);
    else scanner.push(used);
    read += used.length;
  }
  return scanner === null ? whole(kept.subarray(0, read), unread) : scanner.finish(unread);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function whole(bytes: Uint8Array, unread: string | null): Scan {
  const segments = bytes.length === 0 ? [] : [{ from: 0, bytes, firstLine: 1, startsInside: false }];
  return { totalBytes: bytes.length, totalLines: null, segments, unkept: new Map(), unread };
}
