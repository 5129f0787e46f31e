/**
 * Logs in UTF-16 with a byte order mark, read as UTF-8, some of it at a time.
 *
 * Theory: in UTF-16 the byte of a line feed is also a half of other characters (U+4E0A, U+040A), so such a log
 * must be read by characters before it can be read by lines. It is cut into pieces of one size, each of which is
 * decoded by itself: a character of two units belongs to the piece that it begins in. The UTF-8 that came before each
 * piece is remembered, so that a place in UTF-8 leads back to its place in the log.
 */

/** The byte orders of UTF-16. */
export type WideEncoding = "utf-16le" | "utf-16be";

/** The bytes of a piece. */
export const WIDE_PIECE: number = 128 << 10;
/** A piece is decoded from so many bytes more: the second unit of its last character. */
export const WIDE_EXTRA = 2;

/** The byte order by the mark at the start of a log (Unicode 23.8); null for other logs. */
export function wideEncodingOf(start: Uint8Array): WideEncoding | null {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  return null;
}

/** The text of a piece, and the offset in the piece at which that begins; an odd byte at the end is U+FFFD. */
export interface WidePiece {
  readonly text: string;
  readonly skipped: number;
}

/**
 * Decodes the piece number `index`.
 *
 * @param bytes Its bytes and `WIDE_EXTRA` more, or what there is of them.
 */
export function decodeWide(bytes: Uint8Array, index: number, encoding: WideEncoding): WidePiece {
  const high = encoding === "utf-16be" ? 0 : 1;
  const isSecond = (at: number): boolean => ((bytes[at + high] ?? 0) & 0xfc) === 0xdc;
  // The mark is no text, and the second unit of a character belongs to the piece before.
  const skipped = index === 0 || isSecond(0) ? 2 : 0;
  const end = bytes.length > WIDE_PIECE && isSecond(WIDE_PIECE) ? WIDE_PIECE + WIDE_EXTRA : WIDE_PIECE;
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(skipped, end));
  return { text, skipped };
}

/** The units of `text` that come before its byte number `bytes` in UTF-8. */
export function unitsBefore(text: string, bytes: number): number {
  let left = bytes;
  let unit = 0;
  while (left > 0 && unit < text.length) {
    const code = text.codePointAt(unit) ?? 0;
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
    unit += code < 0x1_0000 ? 1 : 2;
  }
  return unit;
}
