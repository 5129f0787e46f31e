/**
 * The automaton under the token estimate. Byte-pair tokenizers first cut a text into pieces by
 * classes of characters (words with one leading space, up to three digits, runs of punctuation,
 * white space), then cut each piece into tokens. The first cut is a regular language, so it is
 * followed exactly here; the second is learnt: each character adds the mean number of token
 * boundaries that its context had in training. State is a few numbers, whatever the text's size.
 */

import {
  BLANK,
  characterClass,
  DIGIT,
  fold,
  isUpper,
  LETTER,
  MARK,
  markIndex,
  MARKS,
  NEWLINE,
} from "./character-classes.ts";
import {
  BLANK_MIXED,
  BLANK_SPACES,
  BLANK_TABS,
  BLOCK_CONTEXTS,
  BREAKS_CR,
  BREAKS_LF,
  IDEOGRAPHS,
  LENGTH_BUCKET,
  LENGTH_BUCKETS,
  LINE_OTHER,
  LINE_SPACES,
  MEANS,
  PAIR_PLACES,
  pairCell,
  PLACES,
  REPEAT_LETTERS,
  SLOT_BLANK,
  SLOT_BLOCK,
  SLOT_MARK_PAIR,
  SLOT_MARK_REPEAT,
  SLOT_MARK_WORD,
  SLOT_PAIR,
  SLOT_WORD,
  TOKEN_UNIT,
  type TokenTables,
} from "./token-slots.ts";

/** No piece has begun, or the last one can't be continued. */
const NONE = 5;

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
    const kind = characterClass(c);
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
      this.#inner(SLOT_MARK_PAIR + markIndex(this.#last) * MARKS + markIndex(c));
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
    const type =
      this.#blankType === BLANK_MIXED
        ? BLANK_MIXED
        : (this.#blankType === BLANK_SPACES ? LINE_SPACES : LINE_OTHER) + (this.#lineUnits > 0 ? 1 : 0);
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
    const row = this.#repeat < 3 ? -1 : c < 128 ? markIndex(c) : this.#tables.repeated(c);
    if (row >= 0)
      this.#inner(SLOT_MARK_REPEAT + row * LENGTH_BUCKETS + (LENGTH_BUCKET[Math.min(this.#repeat, 257)] ?? 0));
    else if (c >= 128) this.#inner(this.#blockSlot(c, lead, continues));
    else if (continues || lead) {
      this.#inner(SLOT_MARK_PAIR + markIndex(this.#last) * MARKS + markIndex(c));
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
      else this.#inner(SLOT_MARK_WORD + markIndex(last));
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
