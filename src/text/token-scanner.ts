/**
 * The automaton under the token estimate. Byte-pair tokenizers first cut a text into pieces by
 * classes of characters (words with one leading space, up to three digits, runs of punctuation,
 * white space), then cut each piece into tokens. The first cut is a regular language, so it is
 * followed exactly here; the second is learnt: each character adds the mean number of token
 * boundaries that its context had in training. State is a few numbers, whatever the text's size.
 */

/** One token in the unit of the tables' entries. */
export const TOKEN_UNIT = 256;

const LETTER = 0;
const DIGIT = 1;
const MARK = 2;
const BLANK = 3;
const NEWLINE = 4;
/** No piece has begun, or the last one can't be continued. */
const NONE = 5;

/** The size of the alphabet of `markIndex`. */
const MARKS = 38;
/** From here on (radicals, kana, ideographs, syllables) pairs are too many to be learnt: each block has its means. */
export const IDEOGRAPHS = 0x2e80;

const MARK_SPACE = 32;
const MARK_LF = 33;
const MARK_CR = 34;
const MARK_ESC = 35;
const MARK_CONTROL = 36;
const MARK_OTHER = 37;

/** The classes of white space, and of the lengths of repeated characters. */
const BLANK_TYPES = 9;
const BLANK_SPACES = 0;
const BLANK_TABS = 1;
const BLANK_MIXED = 2;
const BREAKS_LF = 3;
const BREAKS_CR = 4;
/** A blank line: its spaces (or other blanks) and line feed, the first of a piece and the ones after it. */
const LINE_SPACES = 5;
const LINE_OTHER = 7;
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
const SLOT_WORD = 0;
export const SLOT_MARK_PAIR: number = SLOT_WORD + LEVELS * MEANS * PLACES;
export const SLOT_MARK_REPEAT: number = SLOT_MARK_PAIR + MARKS * MARKS;
export const SLOT_MARK_WORD: number = SLOT_MARK_REPEAT + (REPEAT_OTHERS + REPEATED_MARKS) * LENGTH_BUCKETS;
export const SLOT_BLANK: number = SLOT_MARK_WORD + MARKS;
export const SLOT_PAIR: number = SLOT_BLANK + BLANK_TYPES * LENGTH_BUCKETS;
export const SLOT_BLOCK: number = SLOT_PAIR + LEVELS * MEANS * PAIR_PLACES;

