/**
 * Which lines of a huge log are of one kind, and how many there are of each, in a bounded room: lines with
 * the same words are one kind. Words with numbers and names in quotes with numbers are left out.
 */

/** Bytes of a line by which its kind is told. */
export const KEYED: number = 400;
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

/**
 * For two bytes, as they are read at once: what they add to a hash; less than nothing where one of them is a digit or a
 * line feed.
 */
function tableOfTwo(): Int16Array {
  const table = new Int16Array(1 << 16);
  const row = Int16Array.from({ length: 256 }, (_, one) => (isApart(one) ? -1 : one * 31));
  for (let other = 0; other < 256; other++) {
    const at = other << 8;
    if (isApart(other)) table.fill(-1, at, at + 256);
    else for (let one = 0; one < 256; one++) table[at | one] = row[one] === -1 ? -1 : (row[one] ?? 0) + other;
  }
  return table;
}

function isApart(byte: number): boolean {
  return byte === LINE_FEED || CLASS.getUint8(byte) === DIGIT;
}

/** Made for the first huge log: most processes never read one, and every start would pay for it. */
let madeTable: Int16Array | null = null;

/** The view of what was looked at last: making one for each line takes longer than reading the line. */
let viewed: DataView = new DataView(new ArrayBuffer(0));

/** Where the line ended whose kind was told last, if it was not longer than what is read of it; else how far it was read. */
export let readTo = 0;

// What a byte adds to a hash is multiplied by 31 for each byte behind it. Modulo 2 ** 32 that can be taken back.
const BY_TWO = 31 ** 2;
const BY_FOUR = 31 ** 4;
const BACK = 0xbdef7bdf;

/**
 * A number for the words of a line that ends at a line feed, or at `end`. Words with digits count only where they look
 * like a code (`TS2552`, `E0308`). Everything else is hashed without a look; where a digit comes the hash is taken back
 * to the beginning of its word.
 */
export function kindOf(bytes: Uint8Array, start: number, end: number): number {
  if (viewed.buffer !== bytes.buffer) viewed = new DataView(bytes.buffer);
  const view = viewed;
  madeTable ??= tableOfTwo();
  const table = madeTable;
  const from = bytes.byteOffset + start;
  const to = Math.min(bytes.byteOffset + end, from + KEYED);
  let hash = 0;
  let i = from;
  for (;;) {
    while (i + 3 < to) {
      const four = view.getInt32(i, true);
      const one = table[four & 0xffff] ?? 0;
      const two = table[four >>> 16] ?? 0;
      if ((one | two) < 0) break;
      hash = (Math.imul(hash, BY_FOUR) + Math.imul(one, BY_TWO) + two) | 0;
      i += 4;
    }
    let byte = LINE_FEED;
    for (; i < to; i++) {
      byte = view.getUint8(i);
      if (isApart(byte)) break;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    if (i >= to || byte === LINE_FEED) break;
    // Where the word begins that the digit is in, and what was hashed before it.
    let before = hash;
    let capitals = 0;
    let opening = 0;
    let wordAt = i;
    for (; wordAt > from; wordAt--) {
      const letter = view.getUint8(wordAt - 1);
      opening = CLASS.getUint8(letter);
      if (opening !== LETTER && opening !== CAPITAL) break;
      if (opening === CAPITAL) capitals++;
      before = Math.imul(before - letter, BACK);
    }
    // Capitals behind digits are no part of a code.
    let digits = 0;
    for (; i < to; i++) {
      byte = view.getUint8(i);
      const kind = CLASS.getUint8(byte);
      if (kind === DIGIT) digits++;
      else if (kind !== LETTER && kind !== CAPITAL) break;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    if (opening === QUOTE || !isCode(capitals, digits, i - wordAt)) hash = before;
  }
  readTo = i - bytes.byteOffset;
  return hash;
}

/** Whether a word of `length` characters is capitals and then digits, as many as a code has. */
export function isCode(capitals: number, digits: number, length: number): boolean {
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
