/** Rows that stand alone in an otherwise uniform stream: what is said once where all else is said often. */
import type { RawRows } from "./raw-rows.ts";

const OFTEN = 5;
const MIN_ROWS = 24;
const UNIFORM = 0.8;
const MAX_RUN = 8;
// The first and the last rows of a log are always of their own kind.
const EDGE = 6;

/** The rows that stand out by their rough keys, in order; none where the log is not uniform. */
export function outliersOf(keys: readonly number[]): number[] {
  // For each key its number, and for each row that of its key, so that it is looked up once.
  const numbers = new Map<number, number>();
  const numberOf = new Int32Array(keys.length);
  const count: number[] = [];
  let filled = 0;
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row] ?? 0;
    if (key === 0) continue;
    filled++;
    let number = numbers.get(key);
    if (number === undefined) {
      number = count.push(0) - 1;
      numbers.set(key, number);
    }
    numberOf[row] = number;
    count[number] = (count[number] ?? 0) + 1;
  }
  if (filled < MIN_ROWS) return [];
  let often = 0;
  for (const n of count) if (n >= OFTEN) often += n;
  if (often < filled * UNIFORM) return [];
  const out: number[] = [];
  let run: number[] = [];
  for (let row = EDGE; row <= keys.length - EDGE; row++) {
    const key = keys[row];
    if (key !== undefined && key !== 0 && (count[numberOf[row] ?? 0] ?? 0) <= 2) run.push(row);
    else if (key !== 0) {
      if (run.length <= MAX_RUN) out.push(...run);
      run = [];
    }
  }
  return out;
}

// In a log of fewer rows, or of more kinds, what is rare is nothing special.
const RARE_ROWS = 200;
const RARE_SHARE = 0.02;
const MOST_OFTEN = 12;
const MOST_RARE = 3;
const MOST_KINDS = 1000;

/**
 * The first row of each kind that is rare among a few kinds that nearly all rows are of, and how many there are of it.
 * What is said again and again at the beginning or the end alone is none.
 */
export function rareOf(rows: readonly string[], raw: RawRows | null): { row: number; count: number }[] {
  if (rows.length < RARE_ROWS) return [];
  const kinds = new Map<number, { row: number; last: number; count: number }>();
  let filled = 0;
  for (const [row, text] of rows.entries()) {
    const from = raw?.startOf(row, text.length) ?? -1;
    const key =
      raw === null || from < 0
        ? wordsKey(room, 0, roomBytes.write(text.slice(0, READ), "utf8"))
        : wordsKey(raw.view, from, from + Math.min(text.length, READ));
    if (key === 0) continue;
    filled++;
    if (kinds.size > MOST_KINDS) return [];
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { row, last: row, count: 1 });
    else {
      kind.count++;
      kind.last = row;
    }
  }
  if (filled < RARE_ROWS) return [];
  const all = [...kinds.values()];
  const often = all.filter(({ count }) => count > filled * RARE_SHARE);
  const covered = often.reduce((sum, { count }) => sum + count, 0);
  if (often.length > MOST_OFTEN || covered < filled * (1 - 3 * RARE_SHARE)) return [];
  const rare = all.filter(
    ({ count, row, last }) => count > 2 && count <= filled * RARE_SHARE && last - row > filled / 10,
  );
  return rare.length > MOST_RARE ? [] : rare.map(({ row, count }) => ({ row, count }));
}

const READ = 120;

const room: DataView<ArrayBuffer> = new DataView(new ArrayBuffer(READ * 3));
const roomBytes: Buffer = Buffer.from(room.buffer);

/** A hash of the words of a row's start, those with digits and those that may be hexadecimal left out; 0 for none. */
function wordsKey(view: DataView, from: number, end: number): number {
  let hash = 0;
  let before = 0;
  let isHex = true;
  let length = 0;
  for (let i = from; i <= end; i++) {
    const code = i < end ? view.getUint8(i) | 32 : 32;
    const isLetter = (code >= 97 && code <= 122) || code >= 128;
    if (isLetter || (code >= 48 && code <= 57)) {
      if (length === 0) before = hash;
      // A digit makes the word one that is left out.
      if (!isLetter) length = Number.POSITIVE_INFINITY;
      else length++;
      if (code > 102) isHex = false;
      hash = (Math.imul(hash, 31) + code) | 0;
    } else {
      if (length === Number.POSITIVE_INFINITY || (isHex && length >= HEX_LEAST)) hash = before;
      else if (length > 0) hash = (Math.imul(hash, 31) + 1) | 0;
      length = 0;
      isHex = true;
    }
  }
  return hash;
}

// Shorter words of the letters from a to f are words.
const HEX_LEAST = 4;

const KEYED = 56;

/** A hash of the letters of a row's start, numbers and what follows a slash left out; 0 for a blank row. */
export function roughKey(text: string): number {
  let hash = 0;
  let path = false;
  const end = Math.min(text.length, KEYED);
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 32) path = false;
    else if (code === 47) path = true;
    if (path || (code >= 48 && code <= 57) || code === 32) continue;
    hash = (Math.imul(hash, 31) + code) | 0;
  }
  return hash === 0 ? (text.trim() === "" ? 0 : 1) : hash;
}

const COUNTS = 0;
const LEFT_OUT = 1;
const SLASH = 2;
const SPACE = 32;
const KIND = new Uint8Array(256)
  .fill(LEFT_OUT, 48, 58)
  .fill(LEFT_OUT, SPACE, SPACE + 1)
  .fill(SLASH, 47, 48);

/** The rough keys of rows whose bytes are at hand: they are read sooner than texts are. */
export function roughKeysOf(rows: RawRows, texts: readonly string[]): number[] {
  const keys: number[] = [];
  for (let row = 0; row < texts.length; row++) {
    const from = rows.from(row);
    const key = keyOfBytes(rows.view, from, Math.min(rows.to(row), from + KEYED));
    keys.push(key === 0 ? roughKey(texts[row] ?? "") : key);
  }
  return keys;
}

/** The same of a row's bytes; 0 also for a row of which none counts. */
function keyOfBytes(bytes: DataView, from: number, end: number): number {
  let hash = 0;
  for (let i = from; i < end; i++) {
    const code = bytes.getUint8(i);
    const kind = KIND[code] ?? 0;
    if (kind === COUNTS) hash = (Math.imul(hash, 31) + code) | 0;
    // Of a path nothing counts up to the next space.
    else if (kind === SLASH) while (i + 1 < end && bytes.getUint8(i + 1) !== SPACE) i++;
  }
  return hash;
}
