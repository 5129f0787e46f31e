// Trains the tables of the token estimator against o200k_base and writes src/text/token-table-o200k.ts.
// Run after `npm run build`: node bench/tokens/train.mjs. TOKEN_LOGS names another folder of logs (NAME/log.txt) than the corpus.
import { writeFileSync } from "node:fs";
import { TokenScanner } from "../../dist/text/token-scanner.js";
import * as layout from "../../dist/text/token-slots.js";
import { KINDS, random } from "./kinds.mjs";
import { tokenStarts, trueTokens, windowsOf } from "./truth.mjs";

const { TOKEN_UNIT, LEVELS, BLOCK_CONTEXTS, LENGTH_BUCKETS } = layout;
const { SLOT_MARK_PAIR, SLOT_MARK_REPEAT, SLOT_MARK_WORD, SLOT_BLANK, SLOT_PAIR, SLOT_BLOCK } = layout;
const {
  LENGTH_LIMITS,
  MEANS,
  PLACES,
  PAIR_CELLS,
  PAIR_PLACES,
  REPEATED_MARKS,
  REPEAT_LETTERS,
  REPEAT_OTHERS,
  IDEOGRAPHS,
  pairCell,
} = layout;

/** The 32 ASCII characters that are punctuation or symbols, in the order of the scanner's marks. */
const MARK_CHARS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const isLetter = (c) => (c >= 65 && c <= 90) || (c >= 97 && c <= 122);
const isUpper = (c) => c >= 65 && c <= 90;
const fold = (c) => (c | 32) - 97;

/** Where languages share a script, its most written one counts for more. */
const WEIGHTS = { ru: 5, hi: 3, ar: 3, "zh-CN": 2, "prose en": 2, pt: 2, es: 2, vi: 2, ka: 2 };

console.error("reading and tokenizing");
const samples = [];
for (const [kind, text] of Object.entries(KINDS)) {
  const windows = windowsOf(text("train")).slice(0, 48);
  for (const window of windows) {
    // A letter at the end, so that white space there is counted too.
    const starts = tokenStarts(`${window}x`);
    const points = Array.from(`${window}x`, (char) => char.codePointAt(0));
    samples.push({ kind, points, starts, weight: (WEIGHTS[kind] ?? 1) / windows.length });
  }
}

// 1. How often a boundary stands before the last of three letters inside a word, and of two capitals.
const lowerHits = new Float64Array(27 * 26 * 26);
const lowerSeen = new Float64Array(27 * 26 * 26);
const pairHits = new Float64Array(26 * 26);
const pairSeen = new Float64Array(26 * 26);
const upperHits = new Float64Array(26 * 26);
const upperSeen = new Float64Array(26 * 26);
const otherHits = new Float64Array(PAIR_CELLS);
const otherSeen = new Float64Array(PAIR_CELLS);
const WORD = /^[\p{L}\p{M}]{2}$/u;
for (const { points, starts, weight } of samples) {
  for (let i = 1; i < points.length; i += 1) {
    const [p, q] = [points[i - 1], points[i]];
    if (
      (p >= 128 || q >= 128) &&
      p < IDEOGRAPHS &&
      q < IDEOGRAPHS &&
      WORD.test(String.fromCodePoint(p) + String.fromCodePoint(q))
    ) {
      otherHits[pairCell(p, q)] += starts[i] * weight * 48;
      otherSeen[pairCell(p, q)] += weight * 48;
    }
    const [b, a, c] = [points[i - 2] ?? 0, points[i - 1], points[i]];
    if (!isLetter(a) || !isLetter(c) || (isUpper(c) && !isUpper(a))) continue;
    const w = weight * 48;
    const hit = starts[i] * w;
    if (isUpper(a) && isUpper(c)) {
      upperHits[fold(a) * 26 + fold(c)] += hit;
      upperSeen[fold(a) * 26 + fold(c)] += w;
      continue;
    }
    const before = isLetter(b) && !(isUpper(a) && !isUpper(b)) ? fold(b) : 26;
    lowerHits[(before * 26 + fold(a)) * 26 + fold(c)] += hit;
    lowerSeen[(before * 26 + fold(a)) * 26 + fold(c)] += w;
    pairHits[fold(a) * 26 + fold(c)] += hit;
    pairSeen[fold(a) * 26 + fold(c)] += w;
  }
}
const levelOf = (p) => Math.min(LEVELS - 1, Math.floor(LEVELS * Math.sqrt(Math.max(0, p))));
const upper = Uint8Array.from(upperSeen, (n, i) => levelOf((upperHits[i] + 8 * 0.4) / (n + 8)));
const pairs = Uint8Array.from(otherSeen, (n, i) =>
  n === 0 ? 0 : Math.max(1, levelOf((otherHits[i] + 1 * 0.5) / (n + 1) / 2)),
);
const lower = Uint8Array.from(lowerSeen, (n, i) => {
  const pair = i % (26 * 26);
  const prior = (pairHits[pair] + 8 * 0.6) / (pairSeen[pair] + 8);
  return levelOf((lowerHits[i] + 8 * prior) / (n + 8));
});

