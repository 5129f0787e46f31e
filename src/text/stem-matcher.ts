/**
 * Finds the lines of a log that hold one of many short stems, in one pass over its bytes.
 *
 * Theory: three bytes in a row, folded to 32 classes, index a table of 32 K entries, whose bits tell of the
 * fourth; so two bytes are passed over at once, and four where neither two are worth a look. Nearly every place fails
 * there; where it does not, the few stems that begin so are compared. The work for a byte is bounded whatever the text,
 * so no input makes it slow. ASCII letters match in both cases, every digit matches `0`, and the start or end of a line
 * matches a space. Once a line has a stem the rest of it is skipped.
 */

const LINE_FEED = 10;
const SPACE = 32;
const ZERO = 48;
const GRAM = 3;
const MASK = 0x7fff;
// Apart from the space, so that one look tells of the end of a line and of the beginning of a stem.
const LINE_FEED_CLASS = 0;

/** The stems that begin with three classes, and bits for the classes that may follow these. */
interface Bucket {
  readonly gram: number;
  readonly stems: DataView[];
  follows: number;
  fifth: number;
}

/** A set of stems to look for. */
export class StemMatcher {
  /** For three classes: the number of the stems that begin so; 0 for none. */
  readonly #bucket = new Uint16Array(MASK + 1);
  /** For three classes: a bit for each class with which a stem or a line feed stands at the third or the fourth byte. */
  readonly #worth = new Int32Array(MASK + 1);
  /** For each bucket: its stems, and a bit for each class that may follow the three, and that may follow it. */
  readonly #stems: readonly (readonly DataView[])[];
  readonly #follows: Int32Array;
  readonly #fifth: Int32Array;
  readonly #pairs: Uint16Array = classesOfPairs();

