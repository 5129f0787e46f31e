/** A part of a log as an answer: the bytes, cut where lines and characters end, and their account as plain text. */
import { open } from "node:fs/promises";
import type { LogSlice, RunView } from "../model/index.ts";
import { plainText } from "../text/index.ts";

/** The bytes of a log from an offset to another; fewer where it has become shorter. */
export async function bytesBetween(path: string, from: number, to: number): Promise<Buffer> {
  const handle = await open(path, "r");
  try {
    const buffer = Buffer.alloc(to - from);
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

/** What is said of bytes that begin at `from` of a log of `size` bytes. */
export function sliceOf(view: RunView, size: number, from: number, bytes: Buffer): Omit<LogSlice, "truncated"> {
  const text = plainText(bytes.toString("utf8"));
  return {
    id: view.id,
    path: view.log.path,
    from,
    to: from + bytes.length,
    bytes: size,
    lines: countLines(text),
    text,
  };
}

/** Where the first whole line of a cut begins; of a line that fills it all, the first whole character. */
export function wholeFrom(bytes: Buffer): number {
  const at = bytes.indexOf(10) + 1;
  if (at > 0 && at < bytes.length) return at;
  let begin = 0;
  while (begin < 3 && begin < bytes.length && isContinuation(bytes[begin])) begin += 1;
  return begin;
}

/** Where the last whole line of a cut ends; of a line that fills it all, the last whole character. */
export function wholeTo(bytes: Buffer): number {
  const { length: filled } = bytes;
  const at = bytes.lastIndexOf(10) + 1;
  if (at > 0) return at;
  let lead = filled - 1;
  while (lead > 0 && filled - lead < 4 && isContinuation(bytes[lead])) lead -= 1;
  const byte = bytes[lead] ?? 0;
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return lead > 0 && lead + length > filled ? lead : filled;
}

/** A byte that goes on with a character of UTF-8 (RFC 3629). */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function countLines(text: string): number {
  if (text === "") return 0;
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return text.endsWith("\n") ? lines : lines + 1;
}
