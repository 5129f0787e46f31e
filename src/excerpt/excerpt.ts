/** Head and tail inside the limits: the floor that every better choice stands on. */
import type { ByteSource, Excerpt, ExcerptRequest } from "./types.ts";

/** Chooses what to show of a log. */
export async function excerpt(source: ByteSource, request: ExcerptRequest): Promise<Excerpt> {
  const size = await source.size();
  const parts: Uint8Array[] = [];
  for (let at = 0; at < size; ) {
    const part = await source.read(at, 1 << 20);
    if (part.length === 0) break;
    parts.push(Uint8Array.from(part));
    at += part.length;
  }
  return excerptOfBytes(Buffer.concat(parts), request);
}

/** The same for bytes that are in memory. */
export function excerptOfBytes(bytes: Uint8Array, request: ExcerptRequest): Excerpt {
  const text = new TextDecoder().decode(bytes);
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const shown = lines.length <= request.limits.maxLines ? lines : lines.slice(-request.limits.maxLines);
  return {
    text: shown.join("\n"),
    truncated: shown.length < lines.length,
    totalBytes: bytes.length,
    totalLines: lines.length,
    shownLines: shown.length,
    tokens: Math.ceil(bytes.length / 4),
    ranges: [],
  };
}