// 2. The blocks of 64 characters beyond ASCII that occur often enough for a row of their own; rows
// 0 to 2 stand for all others, by the length of their UTF-8.
const blockSeen = new Map();
for (const { points } of samples)
  for (const c of points) if (c >= 128) blockSeen.set(c >> 6, (blockSeen.get(c >> 6) ?? 0) + 1);
const blocks = [...blockSeen]
  .filter(([, n]) => n >= 30)
  .map(([block]) => block)
  .toSorted((x, y) => x - y);
const rowOf = new Map(blocks.map((block, i) => [block, i + 3]));
const fallbackRow = (block) => (block < 0x800 >> 6 ? 0 : block < 0x10000 >> 6 ? 1 : 2);
const block = (b) => rowOf.get(b) ?? fallbackRow(b);
const slotCount = SLOT_BLOCK + (blocks.length + 3) * BLOCK_CONTEXTS;

// Characters beyond ASCII of which a long run costs less than half of what as many single ones cost.
const repeatedMarks = [];
for (let c = 0x80; c < 0xffff; c += 1) {
  if (c >= 0x2e80 && c < 0xe000 && !(c >= 0x3000 && c < 0x3040)) continue;
  const char = String.fromCodePoint(c);
  if (/[\p{L}\p{M}\p{N}\s\p{C}]/u.test(char) && c !== 0xfffd) continue;
  if (trueTokens(char.repeat(64)) <= 0.4 * 64 * trueTokens(char)) repeatedMarks.push(c);
}
console.error(`repeated: ${String.fromCodePoint(...repeatedMarks)} (${repeatedMarks.length})`);
if (repeatedMarks.length > REPEATED_MARKS) throw new Error("more repeated characters than rows");
const repeatRow = new Map(repeatedMarks.map((c, i) => [c, REPEAT_OTHERS + i]));
const repeated = (c) => repeatRow.get(c) ?? -1;

