/**
 * Which lines of a huge log are of one kind, in a bounded room: lines with the same words are one kind,
 * and kinds that differ in rare words only have one shape.
 *
 * Theory: a flood is many lines that say the same of different things. Numbers and names in quotes are
 * left out of a kind; names that are written like words are found by counting: a word that hardly any
 * line has is a name. Counts are halved from time to time, so that the words of today decide.
 */

/** Bytes of a line by which its kind is told. */
const KEYED = 400;
const LINE_FEED = 10;
const DIGIT = 1;
const CAPITAL = 2;
const LETTER = 3;
const QUOTE = 4;
const CLASS = new DataView(new ArrayBuffer(256));
for (let byte = 0; byte < 256; byte++) {
  if (byte >= 48 && byte <= 57) CLASS.setUint8(byte, DIGIT);
  else if (byte >= 65 && byte <= 90) CLASS.setUint8(byte, CAPITAL);
  else if (byte >= 97 && byte <= 122) CLASS.setUint8(byte, LETTER);
  else if (byte === 34 || byte === 39 || byte === 96) CLASS.setUint8(byte, QUOTE);
}

// Two bytes are taken at once where they are letters or signs; digits, capitals and quotes are looked at one by one.
const ENDS_WORD = 2 << 13;
const BEGINS_WORD = 3 << 13;
/** For two bytes, as they are read at once: what they add to a hash, and above it what they are; 0 for others. */
const TWO = new DataView(new ArrayBuffer(1 << 17));
for (let two = 0; two <= 0xffff; two++) {
  const [one, other] = [two & 0xff, two >>> 8];
  const [kind, next] = [CLASS.getUint8(one), CLASS.getUint8(other)];
  const is = next === 0 && (kind === 0 || kind === LETTER) ? ENDS_WORD : kind === 0 ? BEGINS_WORD : 1 << 13;
  const isEnd = one === LINE_FEED || other === LINE_FEED;
  if (!isEnd && (kind === 0 || kind === LETTER) && (next === 0 || next === LETTER))
    TWO.setUint16(two << 1, is | (one * 31 + other), true);
}

/** The view of what was looked at last: making one for each line takes longer than reading the line. */
let viewed: DataView = new DataView(new ArrayBuffer(0));

/** Where the line ended whose kind was told last, if it was not longer than what is read of it; else how far it was read. */
export let readTo = 0;

/**
 * A number for the words of a line that ends at a line feed, or at `end`. Words with digits count only where they look
 * like a code (`TS2552`, `E0308`).
 */
export function kindOf(bytes: Uint8Array, start: number, end: number): number {
  if (viewed.buffer !== bytes.buffer) viewed = new DataView(bytes.buffer);
  const view = viewed;
  const from = bytes.byteOffset + start;
  const to = Math.min(bytes.byteOffset + end, from + KEYED);
  let hash = 0;
  let before = 0;
  let wordAt = from;
  let digits = 0;
  let capitals = 0;
  let opening = 0;
  let i = from;
  for (; i < to; i++) {
    if (i + 1 < to) {
      const two = TWO.getUint16(view.getUint16(i, true) << 1, true);
      if (two !== 0 && (digits === 0 || two < ENDS_WORD)) {
        const next = (Math.imul(hash, 961) + (two & 0x1fff)) | 0;
        if (two >= ENDS_WORD) {
          const ends = two < BEGINS_WORD;
          before = ends ? next : (Math.imul(hash, 31) + view.getUint8(i)) | 0;
          wordAt = ends ? i + 2 : i + 1;
          capitals = 0;
          opening = 0;
        }
        hash = next;
        i++;
        continue;
      }
    }
    const byte = view.getUint8(i);
    const kind = CLASS.getUint8(byte);
    if (kind === LETTER) {
      hash = (Math.imul(hash, 31) + byte) | 0;
    } else if (kind === CAPITAL) {
      // Behind digits it is no part of a code.
      if (digits === 0) capitals++;
      hash = (Math.imul(hash, 31) + byte) | 0;
    } else if (kind === DIGIT) {
      digits++;
      hash = (Math.imul(hash, 31) + byte) | 0;
    } else {
      if (byte === LINE_FEED) break;
      if (digits > 0 && (opening === QUOTE || !isCode(capitals, digits, i - wordAt))) hash = before;
      digits = 0;
      capitals = 0;
      opening = kind;
      wordAt = i + 1;
      hash = (Math.imul(hash, 31) + byte) | 0;
      before = hash;
    }
  }
  readTo = i - bytes.byteOffset;
  return digits > 0 && (opening === QUOTE || !isCode(capitals, digits, i - wordAt)) ? before : hash;
}

