/**
 * Finds the lines of a log that hold one of many short stems, in one pass over its bytes.
 *
 * Theory: an automaton after Aho and Corasick (1975) as a dense table, one step for each byte whatever
 * the stems and whatever the text, so there is no input that makes it slow. ASCII letters match in both
 * cases, every digit matches `0` and the start of a line matches a space. Once a line has a stem the
 * rest of it is skipped.
 */

const LINE_FEED = 10;
const SPACE = 32;
const ZERO = 48;

/** An automaton for a set of stems. */
export class StemMatcher {
  readonly #classOf = new Uint8Array(256);
  readonly #classes: number;
  readonly #next: Uint16Array;
  readonly #firstAccept: number;
  readonly #start: number;

  /** @param stems In lower case, encoded as UTF-8 when they are compared. At most some thousand bytes in all. */
  constructor(stems: readonly string[]) {
    const words = stems.map((stem) => Buffer.from(stem).map(fold));
    this.#classes = this.#classify(words);
    const { next, accepts } = build(words.map((word) => word.map((byte) => this.#classOf[byte] ?? 0)), this.#classes);
    const order = [...accepts.keys()].sort((a, b) => Number(accepts[a]) - Number(accepts[b]));
    const place = new Uint16Array(order.length);
    order.forEach((state, at) => {
      place[state] = at;
    });
    this.#next = new Uint16Array(order.length * this.#classes);
    order.forEach((state, at) => {
      for (let c = 0; c < this.#classes; c++) this.#next[at * this.#classes + c] = place[next[state * this.#classes + c] ?? 0] ?? 0;
    });
    this.#firstAccept = accepts.filter((accept) => !accept).length;
    this.#start = this.#next[(place[0] ?? 0) * this.#classes + (this.#classOf[SPACE] ?? 0)] ?? 0;
  }

  /**
   * Calls `found` for each line with a stem, in order.
   *
   * @param found Given the number of line feeds from `from` up to the line, and the offset behind the stem.
   * @returns The number of line feeds between `from` and `to`.
   */
  eachLine(bytes: Uint8Array, from: number, to: number, found: (line: number, at: number) => void): number {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const next = this.#next;
    const classOf = this.#classOf;
    const classes = this.#classes;
    const firstAccept = this.#firstAccept;
    const start = this.#start;
    let line = 0;
    let state = start;
    for (let at = from; at < to; at++) {
      const byte = buffer[at] ?? 0;
      if (byte === LINE_FEED) {
        line++;
        state = start;
        continue;
      }
      state = next[state * classes + (classOf[byte] ?? 0)] ?? 0;
      if (state < firstAccept) continue;
      found(line, at + 1);
      const feed = buffer.indexOf(LINE_FEED, at);
      if (feed < 0 || feed >= to) break;
      line++;
      state = start;
      at = feed;
    }
    return line;
  }

  #classify(words: readonly Uint8Array[]): number {
    const classes = new Map<number, number>();
    for (const word of words) for (const byte of word) if (!classes.has(byte)) classes.set(byte, classes.size + 1);
    for (let byte = 0; byte < 256; byte++) this.#classOf[byte] = classes.get(fold(byte)) ?? 0;
    return classes.size + 1;
  }
}

/** Upper case to lower, digits to zero, tabs to spaces. */
function fold(byte: number): number {
  if (byte >= 65 && byte <= 90) return byte + 32;
  if (byte >= ZERO && byte <= ZERO + 9) return ZERO;
  return byte === 9 ? SPACE : byte;
}

function build(words: readonly Uint8Array[], classes: number): { next: Uint16Array; accepts: boolean[] } {
  const size = words.reduce((sum, word) => sum + word.length, 1);
  const next = new Uint16Array(size * classes);
  const accepts: boolean[] = [false];
  for (const word of words) {
    let state = 0;
    for (const c of word) {
      const at = state * classes + c;
      if (next[at] === 0) next[at] = accepts.push(false) - 1;
      state = next[at] ?? 0;
    }
    accepts[state] = true;
  }
  const fallback = new Uint16Array(accepts.length);
  const queue: number[] = [];
  for (let c = 0; c < classes; c++) if ((next[c] ?? 0) !== 0) queue.push(next[c] ?? 0);
  for (let i = 0; i < queue.length; i++) {
    const state = queue[i] ?? 0;
    const back = fallback[state] ?? 0;
    if (accepts[back] === true) accepts[state] = true;
    for (let c = 0; c < classes; c++) {
      const at = state * classes + c;
      const child = next[at] ?? 0;
      const other = next[back * classes + c] ?? 0;
      if (child === 0) next[at] = other;
      else {
        fallback[child] = other;
        queue.push(child);
      }
    }
  }
  return { next, accepts };
}
