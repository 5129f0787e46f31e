/**
 * Tells which rows say the same of different things: it numbers rows by what is left of them without
 * paths but for their extensions, short quoted names, and numbers but for whether they are nought.
 *
 * Theory: a flood has thousands of such rows, so what is left is hashed in one pass, never written
 * down. The hash has 53 bits, so that two rows that say different things are hardly ever taken for one.
 */

const WORD = 1;
const DIGIT = 2;
const SLASH = 4;
const DOT = 8;
const SPACE = 32;
const QUOTE = 39;
const LONGEST_NAME = 80;
// Stand in the hash for what was left out; no characters are.
const PATH = 0x11_0001;
const NAME = 0x11_0002;
const NOUGHT = 0x11_0003;
const NUMBER = 0x11_0004;

const KIND = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const sign = String.fromCharCode(code);
  if (/\d/.test(sign)) KIND[code] = DIGIT;
  else if (/[\w@~+-]/.test(sign)) KIND[code] = WORD;
  else if (/[/\\]/.test(sign)) KIND[code] = SLASH;
  else if (sign === ".") KIND[code] = DOT;
}

/** Numbers rows in the order in which they are first met; rows that say the same have one number. */
export class Sayings {
  readonly #numbers = new Map<number, number>();
  /** For each number the row that was the first to have it. */
  readonly texts: string[] = [];

  /** The number of a row, from 0. */
  of(text: string): number {
    const hash = hashOf(text);
    const known = this.#numbers.get(hash);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(hash, number);
    this.texts.push(text);
    return number;
  }
}

function hashOf(text: string): number {
  let one = 7;
  let two = 11;
  // What was hashed before the word that is read; a path takes its place.
  let oneBefore = one;
  let twoBefore = two;
  let inPath = false;
  let last = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? (KIND[code] ?? 0) : 0;
    // What is hashed for this place; -1 for nothing.
    let put = code;
    if (kind === DIGIT) {
      let isNought = code === 48;
      while (i + 1 < text.length) {
        const next = text.charCodeAt(i + 1);
        if (next < 48 || next > 57) break;
        if (next !== 48) isNought = false;
        i++;
      }
      put = inPath ? -1 : isNought ? NOUGHT : NUMBER;
    } else if (kind === WORD) {
      if (inPath) put = -1;
    } else if (kind === SLASH) {
      one = oneBefore;
      two = twoBefore;
      put = PATH;
      inPath = true;
    } else {
      inPath = false;
      if (code === QUOTE) {
        const end = endOfName(text, i + 1);
        if (end >= 0) {
          put = NAME;
          i = end;
        }
      } else if (code === SPACE && last === SPACE) put = -1;
    }
    if (put >= 0) {
      one = (Math.imul(one, 31) + put) | 0;
      two = (Math.imul(two ^ put, 0x01000193) + 1) | 0;
    }
    if (kind === 0) {
      oneBefore = one;
      twoBefore = two;
    }
    last = code;
  }
  return (one >>> 0) * 0x20_0000 + (two >>> 11);
}

/** Where a name in quotes ends that begins at `from`; -1 when what stands there is no name. */
function endOfName(text: string, from: number): number {
  const most = Math.min(text.length, from + LONGEST_NAME);
  for (let i = from; i < most; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code >= 128 || (KIND[code] === 0 && code !== 36)) return -1;
  }
  return -1;
}
