/** Tells lines that were seen often enough, in a bounded room, by a number for their words. */

/** How often lines with the same words are kept. */
const PER_SHAPE = 3;
// Room for far more shapes than a log has, in half a megabyte.
const SEEN_BITS = 18;

/** Counts keys, in a table of fixed size: what finds its place taken by another counts as not seen. */
export class Seen {
  readonly #count = new Uint8Array(1 << SEEN_BITS);
  readonly #tag = new Uint8Array(1 << SEEN_BITS);

  /** Whether the key was asked for less than `PER_SHAPE` times before. */
  isRare(key: number): boolean {
    const mixed = Math.imul(key, 0x9e3779b1);
    const place = mixed >>> (32 - SEEN_BITS);
    const tag = mixed & 0xff;
    const count = this.#count[place] ?? 0;
    if (count > 0 && this.#tag[place] !== tag) return true;
    if (count >= PER_SHAPE) return false;
    this.#count[place] = count + 1;
    this.#tag[place] = tag;
    return true;
  }
}

/** A number for the words of a line: lines that differ in words with digits only have the same. */
export function wordsOf(bytes: Uint8Array, from: number, to: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let hash = 0;
  let before = 0;
  let isNumber = false;
  for (let i = from; i < to; i++) {
    const byte = view.getUint8(i);
    if (byte >= 48 && byte <= 57) isNumber = true;
    else if ((byte | 32) >= 97 && (byte | 32) <= 122) hash = (Math.imul(hash, 31) + byte) | 0;
    else {
      if (isNumber) hash = before;
      isNumber = false;
      hash = (Math.imul(hash, 31) + byte) | 0;
      before = hash;
    }
  }
  return isNumber ? before : hash;
}