/** Whether a word of `length` characters is capitals and then digits, as many as a code has. */
function isCode(capitals: number, digits: number, length: number): boolean {
  if (capitals + digits !== length) return false;
  return capitals === 1 ? digits >= 3 && digits <= 5 : capitals > 1 && capitals <= 8 && digits >= 2 && digits <= 6;
}

const SLOT_BITS = 16;
const SLOT_MASK = (1 << SLOT_BITS) - 1;
const PROBES = 4;
const WIDTH = 4;
const COUNT = 1;
const SHAPE = 2;

/** Counts kinds in a table of fixed size. Where there is no room the kind that was seen least makes room. */
export class KindCounts {
  /** For each slot, next to each other so that one look fetches all: kind, count, shape. */
  readonly #slots = new Int32Array(WIDTH << SLOT_BITS);
  readonly #uncounted = new Map<number, number>();

  /** Counts a line of a kind, and says how many there were with it. */
  add(kind: number): number {
    const slots = this.#slots;
    const base = Math.imul(kind, 0x9e3779b1) >>> (32 - SLOT_BITS);
    let least = base * WIDTH;
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = ((base + probe) & SLOT_MASK) * WIDTH;
      const count = slots[slot + COUNT] ?? 0;
      if (count > 0 && slots[slot] === kind) {
        slots[slot + COUNT] = count + 1;
        return count + 1;
      }
      if (count < (slots[least + COUNT] ?? 0)) least = slot;
    }
    this.#forget(least);
    slots[least] = kind;
    slots[least + COUNT] = 1;
    slots[least + SHAPE] = 0;
    return 1;
  }

  /** Remembers the shape of a kind, for those of whom no line was kept; 0 for none. */
  setShape(kind: number, shape: number): void {
    const slot = this.#slotOf(kind);
    if (slot >= 0) this.#slots[slot + SHAPE] = shape;
  }

  /** How many lines of a kind there were, as far as it is known; at least 1. */
  of(kind: number): number {
    const slot = this.#slotOf(kind);
    return slot < 0 ? 1 : (this.#slots[slot + COUNT] ?? 1);
  }

  /** For each shape the number of lines whose kind is not in `kept`. */
  byShape(kept: ReadonlyMap<number, unknown>): ReadonlyMap<number, number> {
    const counts = new Map(this.#uncounted);
    for (let slot = 0; slot < this.#slots.length; slot += WIDTH) {
      const count = this.#slots[slot + COUNT] ?? 0;
      const shape = this.#slots[slot + SHAPE] ?? 0;
      if (count > 0 && shape !== 0 && !kept.has(this.#slots[slot] ?? 0))
        counts.set(shape, (counts.get(shape) ?? 0) + count);
    }
    return counts;
  }

  #slotOf(kind: number): number {
    const base = Math.imul(kind, 0x9e3779b1) >>> (32 - SLOT_BITS);
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = ((base + probe) & SLOT_MASK) * WIDTH;
      if ((this.#slots[slot + COUNT] ?? 0) > 0 && this.#slots[slot] === kind) return slot;
    }
    return -1;
  }

  #forget(slot: number): void {
    const shape = this.#slots[slot + SHAPE] ?? 0;
    const count = this.#slots[slot + COUNT] ?? 0;
    // Shapes are told apart by thousands, not by millions: then nobody could read of them.
    if (shape !== 0 && count > 0 && (this.#uncounted.size < 4096 || this.#uncounted.has(shape)))
      this.#uncounted.set(shape, (this.#uncounted.get(shape) ?? 0) + count);
  }
}

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
      const isPath = byte === 47 || byte === 92 || ((byte === 46 || byte === 95) && isLetter(bytes[i + 1] ?? 0));
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
