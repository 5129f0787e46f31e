/**
 * Classes of characters as byte-pair tokenizers tell them apart: letters, digits, white space, and
 * everything else, which is called a mark here.
 */

export const LETTER = 0;
export const DIGIT = 1;
export const MARK = 2;
export const BLANK = 3;
export const NEWLINE = 4;

/** The size of the alphabet of marks: the ASCII ones, those below, and one for all others. */
export const MARKS = 38;
const MARK_SPACE = 32;
const MARK_LF = 33;
const MARK_CR = 34;
const MARK_ESC = 35;
const MARK_CONTROL = 36;
const MARK_OTHER = 37;

const ASCII_CLASS: Uint8Array = Uint8Array.from({ length: 128 }, (_, c) => {
  if ((c >= 65 && c <= 90) || (c >= 97 && c <= 122)) return LETTER;
  if (c >= 48 && c <= 57) return DIGIT;
  if (c === 10 || c === 13) return NEWLINE;
  return c === 32 || c === 9 || c === 11 || c === 12 ? BLANK : MARK;
});

const MARK_INDEX: Uint8Array = Uint8Array.from({ length: 128 }, (_, c) => {
  if (c >= 33 && c <= 47) return c - 33;
  if (c >= 58 && c <= 64) return c - 58 + 15;
  if (c >= 91 && c <= 96) return c - 91 + 22;
  if (c >= 123 && c <= 126) return c - 123 + 28;
  if (c === 32) return MARK_SPACE;
  if (c === 10) return MARK_LF;
  if (c === 13) return MARK_CR;
  return c === 27 ? MARK_ESC : MARK_CONTROL;
});

/** Characters beyond ASCII that are no letters: from, to (inclusive), in order. The rest counts as letters. */
const SYMBOL_RANGES: readonly number[] = [
  0x80, 0xa9, 0xab, 0xb4, 0xb6, 0xb9, 0xbb, 0xbf, 0xd7, 0xd7, 0xf7, 0xf7, 0x2c2, 0x2c5, 0x60c, 0x60d, 0x61b, 0x61f,
  0x66a, 0x66d, 0x6d4, 0x6d4, 0x964, 0x965, 0xe3f, 0xe3f, 0x104a, 0x104f, 0x17d4, 0x17d6, 0x2000, 0x2070, 0x207a,
  0x207e, 0x20a0, 0x20cf, 0x2190, 0x2bff, 0x3000, 0x3004, 0x3008, 0x3020, 0x3030, 0x3030, 0x30fb, 0x30fb, 0xe000,
  0xf8ff, 0xfe10, 0xfe1f, 0xfe30, 0xfe6f, 0xff00, 0xff20, 0xff3b, 0xff40, 0xff5b, 0xff65, 0xffe0, 0xffff, 0x1f000,
  0x1faff,
];

/** One bit per character of the basic plane: whether it is a symbol. */
const SYMBOLS: Uint8Array = symbolBits();

function symbolBits(): Uint8Array {
  const bits = new Uint8Array(0x10000 / 8);
  for (let i = 0; i + 1 < SYMBOL_RANGES.length; i += 2) {
    const last = Math.min(SYMBOL_RANGES[i + 1] ?? 0, 0xffff);
    for (let c = SYMBOL_RANGES[i] ?? 0; c <= last; c += 1) bits[c >> 3] = (bits[c >> 3] ?? 0) | (1 << (c & 7));
  }
  return bits;
}

function isSymbol(c: number): boolean {
  return c < 0x10000 ? ((SYMBOLS[c >> 3] ?? 0) & (1 << (c & 7))) !== 0 : c >= 0x1f000 && c <= 0x1faff;
}

/** The class of a character. */
export function characterClass(c: number): number {
  if (c < 128) return ASCII_CLASS[c] ?? MARK;
  return isSymbol(c) ? MARK : LETTER;
}

/** A mark's place in the alphabet of marks, 0 to MARKS - 1. */
export function markIndex(c: number): number {
  return c < 128 ? (MARK_INDEX[c] ?? MARK_CONTROL) : MARK_OTHER;
}

/** Whether it is one of A to Z. */
export function isUpper(c: number): boolean {
  return c >= 65 && c <= 90;
}

/** 0 to 25 of an ASCII letter of either case. */
export function fold(c: number): number {
  return (c | 32) - 97;
}
