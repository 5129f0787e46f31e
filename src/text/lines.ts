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

/** `text` with every half of a surrogate pair that stands alone replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}
