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
const IN_PATH = WORD | DIGIT | SLASH;
const SPACE = 32;
const QUOTE = 39;
const DOLLAR = 36;
const LONGEST_NAME = 80;
// Stand in the hash for what was left out; no characters are.
const PATH = 0x11_0001;
const NAME = 0x11_0002;
const NOUGHT = 0x11_0003;
const NUMBER = 0x11_0004;

const KIND = new DataView(new ArrayBuffer(256));
for (let code = 0; code < 128; code++) {
  const sign = String.fromCharCode(code);
  if (/\d/.test(sign)) KIND.setUint8(code, DIGIT);
  else if (/[\w@~+-]/.test(sign)) KIND.setUint8(code, WORD);
  else if (/[/\\]/.test(sign)) KIND.setUint8(code, SLASH);
  else if (sign === ".") KIND.setUint8(code, DOT);
}

/** Numbers rows in the order in which they are first met; rows that say the same have one number. */
export class Sayings {
  /** For one half of a hash the number that was first to have it. */
  readonly #first = new Map<number, number>();
  /** For each number the other half of its hash, and the next number with the same first half; -1 for none. */
  readonly #other: number[] = [];
  readonly #next: number[] = [];
  /** For each number the row that was the first to have it. */
  readonly texts: string[] = [];

  /** The number of a row, from 0. */
  of(text: string): number {
    const most = text.length * 3;
    if (most > room.byteLength) {
      room = new DataView(new ArrayBuffer(most));
      roomBytes = Buffer.from(room.buffer);
    }
    return this.#numberOf(text, hashOf(room, 0, roomBytes.write(text, 0, "utf8")));
  }

  /** The number of a row whose bytes are known: they need not be written first. */
  ofBytes(text: string, bytes: DataView, from: number, to: number): number {
    return this.#numberOf(text, hashOf(bytes, from, to));
  }

  #numberOf(text: string, one: number): number {
    const other = otherHash;
    const first = this.#first.get(one) ?? -1;
    for (let number = first; number >= 0; number = this.#next[number] ?? -1)
      if (this.#other[number] === other) return number;
    const number = this.texts.push(text) - 1;
    this.#other.push(other);
    this.#next.push(first);
    this.#first.set(one, number);
    return number;
  }
}

/** The bytes of the text that is hashed: read there they cost half of what characters cost in a string that is a part of another. */
let room: DataView<ArrayBuffer> = new DataView(new ArrayBuffer(4096));
let roomBytes: Buffer = Buffer.from(room.buffer);

/** The other half of the hash that was made last, of 21 bits. */
let otherHash = 0;

/** The first half of a hash of bytes in UTF-8, of 32 bits. */
function hashOf(view: DataView, from: number, end: number): number {
  let one = 7;
  let two = 11;
  // What was hashed before the word that is read; a path takes its place.
  let oneBefore = one;
  let twoBefore = two;
  let inPath = false;
  let last = 0;
  for (let i = from; i < end; i++) {
    const code = view.getUint8(i);
    const kind = KIND.getUint8(code);
    const before = last;
    last = code;
    let put = code;
    if (kind === WORD) {
      if (inPath) continue;
    } else if (kind === DIGIT) {
      let isNought = code === 48;
      while (i + 1 < end) {
        const next = view.getUint8(i + 1);
        if (next < 48 || next > 57) break;
        if (next !== 48) isNought = false;
        i++;
      }
      if (inPath) continue;
      put = isNought ? NOUGHT : NUMBER;
    } else if (kind === SLASH) {
      one = oneBefore;
      two = twoBefore;
      put = PATH;
      inPath = true;
      while (i + 1 < end && (KIND.getUint8(view.getUint8(i + 1)) & IN_PATH) !== 0) i++;
    } else {
      inPath = false;
      if (code === QUOTE) {
        const close = endOfName(view, i + 1, end);
        if (close >= 0) {
          put = NAME;
          i = close;
        }
      } else if (code === SPACE && before === SPACE) {
        oneBefore = one;
        twoBefore = two;
        continue;
      }
    }
    one = (Math.imul(one, 31) + put) | 0;
    two = (Math.imul(two ^ put, 0x01000193) + 1) | 0;
    if (kind === 0) {
      oneBefore = one;
      twoBefore = two;
    }
  }
  otherHash = two >>> 11;
  return one;
}

/** Where a name in quotes ends that begins at `from`; -1 when what stands there is no name. */
function endOfName(view: DataView, from: number, end: number): number {
  const most = Math.min(end, from + LONGEST_NAME);
  for (let i = from; i < most; i++) {
    const code = view.getUint8(i);
    if (code === QUOTE) return i;
    if (code !== DOLLAR && KIND.getUint8(code) === 0) return -1;
  }
  return -1;
}