  /** @param stems In lower case, each of three bytes at least. */
  constructor(stems: readonly string[]) {
    const buckets: Bucket[] = [{ gram: 0, stems: [], follows: 0, fifth: 0 }];
    // What follows two classes such that a stem or a line feed is there: the same whatever stands before them.
    const begins = new Int32Array(1 << 10).fill(1 << LINE_FEED_CLASS);
    for (const stem of stems) {
      const bytes = Uint8Array.from(Buffer.from(stem), fold);
      if (bytes.length < GRAM) throw new RangeError(`a stem has at least ${GRAM} bytes, not ${JSON.stringify(stem)}`);
      const compared = new DataView(bytes.buffer);
      for (const gram of gramsOf(bytes)) {
        const number = this.#bucket[gram] || buckets.push({ gram, stems: [], follows: 0, fifth: 0 }) - 1;
        this.#bucket[gram] = number;
        begins[gram >>> 5] = (begins[gram >>> 5] ?? 0) | (1 << (gram & 31));
        const bucket = buckets[number];
        if (bucket === undefined) continue;
        bucket.stems.push(compared);
        bucket.follows |= followsOf(bytes[GRAM]);
        bucket.fifth |= followsOf(bytes[GRAM + 1]);
      }
    }
    this.#stems = buckets.map((bucket) => bucket.stems);
    this.#follows = Int32Array.from(buckets, (bucket) => bucket.follows);
    this.#fifth = Int32Array.from(buckets, (bucket) => bucket.fifth);
    for (let gram = 0; gram <= MASK; gram += begins.length) this.#worth.set(begins, gram);
    for (let gram = LINE_FEED_CLASS; gram <= MASK; gram += 32) this.#worth[gram] = -1;
    for (const { gram, follows } of buckets) this.#worth[gram] = (this.#worth[gram] ?? 0) | follows;
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
    // Several bytes are read at once, wherever they stand.
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const pairs = this.#pairs;
    const worth = this.#worth;
    const buckets = this.#bucket;
    const spaceGram = classOf(SPACE);
    let line = 0;
    let start = from;
    /** The classes of the two bytes before `at`. */
    let before = spaceGram;
    let at = from;
    while (at + 1 < to) {
      // Nearly all of the time goes by here, so nothing else stands in this loop.
      while (at + 3 < to) {
        const four = view.getInt32(at, true);
        const one = pairs[four & 0xffff] ?? 0;
        const two = pairs[four >>> 16] ?? 0;
        const first = (worth[((before << 5) | (one >>> 5)) & MASK] ?? 0) >>> (one & 31);
        const second = (worth[((one << 5) | (two >>> 5)) & MASK] ?? 0) >>> (two & 31);
        if (((first | second) & 1) !== 0) break;
        before = two;
        at += 4;
      }
      if (at + 1 >= to) break;
      const two = pairs[view.getUint16(at, true)] ?? 0;
      const gram = ((before << 5) | (two >>> 5)) & MASK;
      const other = two & 31;
      before = two;
      if ((((worth[gram] ?? 0) >>> other) & 1) === 0) {
        at += 2;
        continue;
      }
      const next = ((gram << 5) | other) & MASK;
      // Where it was only for the end of a line there is nothing to compare.
      const hit = (buckets[gram] ?? 0) + (buckets[next] ?? 0) > 0 ? this.#stemAt(view, at, from, to, gram, next) : -1;
      if (two >>> 5 === LINE_FEED_CLASS && hit !== at) {
        line++;
        start = at + 1;
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
      const gram = ((before << 5) | classAt(view, at, to)) & MASK;
      before = gram & 1023;
      if (this.#bucket[gram] !== 0 && this.#matches(view, at, from, to, gram)) {
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

  /** Where the third byte of a stem stands: at `at`, where `gram` ends, or behind it; -1 where there is none. */
  #stemAt(view: DataView, at: number, from: number, to: number, gram: number, next: number): number {
    const third = classAt(view, at + 2, to);
    if (this.#mayGoOn(gram, next & 31, third) && this.#matches(view, at, from, to, gram)) return at;
    if (this.#mayGoOn(next, third, classAt(view, at + 3, to)) && this.#matches(view, at + 1, from, to, next))
      return at + 1;
    return -1;
  }

  /** Whether a stem that begins with a gram may have these classes behind it. */
  #mayGoOn(gram: number, fourth: number, fifth: number): boolean {
    const bucket = this.#bucket[gram] ?? 0;
    return (((this.#follows[bucket] ?? 0) >>> fourth) & ((this.#fifth[bucket] ?? 0) >>> fifth) & 1) === 1;
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

// Rules are drawn with them and paths are made of them; stems hardly ever have one.
const SIGNS_APART = new Set(Buffer.from('"#$%&+,./;<=?@\\`{|}~'));
const COLON_BRACKET_CARET = new Set(Buffer.from(":(^"));
const HYPHEN = 45;
const RARE = { j: 106, q: 113 };

/** One of 32 classes: letters apart but for two rare ones, the rest mixed. */
function classOf(folded: number): number {
  if (folded === RARE.j) return RARE.q - 96;
  if (folded >= 97 && folded <= 122) return folded - 96;
  if (folded === SPACE) return 27;
  if (folded === ZERO) return 28;
  if (folded >= 128) return 1 + (folded % 31);
  // Control characters are with signs of which no stem has several in a row: floods of them are passed over.
  if (folded < SPACE || COLON_BRACKET_CARET.has(folded)) return 29;
  if (SIGNS_APART.has(folded)) return 31;
  return folded === HYPHEN ? RARE.j - 96 : 30;
}

const FOLDED: DataView = new DataView(Uint8Array.from({ length: 256 }, (_, byte) => fold(byte)).buffer);
const CLASSES: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === LINE_FEED ? LINE_FEED_CLASS : classOf(fold(byte)),
);

/** The class of the byte at a place; behind the end of what is searched that of a line feed. */
function classAt(view: DataView, at: number, to: number): number {
  return at < to ? (CLASSES[view.getUint8(at)] ?? 0) : LINE_FEED_CLASS;
}

let madePairs: Uint16Array | null = null;

/**
 * For two bytes, the first in the lower half of a number: their classes, the first in the upper half. Made for the
 * first matcher, row by row, since there are no more rows than classes.
 */
function classesOfPairs(): Uint16Array {
  if (madePairs !== null) return madePairs;
  const pairs = new Uint16Array(1 << 16);
  const rows: Uint16Array[] = [];
  for (let other = 0; other < 256; other++) {
    const second = CLASSES[other] ?? 0;
    let row = rows[second];
    if (row === undefined) {
      row = new Uint16Array(256);
      for (let first = 0; first < 256; first++) row[first] = ((CLASSES[first] ?? 0) << 5) | second;
      rows[second] = row;
    }
    pairs.set(row, other << 8);
  }
  madePairs = pairs;
  return pairs;
}
