/** Rows that stand alone in an otherwise uniform stream: what is said once where all else is said often. */

const OFTEN = 5;
const MIN_ROWS = 24;
const UNIFORM = 0.8;
const MAX_RUN = 8;
// The first and the last rows of a log are always of their own kind.
const EDGE = 6;

/** The rows that stand out by their rough keys, in order; none where the log is not uniform. */
export function outliersOf(keys: readonly number[]): number[] {
  const count = new Map<number, number>();
  let filled = 0;
  for (const key of keys) {
    if (key === 0) continue;
    filled++;
    count.set(key, (count.get(key) ?? 0) + 1);
  }
  if (filled < MIN_ROWS) return [];
  let often = 0;
  for (const n of count.values()) if (n >= OFTEN) often += n;
  if (often < filled * UNIFORM) return [];
  const out: number[] = [];
  let run: number[] = [];
  for (let row = EDGE; row <= keys.length - EDGE; row++) {
    const key = keys[row];
    if (key !== undefined && key !== 0 && (count.get(key) ?? 0) <= 2) run.push(row);
    else if (key !== 0) {
      if (run.length <= MAX_RUN) out.push(...run);
      run = [];
    }
  }
  return out;
}

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
const DIGIT = 1;
const SPACE = 2;
const SLASH = 3;
const WIDE = 4;
const KIND = new Uint8Array(256).fill(WIDE, 128).fill(DIGIT, 48, 58).fill(SPACE, 32, 33).fill(SLASH, 47, 48);

/** The rough key of a row whose bytes start at `from`: they are read sooner than a text is. */
export function roughKeyOfBytes(bytes: Uint8Array, from: number, text: string): number {
  let hash = 0;
  let path = false;
  const end = from + Math.min(text.length, KEYED);
  for (let i = from; i < end; i++) {
    const code = bytes[i] ?? 0;
    const kind = KIND[code] ?? 0;
    if (kind === COUNTS) {
      if (!path) hash = (Math.imul(hash, 31) + code) | 0;
    } else if (kind === SPACE) path = false;
    else if (kind === SLASH) path = true;
    else if (kind === WIDE) return roughKey(text);
  }
  return hash === 0 ? roughKey(text) : hash;
}
