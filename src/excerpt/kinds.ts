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

// Two bytes are taken at once where they are letters or signs; digits, capitals and quotes are looked at one by one.
const ENDS_WORD = 2 << 13;
const BEGINS_WORD = 3 << 13;
/** For two bytes, as they are read at once: what they add to a hash, and above it what they are; 0 for others. */
function tableOfTwo(): DataView {
  const table = new DataView(new ArrayBuffer(1 << 17));
  for (let two = 0; two <= 0xffff; two++) {
    const [one, other] = [two & 0xff, two >>> 8];
    const [kind, next] = [CLASS.getUint8(one), CLASS.getUint8(other)];
    const is = next === 0 && (kind === 0 || kind === LETTER) ? ENDS_WORD : kind === 0 ? BEGINS_WORD : 1 << 13;
    const isEnd = one === LINE_FEED || other === LINE_FEED;
    if (!isEnd && (kind === 0 || kind === LETTER) && (next === 0 || next === LETTER))
      table.setUint16(two << 1, is | (one * 31 + other), true);
  }
  return table;
}

/** Made for the first huge log: most processes never read one, and every start would pay for it. */
let madeTable: DataView | null = null;

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
  madeTable ??= tableOfTwo();
  const table = madeTable;
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
      const two = table.getUint16(view.getUint16(i, true) << 1, true);
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
