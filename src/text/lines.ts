/**
 * Bytes to lines of valid text. A byte that belongs to no character becomes U+FFFD, which never eats
 * the line feed behind it, so the lines of the text are the lines of the bytes.
 */

/** Lines of UTF-8, and where they stand. */
export interface Lines {
  /** Without their line feeds, well-formed. */
  readonly text: string[];
  /** Where each of them starts in the bytes. */
  readonly starts: readonly number[];
  /** Whether a terminal would carry out any of it instead of showing it (see `hasControls`). */
  readonly hasControls: boolean;
}

const LINE_FEED = 10;
const TAB = 9;
const SPACE = 32;
const DELETE = 127;
// The first byte in UTF-8 of U+0080 to U+009F, which are control characters.
const C1 = 0xc2;

/**
 * The lines of UTF-8 and where they start, in one look at the bytes. Bytes behind the last line feed are a line
 * too; nothing behind it is none.
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

/** `text` with every half of a surrogate pair that stands alone replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}
