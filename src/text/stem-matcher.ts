/**
 * Finds the lines of a log that hold one of many short stems, in one pass over its bytes.
 *
 * Theory: three bytes in a row, folded to 32 classes, index a table of 32 K entries that fits a
 * processor's first cache. Nearly every place fails there; where it does not, the few stems that begin
 * so are compared. The work for a byte is bounded whatever the text, so no input makes it slow. ASCII
 * letters match in both cases, every digit matches `0`, and the start or end of a line matches a space.
 * Once a line has a stem the rest of it is skipped.
 */

const LINE_FEED = 10;
const SPACE = 32;
const ZERO = 48;
const GRAM = 3;
const MASK = 0x7fff;

/** A set of stems to look for. */
export class StemMatcher {
  readonly #classOf = new Uint8Array(256);
  readonly #fold = new Uint8Array(256);
  /** For three classes: whether a stem begins with them, and which. */
  readonly #begins = new Uint8Array(MASK + 1);
  readonly #bucket = new Uint16Array(MASK + 1);
  readonly #stems: (readonly Uint8Array[])[] = [];

  /** @param stems In lower case, each of three bytes at least. */
  constructor(stems: readonly string[]) {
    for (let byte = 0; byte < 256; byte++) {
      this.#fold[byte] = fold(byte);
      this.#classOf[byte] = classOf(fold(byte));
    }
    const buckets = new Map<number, Uint8Array[]>();
    for (const stem of stems) {
      const bytes = Uint8Array.from(Buffer.from(stem), fold);
      if (bytes.length < GRAM) throw new RangeError(`a stem has at least ${GRAM} bytes, not ${JSON.stringify(stem)}`);
      const key = bytes.subarray(0, GRAM).reduce((gram, byte) => (gram << 5) | classOf(byte), 0);
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, [bytes]);
      else bucket.push(bytes);
    }
    for (const [key, bucket] of buckets) {
      this.#begins[key] = 1;
      this.#bucket[key] = this.#stems.push(bucket) - 1;
    }
  }

  /**
   * Calls `found` for each line with a stem, in order.
   *
   * @param found Given the number of line feeds between `from` and the line, and where the line starts and
   *   ends: at `from` and `to` when it goes on beyond them.
   * @returns The number of line feeds between `from` and `to`.
   */
  eachLine(
    bytes: Uint8Array,
    from: number,
    to: number,
    found: (line: number, start: number, end: number) => void,
  ): number {
    // A DataView answers with a number where an array may answer with nothing, which would be asked for each byte.
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const classes = new DataView(this.#classOf.buffer);
    const begins = new DataView(this.#begins.buffer);
    const spaceGram = classOf(SPACE);
    let line = 0;
    let start = from;
    let gram = spaceGram;
    for (let at = from; at < to; at++) {
      const byte = view.getUint8(at);
      gram = ((gram << 5) | classes.getUint8(byte)) & MASK;
      if (begins.getUint8(gram) !== 0 && this.#matches(bytes, at - GRAM + 1, from, to, gram)) {
        const end = lineEnd(bytes, at, to);
        found(line, start, end);
        if (end >= to) return line;
        at = end;
        line++;
        start = end + 1;
        gram = spaceGram;
      } else if (byte === LINE_FEED) {
        line++;
        start = at + 1;
      }
    }
    gram = ((gram << 5) | spaceGram) & MASK;
    if (start < to && begins.getUint8(gram) !== 0 && this.#matches(bytes, to - GRAM + 1, from, to, gram))
      found(line, start, to);
    return line;
  }

  #matches(bytes: Uint8Array, at: number, from: number, to: number, gram: number): boolean {
    for (const stem of this.#stems[this.#bucket[gram] ?? 0] ?? []) {
      let i = 0;
      while (i < stem.length) {
        const place = at + i;
        // What lies before and behind the searched bytes is taken for the end of a line.
        const byte = place < from || place >= to ? SPACE : (this.#fold[bytes[place] ?? 0] ?? 0);
        if (byte !== stem[i]) break;
        i++;
      }
      if (i === stem.length) return true;
    }
    return false;
  }
}

function lineEnd(bytes: Uint8Array, at: number, to: number): number {
  // Most lines end soon: cheaper to look than to call.
  const near = Math.min(to, at + 96);
  let end = at;
  while (end < near && bytes[end] !== LINE_FEED) end++;
  if (end < near || end >= to) return end;
  const feed = bytes.indexOf(LINE_FEED, end);
  return feed < 0 || feed > to ? to : feed;
}

/** Upper case to lower, digits to zero, white space to a space. */
function fold(byte: number): number {
  if (byte >= 65 && byte <= 90) return byte + 32;
  if (byte >= ZERO && byte <= ZERO + 9) return ZERO;
  return byte === 9 || byte === LINE_FEED || byte === 13 ? SPACE : byte;
}

/** One of 32 classes: letters apart, the rest mixed. */
function classOf(folded: number): number {
  if (folded >= 97 && folded <= 122) return folded - 96;
  if (folded === SPACE) return 27;
  if (folded === ZERO) return 28;
  if (folded >= 128) return folded & 31;
  return folded === 58 || folded === 40 ? 29 : 30 + (folded & 1);
}