// 3. The mean of each slot, each kind with the same weight.
const seen = new Float64Array(slotCount);
const hits = new Float64Array(slotCount);
for (const { points, starts, weight } of samples) {
  let pending = [];
  const machine = new TokenScanner(
    { slots: new Uint16Array(slotCount), lower, upper, pairs, block, repeated },
    (slot) => pending.push(slot),
  );
  let blankFrom = -1;
  points.forEach((c, i) => {
    pending = [];
    const before = machine.units;
    machine.step(c);
    const opened = machine.units - before; // the tables are empty, so what is added is a whole piece
    const isBlank = c === 32 || (c >= 9 && c <= 13);
    if (isBlank && pending.length === 0 && blankFrom < 0) blankFrom = i;
    // What begins in this character, less the piece that it opens; a space before it is a part of its piece.
    const lead = blankFrom >= 0 && !isBlank && points[i - 1] === 32;
    for (const slot of pending) {
      hits[slot] += weight * (starts[i] - (opened > 0 && !lead ? 1 : 0));
      seen[slot] += weight;
    }
    if (!isBlank) blankFrom = -1;
  });
}
// A slot without evidence falls back: words to their level, blocks to their row, the rest to a fixed guess.
const slots = new Uint16Array(slotCount);
const mean = (from, to, step = 1) => {
  let h = 0;
  let n = 0;
  for (let i = from; i < to; i += step) {
    h += hits[i];
    n += seen[i];
  }
  return n === 0 ? null : h / n;
};
for (let slot = 0; slot < slotCount; slot += 1) {
  let prior = 0.5;
  let strength = 0.02;
  if (slot < SLOT_MARK_PAIR) {
    const level = Math.floor(slot / (MEANS * PLACES));
    prior = mean(level * MEANS * PLACES, (level + 1) * MEANS * PLACES) ?? 0.5;
  } else if (slot < SLOT_MARK_REPEAT) prior = mean(SLOT_MARK_PAIR, SLOT_MARK_REPEAT) ?? 0.4;
  else if (slot < SLOT_MARK_WORD)
    prior =
      mean(SLOT_MARK_REPEAT + ((slot - SLOT_MARK_REPEAT) % LENGTH_BUCKETS), SLOT_MARK_WORD, LENGTH_BUCKETS) ?? 0.1;
  else if (slot < SLOT_BLANK) prior = mean(SLOT_MARK_WORD, SLOT_BLANK) ?? 0.3;
  else if (slot < SLOT_PAIR)
    continue; // white space is counted below
  else if (slot < SLOT_BLOCK) {
    const from = SLOT_PAIR + Math.floor((slot - SLOT_PAIR) / (MEANS * PAIR_PLACES)) * MEANS * PAIR_PLACES;
    prior = mean(from, from + MEANS * PAIR_PLACES) ?? 0.5;
  } else {
    const row = Math.floor((slot - SLOT_BLOCK) / BLOCK_CONTEXTS);
    const own = mean(SLOT_BLOCK + row * BLOCK_CONTEXTS, SLOT_BLOCK + (row + 1) * BLOCK_CONTEXTS);
    prior = row < 3 ? [0.9, 1.6, 2.6][row] : (own ?? 1);
    strength = row < 3 ? 10 : 0.005;
  }
  slots[slot] = Math.min(
    65535,
    Math.max(0, Math.round((TOKEN_UNIT * (hits[slot] + strength * prior)) / (seen[slot] + strength))),
  );
}

// 4. Runs of one character are not sampled but counted: the growth of T(n), the tokens of n in a row.
const bounds = [0, ...LENGTH_LIMITS, 4096];
const runTokens = (char) => {
  const cache = new Map();
  return (n) => {
    if (!cache.has(n)) cache.set(n, trueTokens(char.repeat(n)));
    return cache.get(n);
  };
};
const clamp = (x) => Math.min(65535, Math.max(0, Math.round(x)));
for (const [c, row] of [
  ...Array.from({ length: 32 }, (_, i) => [MARK_CHARS.charCodeAt(i), i]),
  [27, 35],
  [0, 36],
  ...Array.from({ length: 52 }, (_, i) => [i < 26 ? 97 + i : 65 + i - 26, REPEAT_LETTERS + i]),
  ...repeatRow,
]) {
  const tokens = runTokens(String.fromCodePoint(c));
  for (let bucket = 2; bucket < LENGTH_BUCKETS; bucket += 1) {
    const [from, to] = [bounds[bucket], bounds[bucket + 1]];
    // The growth from the middle of the bucket before to the middle of this one, so that no single length decides.
    slots[SLOT_MARK_REPEAT + row * LENGTH_BUCKETS + bucket] = clamp(
      (TOKEN_UNIT * (meanOf(tokens, from + 1, to) - meanOf(tokens, bounds[bucket - 1] + 1, from))) /
        ((to + 1 - bounds[bucket - 1] - 1) / 2),
    );
  }
}
function meanOf(tokens, from, to) {
  let sum = 0;
  let n = 0;
  for (let i = from; i <= to; i += to > 300 ? 197 : 1) {
    sum += tokens(i);
    n += 1;
  }
  return sum / n;
}
const rng = random(99);
let mixedBlanks = "";
while (mixedBlanks.length < 4096)
  mixedBlanks += [" ", "\t", "  ", "    "][Math.floor(rng() * 4)].repeat(1 + Math.floor(rng() * 6));
