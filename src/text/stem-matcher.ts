/**
 * Finds the lines of a log that hold one of many short stems, in one pass over its bytes.
 *
 * Theory: three bytes in a row, folded to 32 classes, index a table of 32 K entries, whose bits tell of the
 * fourth; so two bytes are passed over at once. Nearly every place fails there; where it does not, the few
 * stems that begin so are compared. The work for a byte is bounded whatever the text, so no input makes it slow. ASCII
 * letters match in both cases, every digit matches `0`, and the start or end of a line matches a space.
 * Once a line has a stem the rest of it is skipped.
 */

const LINE_FEED = 10;
const SPACE = 32;
const ZERO = 48;
const GRAM = 3;
const MASK = 0x7fff;
// Apart from the space, so that one look tells of the end of a line and of the beginning of a stem.
const LINE_FEED_CLASS = 0;

/** A set of stems to look for. */
export class StemMatcher {
  readonly #bucket = new Uint16Array(MASK + 1);
  /** For three classes: a bit for each class that may follow them in a stem. */
  readonly #follows = new DataView(new ArrayBuffer((MASK + 1) << 2));
  /** The same for the byte behind that one. */
  readonly #fifth = new DataView(new ArrayBuffer((MASK + 1) << 2));
  /** For three classes: a bit for each class with which a stem or a line feed stands at the third or the fourth byte. */
  readonly #pairs = new DataView(new ArrayBuffer((MASK + 1) << 2));
  readonly #stems: (readonly DataView[])[] = [[]];

  /** @param stems In lower case, each of three bytes at least. */
  constructor(stems: readonly string[]) {
    const buckets = new Map<number, DataView[]>();
    for (const stem of stems) {
      const bytes = Uint8Array.from(Buffer.from(stem), fold);
      if (bytes.length < GRAM) throw new RangeError(`a stem has at least ${GRAM} bytes, not ${JSON.stringify(stem)}`);
      const follows = followsOf(bytes[GRAM]);
      const fifth = followsOf(bytes[GRAM + 1]);
      for (const key of gramsOf(bytes)) {
        this.#follows.setUint32(key << 2, this.#follows.getUint32(key << 2, true) | follows, true);
        this.#fifth.setUint32(key << 2, this.#fifth.getUint32(key << 2, true) | fifth, true);
        const bucket = buckets.get(key);
        const compared = new DataView(bytes.buffer);
        if (bucket === undefined) buckets.set(key, [compared]);
        else bucket.push(compared);
      }
    }
    for (const [key, bucket] of buckets) this.#bucket[key] = this.#stems.push(bucket) - 1;
    const begins = (gram: number): boolean => (gram & 31) === LINE_FEED_CLASS || this.#bucket[gram] !== 0;
    for (let gram = 0; gram <= MASK; gram++) {
      let bits =
        (gram & 31) === LINE_FEED_CLASS ? -1 : this.#follows.getUint32(gram << 2, true) | (1 << LINE_FEED_CLASS);
      for (let next = 0; next < 32; next++) if (begins(((gram << 5) | next) & MASK)) bits |= 1 << next;
      this.#pairs.setUint32(gram << 2, bits, true);
    }
  }

