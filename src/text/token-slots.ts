/**
 * How the learnt means of the token estimate are laid out: one list of slots, a stretch of it for each
 * kind of context. The automaton reads it, the trainer fills it.
 */
import { MARKS } from "./character-classes.ts";

/** One token in the unit of the tables' entries. */
export const TOKEN_UNIT = 256;

/** From here on (radicals, kana, ideographs, syllables) pairs are too many to be learnt: each block has its means. */
export const IDEOGRAPHS = 0x2e80;

/** Kinds of white space, each a row of LENGTH_BUCKETS. */
const BLANK_TYPES = 9;
export const BLANK_SPACES = 0;
export const BLANK_TABS = 1;
export const BLANK_MIXED = 2;
export const BREAKS_LF = 3;
export const BREAKS_CR = 4;
/** A blank line: its spaces (or other blanks) and line feed, the first of a piece and the ones after it. */
export const LINE_SPACES = 5;
export const LINE_OTHER = 7;
/** The longest length of each bucket but the last, which is for all above. */
export const LENGTH_LIMITS: readonly number[] = [
  1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 256,
];
export const LENGTH_BUCKETS = 21;
/** Rows of repetitions: the marks, the ASCII letters, then characters beyond ASCII. */
export const REPEAT_LETTERS: number = MARKS;
export const REPEAT_OTHERS: number = REPEAT_LETTERS + 52;
/** Characters beyond ASCII whose repetition costs little, `─` and such: at most so many. */
export const REPEATED_MARKS = 40;
/** Contexts of one block of 64 characters beyond ASCII. */
export const BLOCK_CONTEXTS = 10;
/** Levels of the first table, of the running mean, of the place in a word. */
export const LEVELS = 16;
export const MEANS = 8;
export const PLACES = 12;
export const PAIR_PLACES = 5;
/** Cells of the table of pairs of letters beyond ASCII, which are found by a hash. */
export const PAIR_CELLS = 16_384;

/** Where each table starts in the list of slots. */
export const SLOT_WORD = 0;
export const SLOT_MARK_PAIR: number = SLOT_WORD + LEVELS * MEANS * PLACES;
export const SLOT_MARK_REPEAT: number = SLOT_MARK_PAIR + MARKS * MARKS;
export const SLOT_MARK_WORD: number = SLOT_MARK_REPEAT + (REPEAT_OTHERS + REPEATED_MARKS) * LENGTH_BUCKETS;
export const SLOT_BLANK: number = SLOT_MARK_WORD + MARKS;
export const SLOT_PAIR: number = SLOT_BLANK + BLANK_TYPES * LENGTH_BUCKETS;
export const SLOT_BLOCK: number = SLOT_PAIR + LEVELS * MEANS * PAIR_PLACES;

/** The bucket of a length from 1 to 257; the last one is for all above 256. */
export const LENGTH_BUCKET: Uint8Array = Uint8Array.from({ length: 258 }, (_, n) => {
  const index = LENGTH_LIMITS.findIndex((limit) => n <= limit);
  return index < 0 ? LENGTH_LIMITS.length : index;
});

/** The cell of two letters, one of them beyond ASCII. */
export function pairCell(last: number, c: number): number {
  return ((last * 0x9e5 + c * 0x1d) ^ (c >> 5)) & (PAIR_CELLS - 1);
}

/** The learnt tables of one tokenizer. */
export interface TokenTables {
  /** Mean boundaries by slot, in units of 1/TOKEN_UNIT. */
  readonly slots: Uint16Array;
  /** The level of three letters (the first may be 26, none), 27 × 26 × 26. */
  readonly lower: Uint8Array;
  /** The level of two capital letters, 26 × 26. */
  readonly upper: Uint8Array;
  /** The level of two letters, at least one of them beyond ASCII, by `pairCell`; 0 is a pair that was never seen. */
  readonly pairs: Uint8Array;
  /** The row of repetitions of a character beyond ASCII, or -1. */
  repeated(c: number): number;
  /** The row of a block of 64 characters. */
  block(block: number): number;
}
