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
 * Theory: of a text with one wide character all characters are kept wide, and all of it is decoded slowly. So lines of
 * ASCII, which most are, are decoded apart from others, as many together as follow each other.
 */
export function readLines(bytes: Uint8Array): Lines {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = bytes.length;
  const starts: number[] = [];
  let text: string[] = [];
  let hasControls = false;
  /** Where the lines begin that are to be decoded together, and whether they are wide. */
  let runAt = 0;
  let runIsWide = false;
  let start = 0;
  let isWide = false;
  let i = 0;
  while (i < length) {
    // Four printable characters of ASCII at once. A carry comes out of bytes only that are none.
    while (i + 3 < length) {
      const four = view.getInt32(i, true);
      if (((((four - 0x20202020) & ~four) | four | (four + 0x01010101)) & 0x80808080) !== 0) break;
      i += 4;
    }
    if (i >= length) break;
    const byte = view.getUint8(i++);
    if (byte === LINE_FEED) {
      if (isWide !== runIsWide) {
        text = withLines(text, buffer, runAt, start, runIsWide);
        runAt = start;
        runIsWide = isWide;
      }
      starts.push(start);
      start = i;
      isWide = false;
    } else if (byte > DELETE) {
      isWide = true;
      if (byte === C1 && i < length && (view.getUint8(i) & 0xe0) === 0x80) hasControls = true;
    } else if (byte === DELETE || (byte < SPACE && byte !== TAB)) hasControls = true;
  }
  if (start < length) {
    starts.push(start);
    if (isWide !== runIsWide) {
      text = withLines(text, buffer, runAt, start, runIsWide);
      runAt = start;
      runIsWide = isWide;
    }
  }
  text = withLines(text, buffer, runAt, length, runIsWide);
  if (text[0]?.charCodeAt(0) === 0xfeff) text[0] = text[0].slice(1);
  return { text, starts, hasControls };
}

/** Decodes whole lines that follow each other, and adds them to `text`. */
function withLines(text: string[], bytes: Buffer, from: number, to: number, isWide: boolean): string[] {
  if (from === to) return text;
  const end = bytes[to - 1] === LINE_FEED ? to - 1 : to;
  const lines = (isWide ? bytes.toString("utf8", from, end) : bytes.toString("latin1", from, end)).split("\n");
  // Most logs are one run: its lines need not be copied.
  if (text.length === 0) return lines;
  for (const line of lines) text.push(line);
  return text;
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