const LINES = 16;
const blankRuns = [
  (n) => trueTokens(" ".repeat(n)),
  (n) => trueTokens("\t".repeat(n)),
  (n) =>
    (trueTokens(mixedBlanks.slice(0, n)) +
      trueTokens(mixedBlanks.slice(500, 500 + n)) +
      trueTokens(mixedBlanks.slice(1300, 1300 + n))) /
    3,
  (n) => trueTokens("\n".repeat(n)),
  (n) => trueTokens("\r\n".repeat(n).slice(0, n)),
  (n) => trueTokens(`${" ".repeat(n)}\n`),
  (n) => trueTokens(`${" ".repeat(n)}\n`.repeat(LINES)) / LINES,
  (n) => trueTokens(`${"\t".repeat(n)}\n`),
  (n) => trueTokens(`${"\t".repeat(n)}\n`.repeat(LINES)) / LINES,
];
blankRuns.forEach((tokens, type) => {
  for (let bucket = 0; bucket < LENGTH_BUCKETS; bucket += 1) {
    const units =
      bucket === LENGTH_BUCKETS - 1
        ? (TOKEN_UNIT * tokens(2048)) / 8
        : TOKEN_UNIT * meanOf(tokens, bounds[bucket] + 1, bounds[bucket + 1]);
    slots[SLOT_BLANK + type * LENGTH_BUCKETS + bucket] = clamp(units);
  }
});

export const tables = { slots, lower, upper, pairs, block, repeated };

/** Four bits for each level, two levels in a byte. */
const nibbles = (levels) =>
  Uint8Array.from({ length: Math.ceil(levels.length / 2) }, (_, i) => levels[2 * i] | ((levels[2 * i + 1] ?? 0) << 4));
const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const text = (string) =>
  `[\n${(string.match(/.{1,110}/g) ?? []).map((line) => `    "${line}",\n`).join("")}  ].join("")`;

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const WIDE = [SLOT_MARK_REPEAT, SLOT_MARK_WORD, SLOT_BLANK, SLOT_PAIR];
  const isWide = (slot) => (slot >= WIDE[0] && slot < WIDE[1]) || (slot >= WIDE[2] && slot < WIDE[3]);
  const rows = REPEAT_OTHERS + repeatedMarks.length; // rows that no character has are left out
  const end = SLOT_MARK_REPEAT + rows * LENGTH_BUCKETS;
  const wide = [...slots].filter((_, slot) => isWide(slot) && !(slot >= end && slot < SLOT_MARK_WORD));
  const narrow = [...slots].filter((_, slot) => !isWide(slot)).map((units) => Math.min(255, Math.round(units / 4)));
  writeFileSync(
    new URL("../../src/text/token-table-o200k.ts", import.meta.url),
    `/**
 * The learnt tables of the token estimate for o200k_base, packed. Made by bench/tokens/train.mjs; to be
 * read by token-tables.ts alone.
 */

/** The tables as text: base64 of bytes, of little-endian 16-bit numbers, of two levels a byte. */
export const O200K: Readonly<Record<"narrow" | "wide" | "lower" | "upper" | "pairs" | "blocks" | "repeated", string>> = {
  narrow: ${text(base64(narrow))},
  wide: ${text(base64(Uint8Array.from(wide.flatMap((n) => [n & 255, n >> 8]))))},
  lower: ${text(base64(nibbles(lower)))},
  upper: ${text(base64(nibbles(upper)))},
  pairs: ${text(base64(nibbles(pairs)))},
  /** Numbers of blocks of 64 characters: the first, then the distances. */
  blocks: ${text(blocks.map((b, i) => (b - (blocks[i - 1] ?? 0)).toString(36)).join(" "))},
  repeated: ${JSON.stringify(String.fromCodePoint(...repeatedMarks))},
};
`,
  );
  const { evaluate, report } = await import("./evaluate.mjs");
  report(evaluate(tables));
}