  /**
   * Calls `found` for each line with a stem, in order.
   *
   * @param found Given the number of line feeds between `from` and the line, where the line starts, and a place in it
   *   or at its end from which on it was not looked at. Answers where the line ends (see `endOfLine`): whoever reads the
   *   line anyway knows it. A line starts at `from` and ends at `to` when it goes on beyond them.
   * @returns The number of line feeds between `from` and `to`.
   */
  eachLine(
    bytes: Uint8Array,
    from: number,
    to: number,
    found: (line: number, start: number, at: number) => number,
  ): number {
    // A DataView answers with a number where an array may answer with nothing, which would be asked for each byte.
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const spaceGram = classOf(SPACE);
    let line = 0;
    let start = from;
    /** The classes of the two bytes before `at`. */
    let before = spaceGram;
    let at = from;
    while (at + 1 < to) {
      const two = PAIRS.getUint16(view.getUint16(at, true) << 1, true);
      const gram = (before << 5) | (two >>> 5);
      const other = two & 31;
      before = two;
      if (((this.#pairs.getUint32(gram << 2, true) >>> other) & 1) === 0) {
        at += 2;
        continue;
      }
      let hit = -1;
      const third = at + 2 < to ? CLASSES.getUint8(view.getUint8(at + 2)) : LINE_FEED_CLASS;
      if (
        ((this.#follows.getUint32(gram << 2, true) >>> other) & 1) === 1 &&
        ((this.#fifth.getUint32(gram << 2, true) >>> third) & 1) === 1 &&
        this.#matches(view, at, from, to, gram)
      )
        hit = at;
      if (two >>> 5 === LINE_FEED_CLASS && hit < 0) {
        line++;
        start = at + 1;
      }
      if (hit < 0) {
        const next = ((gram << 5) | other) & MASK;
        if (((this.#follows.getUint32(next << 2, true) >>> third) & 1) === 1) {
          const fourth = at + 3 < to ? CLASSES.getUint8(view.getUint8(at + 3)) : LINE_FEED_CLASS;
          if (
            ((this.#fifth.getUint32(next << 2, true) >>> fourth) & 1) === 1 &&
            this.#matches(view, at + 1, from, to, next)
          )
            hit = at + 1;
        }
      }
      if (hit >= 0) {
        const end = found(line, start, hit);
        if (end >= to) return line;
        line++;
        start = end + 1;
        at = end + 1;
        before = spaceGram;
        continue;
      }
      if (other === LINE_FEED_CLASS) {
        line++;
        start = at + 2;
      }
      at += 2;
    }
    // The last byte, where it has no other, and the end of the text, which is that of a line.
    for (; at <= to && start < to; at++) {
      const byte = at < to ? view.getUint8(at) : SPACE;
      const gram = ((before << 5) | CLASSES.getUint8(byte)) & MASK;
      before = gram & 1023;
      if (this.#follows.getUint32(gram << 2, true) !== 0 && this.#matches(view, at, from, to, gram)) {
        const isEnd = at < to && byte === LINE_FEED;
        found(line, start, Math.min(at, to));
        return isEnd ? line + 1 : line;
      }
      if (at < to && byte === LINE_FEED) {
        line++;
        start = at + 1;
      }
    }
    return line;
  }

  /** Whether one of the stems that begin with a gram stands where it ends at `last`. */
  #matches(view: DataView, last: number, from: number, to: number, gram: number): boolean {
    const at = last - GRAM + 1;
    for (const stem of this.#stems[this.#bucket[gram] ?? 0] ?? []) {
      const length = stem.byteLength;
      let i = 0;
      while (i < length) {
        const place = at + i;
        // What lies before and behind the searched bytes is taken for the end of a line.
        const byte = place < from || place >= to ? SPACE : FOLDED.getUint8(view.getUint8(place));
        if (byte !== stem.getUint8(i)) break;
        i++;
      }
      if (i === length) return true;
    }
    return false;
  }
}

/** Where the line ends that `at` stands in: at its line feed, at `to` at the latest. */
export function endOfLine(bytes: Uint8Array, at: number, to: number): number {
  // Most lines end soon: cheaper to look than to call.
  const near = Math.min(to, at + 96);
  let end = at;
  while (end < near && bytes[end] !== LINE_FEED) end++;
  if (end < near || end >= to) return end;
  const feed = bytes.indexOf(LINE_FEED, end);
  return feed < 0 || feed > to ? to : feed;
}

/** The grams that begin a stem: where it has a space, a line feed may stand. */
function gramsOf(stem: Uint8Array): number[] {
  return stem
    .subarray(0, GRAM)
    .reduce<number[]>(
      (grams, byte) =>
        grams.flatMap((gram) =>
          (byte === SPACE ? [classOf(byte), LINE_FEED_CLASS] : [classOf(byte)]).map((one) => (gram << 5) | one),
        ),
      [0],
    );
}

/** A bit for each class that a byte of a stem may be found as; all where the stem has ended. */
function followsOf(byte: number | undefined): number {
  if (byte === undefined) return -1;
  return byte === SPACE ? (1 << classOf(SPACE)) | (1 << LINE_FEED_CLASS) : 1 << classOf(byte);
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
  if (folded >= 128) return 1 + (folded % 31);
  // Control characters are with signs of which no stem has several in a row: floods of them are passed over.
  return folded < SPACE || folded === 58 || folded === 40 ? 29 : 30 + (folded & 1);
}

const FOLDED: DataView = new DataView(Uint8Array.from({ length: 256 }, (_, byte) => fold(byte)).buffer);
const CLASSES: DataView = new DataView(
  Uint8Array.from({ length: 256 }, (_, byte) => (byte === LINE_FEED ? LINE_FEED_CLASS : classOf(fold(byte)))).buffer,
);
/** For two bytes, the first in the lower half of a number: their classes, the first in the upper half. */
const PAIRS: DataView = new DataView(new ArrayBuffer(1 << 17));
for (let two = 0; two <= 0xffff; two++)
  PAIRS.setUint16(two << 1, (CLASSES.getUint8(two & 0xff) << 5) | CLASSES.getUint8(two >>> 8), true);
