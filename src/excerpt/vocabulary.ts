/**
 * Shapes of lines: kinds that differ in rare words only have one shape.
 *
 * Theory: a flood is many lines that say the same of different things. Names that are written like words are
 * found by counting: a word that hardly any line has is a name. Counts are halved from time to time, so that
 * the words of today decide.
 */
import { isCode, KEYED } from "./kinds.ts";

/** Bits of the places in a table of words: room for those of a huge log. */
const MOST_BITS = 17;
// So many lines later the counts of words are halved.
const AGE = 8192;
const COMMON_LEAST = 4;
const NAME_HASH = 0x5bd1e995;

/**
 * A word that a smaller part of the lines has is a name. The larger the share, the more lines are of one
 * shape: shapes by a larger one are unions of those by a smaller one.
 */
export const NAME_SHARES: readonly number[] = [1 / 64, 1 / 16, 1 / 4];

/** The shape of a line: the words that many lines have, in order, and where others stand between them. */
export interface Shape {
  /** Never 0. */
  readonly hash: number;
  /** How many common words it has: with few of them it says little. */
  readonly common: number;
}

/** The words of a line: numbers for its words of letters and its codes, those of paths left out. */
export interface Words {
  readonly numbers: Int32Array;
  length: number;
}

/** Room for the words of one line. */
export function roomForWords(): Words {
  return { numbers: new Int32Array(KEYED), length: 0 };
}

/** Reads the words of a line into `words`. */
export function readWords(words: Words, bytes: Uint8Array, from: number, end: number): void {
  const to = Math.min(end, from + KEYED);
  const { numbers } = words;
  let count = 0;
  let word = 0;
  let capitals = 0;
  let digits = 0;
  let others = 0;
  for (let i = from; i <= to; i++) {
    const byte = i < to ? (bytes[i] ?? 0) : 32;
    if (byte >= 48 && byte <= 57) digits++;
    else if (byte >= 65 && byte <= 90 && digits === 0) capitals++;
    else if (isLetter(byte)) others++;
    else {
      // What lies behind the line is none of its bytes.
      const next = i + 1 < end ? (bytes[i + 1] ?? 0) : 0;
      const isPath = byte === 47 || byte === 92 || ((byte === 46 || byte === 95) && isLetter(next));
      if (isPath) while (i + 1 < to && isOfPath(bytes[i + 1] ?? 0)) i++;
      else if (digits === 0 ? capitals + others > 1 : isCode(capitals, digits, capitals + digits + others))
        numbers[count++] = Math.imul(word, 0x9e3779b1);
      word = 0;
      capitals = 0;
      digits = 0;
      others = 0;
      continue;
    }
    word = (Math.imul(word, 31) + (byte | 32)) | 0;
  }
  words.length = count;
}

/** Counts words, and tells shapes by them. Of words that share a place in the table the most frequent has it. */
export class Vocabulary {
  readonly #count: Uint16Array;
  readonly #word: Int32Array;
  readonly #shift: number;
  readonly #age: number;
  #lines = 0;

  /** @param lines How many lines there are at most; after `AGE` of more the counts are halved. */
  constructor(lines: number = Number.POSITIVE_INFINITY) {
    const bits = Math.min(MOST_BITS, Math.ceil(Math.log2(lines * 8)));
    this.#count = new Uint16Array(1 << bits);
    this.#word = new Int32Array(1 << bits);
    this.#shift = 32 - bits;
    this.#age = lines === Number.POSITIVE_INFINITY ? AGE : Number.POSITIVE_INFINITY;
  }

  /** Counts the words of a line. */
  learn({ numbers, length }: Words): void {
    for (let i = 0; i < length; i++) {
      const word = numbers[i] ?? 0;
      const place = word >>> this.#shift;
      const count = this.#count[place] ?? 0;
      if (count === 0) this.#word[place] = word;
      if (this.#word[place] !== word) this.#count[place] = count - 1;
      else if (count < 0xffff) this.#count[place] = count + 1;
    }
    if (++this.#lines < this.#age) return;
    this.#lines >>= 1;
    for (let i = 0; i < this.#count.length; i++) this.#count[i] = (this.#count[i] ?? 0) >> 1;
  }

  /** The shape of a line by the words that were counted up to now; `share` is one of `NAME_SHARES`. */
  shapeOf({ numbers, length }: Words, share: number): Shape {
    const least = Math.max(COMMON_LEAST, this.#lines * share);
    let hash = 7;
    let common = 0;
    let isName = false;
    for (let i = 0; i < length; i++) {
      const word = numbers[i] ?? 0;
      const place = word >>> this.#shift;
      if (this.#word[place] === word && (this.#count[place] ?? 0) >= least) {
        hash = (Math.imul(hash, 31) + word) | 0;
        common++;
        isName = false;
      } else if (!isName) {
        hash = (Math.imul(hash, 31) ^ NAME_HASH) | 0;
        isName = true;
      }
    }
    return { hash: hash === 0 ? 1 : hash, common };
  }
}

function isLetter(byte: number): boolean {
  return ((byte | 32) >= 97 && (byte | 32) <= 122) || byte >= 128;
}

function isOfPath(byte: number): boolean {
  return isLetter(byte) || (byte >= 45 && byte <= 57) || byte === 95 || byte === 92 || byte === 64;
}
