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

/** Lines of UTF-8, and where they stand. */
export interface Lines {
  /** Without their line feeds, well-formed. */
  readonly text: string[];
  /** Where each of them starts in the bytes. */
  readonly starts: readonly number[];
  /** Whether a terminal would carry out any of it instead of showing it (see `hasControls`). */
  readonly hasControls: boolean;
}

/**
 * The lines of `bytes`, without their line feeds, as well-formed strings. Bytes behind the last line
 * feed are a line too; nothing behind it is none.
 */
export function decodeLines(bytes: Uint8Array, encoding: Encoding = "utf-8"): string[] {
  return encoding === "utf-8" ? readLines(bytes).text : decodeWide(bytes, encoding);
}

const LINE_FEED = 10;
const TAB = 9;
const SPACE = 32;
const DELETE = 127;
// The first byte in UTF-8 of U+0080 to U+009F, which are control characters.
const C1 = 0xc2;

/**
 * The lines of UTF-8 and where they start, in one look at the bytes.
 *
 * Theory: of a text with one wide character all characters are kept wide, and all of it is decoded slowly. Most lines are
 * ASCII: so all are decoded together as if they were, and those with wide characters by themselves once more.
 */
export function readLines(bytes: Uint8Array): Lines {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = bytes.length;
  const starts: number[] = [];
  const wide: number[] = [];
  let hasControls = false;
  let start = 0;
  let isWide = false;
  let i = 0;
  while (i < length) {
    // Four printable characters of ASCII at once. A carry comes out of bytes only that are none, and the first of these is right.
    while (i + 3 < length) {
      const four = view.getInt32(i, true);
      const others = (((four - 0x20202020) & ~four) | four | (four + 0x01010101)) & 0x80808080;
      if (others !== 0) {
        i += (31 - Math.clz32(others & -others)) >>> 3;
        break;
      }
      i += 4;
    }
    if (i >= length) break;
    const byte = view.getUint8(i++);
    if (byte === LINE_FEED) {
      if (isWide) wide.push(starts.length);
      starts.push(start);
      start = i;
      isWide = false;
    } else if (byte > DELETE) {
      isWide = true;
      if (byte === C1 && i < length && (view.getUint8(i) & 0xe0) === 0x80) hasControls = true;
    } else if (byte === DELETE || (byte < SPACE && byte !== TAB)) hasControls = true;
  }
  if (start < length) {
    if (isWide) wide.push(starts.length);
    starts.push(start);
  }
  const end = length > 0 && view.getUint8(length - 1) === LINE_FEED ? length - 1 : length;
  const text = length === 0 ? [] : buffer.toString("latin1", 0, end).split("\n");
  for (const line of wide) text[line] = buffer.toString("utf8", starts[line], (starts[line + 1] ?? end + 1) - 1);
  if (text[0]?.charCodeAt(0) === 0xfeff) text[0] = text[0].slice(1);
  return { text, starts, hasControls };
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