const CLASS: Uint8Array = Uint8Array.from({ length: 128 }, (_, c) => {
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

/** The bucket of a length from 1 to 257; the last one is for all above 256. */
const LENGTH_BUCKET: Uint8Array = Uint8Array.from({ length: 258 }, (_, n) => {
  const index = LENGTH_LIMITS.findIndex((limit) => n <= limit);
  return index < 0 ? LENGTH_LIMITS.length : index;
});

/** The cell of two letters, one of them beyond ASCII. */
export function pairCell(last: number, c: number): number {
  return ((last * 0x9e5 + c * 0x1d) ^ (c >> 5)) & (PAIR_CELLS - 1);
}

/** Characters beyond ASCII that are no letters: from, to (inclusive), in order. The rest counts as letters. */
const SYMBOL_RANGES: readonly number[] = [
  0x80, 0xa9, 0xab, 0xb4, 0xb6, 0xb9, 0xbb, 0xbf, 0xd7, 0xd7, 0xf7, 0xf7, 0x2c2, 0x2c5, 0x60c, 0x60d, 0x61b, 0x61f,
  0x66a, 0x66d, 0x6d4, 0x6d4, 0x964, 0x965, 0xe3f, 0xe3f, 0x104a, 0x104f, 0x17d4, 0x17d6, 0x2000, 0x2070, 0x207a,
  0x207e, 0x20a0, 0x20cf, 0x2190, 0x2bff, 0x3000, 0x3004, 0x3008, 0x3020, 0x3030, 0x3030, 0x30fb, 0x30fb, 0xe000,
  0xf8ff, 0xfe10, 0xfe1f, 0xfe30, 0xfe6f, 0xff00, 0xff20, 0xff3b, 0xff40, 0xff5b, 0xff65, 0xffe0, 0xffff, 0x1f000, 0x1faff,
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

/** Told of each slot that is added, while tables are trained. */
export type SlotListener = (slot: number) => void;

/** Follows a text character by character and sums up its tokens. */
export class TokenScanner {
  readonly #tables: TokenTables;
  readonly #listener: SlotListener | null;
  #sum = 0;
  /** The kind of the open piece; NEWLINE never. */
  #piece = NONE;
  /** Characters in the open piece; digits count from 1 to 3. */
  #length = 0;
  /** The last two characters of the open piece; 0 is none. */
  #last = 0;
  #beforeLast = 0;
  /** How often the last character has stood in a row. */
  #repeat = 0;
  /** Whether a piece of punctuation has come to its newlines. */
  #tail = false;
  /** Running mean of the first table over the letters: how unlike words the text is. In 1/16 of a level. */
  #mean = 0;
  /** White space not yet counted: the units of its blank lines, then line breaks in a row, then blanks. */
  #lineUnits = 0;
  #breaks = 0;
  #breakType = BREAKS_LF;
  #blanks = 0;
  #blankType = BLANK_SPACES;
  #lastBlank = 0;

  constructor(tables: TokenTables, listener: SlotListener | null = null) {
    this.#tables = tables;
    this.#listener = listener;
  }

  /** The tokens so far, in units of 1/TOKEN_UNIT, what is pending included. */
  get units(): number {
    return this.#sum + this.#breakUnits() + (this.#blanks > 0 ? this.#blankUnits(this.#blankType, this.#blanks) : 0);
  }

  /** Takes the next character. */
  step(c: number): void {
    const kind = c < 128 ? (CLASS[c] ?? MARK) : isSymbol(c) ? MARK : LETTER;
    if (kind >= BLANK) {
      this.#blank(c, kind);
      return;
    }
    const lead = this.#piece === BLANK ? this.#endBlank(kind) : false;
    if (kind === LETTER) this.#letter(c, lead);
    else if (kind === DIGIT) this.#digit();
    else this.#mark(c, lead);
  }

  #blank(c: number, kind: number): void {
    if (this.#piece === MARK && kind === NEWLINE) {
      // Punctuation takes the newlines after it into its piece.
      this.#inner(SLOT_MARK_PAIR + this.#markOf(this.#last) * MARKS + this.#markOf(c));
      this.#tail = true;
      this.#push(c);
      return;
    }
    this.#piece = BLANK;
    if (kind === NEWLINE) {
      if (this.#blanks > 0) this.#endBlankLine();
      this.#breaks += 1;
      if (c === 13) this.#breakType = BREAKS_CR;
      return;
    }
    const type = c === 32 ? BLANK_SPACES : BLANK_TABS;
    this.#blankType = this.#blanks === 0 || this.#blankType === type ? type : BLANK_MIXED;
    this.#blanks += 1;
    this.#lastBlank = c;
  }

  /** Blanks that a line break follows: with it they are a blank line, one of several in a piece. */
  #endBlankLine(): void {
    this.#lineUnits = this.#breakUnits();
    const type = this.#blankType === BLANK_MIXED ? BLANK_MIXED : (this.#blankType === BLANK_SPACES ? LINE_SPACES : LINE_OTHER) + (this.#lineUnits > 0 ? 1 : 0);
    // Blanks of several kinds hardly ever stand in one token with the break after them.
    this.#lineUnits += this.#blankUnits(type, this.#blanks) + (type === BLANK_MIXED ? 1.5 * TOKEN_UNIT : 0);
    this.#breaks = -1; // the break that is about to be counted is this line's own
    this.#blanks = 0;
  }

  /** What the pending white space costs up to its last line break. */
  #breakUnits(): number {
    if (this.#breaks <= 0) return this.#lineUnits;
    // After a blank line the first break is a part of it.
    return this.#lineUnits === 0
      ? this.#blankUnits(this.#breakType, this.#breaks)
      : this.#lineUnits + this.#blankUnits(this.#breakType, this.#breaks + 1) - TOKEN_UNIT;
  }

  /** Counts the pending white space before a character of `kind`; true when its last one opens that character's piece. */
  #endBlank(kind: number): boolean {
    this.#sum += this.#breakUnits();
    let lead = false;
    if (this.#blanks > 0) {
      lead = kind === LETTER || (kind === MARK && this.#lastBlank === 32);
      if (this.#blanks > 1) this.#sum += this.#blankUnits(this.#blankType, this.#blanks - 1);
      if (!lead) this.#sum += TOKEN_UNIT;
    }
    this.#lineUnits = 0;
    this.#breaks = 0;
    this.#breakType = BREAKS_LF;
    this.#blanks = 0;
    this.#piece = NONE;
    return lead;
  }

  #blankUnits(type: number, length: number): number {
    const bucket = LENGTH_BUCKET[Math.min(length, 257)] ?? 0;
    const units = this.#tables.slots[SLOT_BLANK + type * LENGTH_BUCKETS + bucket] ?? TOKEN_UNIT;
    // The last bucket holds the tokens of 256 in a row.
    return length <= 256 ? units : Math.round((units * length) / 256);
  }

  #digit(): void {
    if (this.#piece === DIGIT && this.#length < 3) {
      this.#length += 1;
      return;
    }
    this.#open(DIGIT);
    this.#length = 1;
  }

  #mark(c: number, lead: boolean): void {
    const continues = this.#piece === MARK && !lead && (!this.#tail || c === 47);
    if (!continues) {
      this.#open(MARK);
      this.#tail = false;
      if (lead) this.#push(32);
    }
    this.#repeat = c === this.#last && continues ? this.#repeat + 1 : 1;
    const row = this.#repeat < 3 ? -1 : c < 128 ? this.#markOf(c) : this.#tables.repeated(c);
    if (row >= 0) this.#inner(SLOT_MARK_REPEAT + row * LENGTH_BUCKETS + (LENGTH_BUCKET[Math.min(this.#repeat, 257)] ?? 0));
    else if (c >= 128) this.#inner(this.#blockSlot(c, lead, continues));
    else if (continues || lead) {
      this.#inner(SLOT_MARK_PAIR + this.#markOf(this.#last) * MARKS + this.#markOf(c));
    }
    this.#push(c);
  }

  #letter(c: number, lead: boolean): void {
    const last = this.#last;
    if (this.#piece === LETTER && !lead && !(isUpper(c) && !isUpper(last) && last < 128)) {
      this.#insideWord(c, last);
    } else if (this.#piece === MARK && !lead && this.#length === 1 && !this.#tail) {
      // One character of punctuation opens the word after it: "(word".
      this.#piece = LETTER;
      if (c >= 128) this.#inner(this.#blockSlot(c, false, false));
      else this.#inner(SLOT_MARK_WORD + this.#markOf(last));
      this.#length = 0;
      this.#beforeLast = 0;
      this.#repeat = 1;
    } else {
      this.#open(LETTER);
      if (c >= 128) this.#inner(this.#blockSlot(c, lead, false));
    }
    this.#push(c);
  }

  #insideWord(c: number, last: number): void {
    if (c >= 128 || last >= 128) {
      const pair = c >= IDEOGRAPHS || last >= IDEOGRAPHS ? 0 : (this.#tables.pairs[pairCell(last, c)] ?? 0);
      if (pair === 0) {
        this.#inner(this.#blockSlot(c, false, true));
        return;
      }
      // Pairs teach their block too: it stands in where a pair was never seen.
      if (this.#listener !== null) this.#listener(this.#blockSlot(c, false, true));
      const place = Math.min(this.#length, PAIR_PLACES) - 1;
      this.#inner(SLOT_PAIR + (pair * MEANS + (this.#mean >> 5)) * PAIR_PLACES + place);
      this.#mean += (pair * 16 + 8 - this.#mean) >> 3;
      return;
    }
    this.#repeat = c === last ? this.#repeat + 1 : 1;
    if (this.#repeat >= 4) {
      const row = REPEAT_LETTERS + fold(c) + (isUpper(c) ? 26 : 0);
      this.#inner(SLOT_MARK_REPEAT + row * LENGTH_BUCKETS + (LENGTH_BUCKET[Math.min(this.#repeat, 257)] ?? 0));
      return;
    }
    const before = this.#length >= 2 && this.#beforeLast < 128 ? fold(this.#beforeLast) : 26;
    const level =
      isUpper(c) && isUpper(last)
        ? (this.#tables.upper[fold(last) * 26 + fold(c)] ?? 0)
        : (this.#tables.lower[(before * 26 + fold(last)) * 26 + fold(c)] ?? 0);
    const place = Math.min(this.#length, 6) - 1 + (isUpper(last) ? 6 : 0);
    this.#inner(SLOT_WORD + (level * MEANS + (this.#mean >> 5)) * PLACES + place);
    // A mean over about eight letters, in 1/16 of a level: 0 to 255.
    this.#mean += (level * 16 + 8 - this.#mean) >> 3;
  }

  /** The slot of a character beyond ASCII, or of a letter after one. */
  #blockSlot(c: number, lead: boolean, continues: boolean): number {
    const block = c >> 6;
    let context: number;
    if (!continues) context = lead ? 1 : 0;
    else if (c === this.#last) context = this.#beforeLast === c ? 3 : 2;
    else if (block !== this.#last >> 6) context = 4;
    else context = 4 + Math.min(this.#length, 5);
    return SLOT_BLOCK + this.#tables.block(block) * BLOCK_CONTEXTS + context;
  }

  #markOf(c: number): number {
    return c < 128 ? (MARK_INDEX[c] ?? MARK_CONTROL) : MARK_OTHER;
  }

  #open(piece: number): void {
    this.#sum += TOKEN_UNIT;
    this.#piece = piece;
    this.#length = 0;
    this.#last = 0;
    this.#beforeLast = 0;
    this.#repeat = 1;
  }

  #push(c: number): void {
    this.#length += 1;
    this.#beforeLast = this.#last;
    this.#last = c;
  }

  #inner(slot: number): void {
    this.#sum += this.#tables.slots[slot] ?? 0;
    if (this.#listener !== null) this.#listener(slot);
  }
}

function isUpper(c: number): boolean {
  return c >= 65 && c <= 90;
}

/** 0 to 25 of an ASCII letter of either case. */
function fold(c: number): number {
  return (c | 32) - 97;
}
