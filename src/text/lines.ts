/**
 * Bytes to lines of valid text. A byte that belongs to no character becomes U+FFFD, which never eats
 * the line feed behind it, so the lines of the text are the lines of the bytes.
 *
 * UTF-16 with a byte order mark is read as such. In it a line feed is two bytes; the lines are still
 * those between the bytes 0x0A, which is how the log is counted everywhere else.
 */

/** How a log's bytes are to be read. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** Tells the encoding by the byte order mark at the start of a log; UTF-8 when there is none. */
export function encodingOf(start: Uint8Array): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  return "utf-8";
}

/**
 * The lines of `bytes`, without their line feeds, as well-formed strings. Bytes behind the last line
 * feed are a line too; nothing behind it is none.
 */
export function decodeLines(bytes: Uint8Array, encoding: Encoding = "utf-8"): string[] {
  if (encoding !== "utf-8") return decodeWide(bytes, encoding);
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8").split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines[0]?.charCodeAt(0) === 0xfeff) lines[0] = lines[0].slice(1);
  return lines;
}

function decodeWide(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): string[] {
  const decoder = new TextDecoder(encoding);
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    let to = end < 0 ? bytes.length : end;
    const next = to + 1;
    // The other half of the line feed: behind it in little endian, before it in big endian.
    if (encoding === "utf-16le" && from > 0 && bytes[from] === 0) from++;
    if (encoding === "utf-16be" && end >= 0 && to > from && bytes[to - 1] === 0) to--;
    // The rest of the last line feed is no line.
    if (end < 0 && from >= to && lines.length > 0) break;
    lines.push(wellFormed(decoder.decode(bytes.subarray(from, Math.max(from, to)))));
    from = next;
  }
  return lines;
}

/** `text` with every half of a surrogate pair that stands alone replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}
