/**
 * Floods: many rows that say the same of different things, where the things are named like words and so can
 * only be told by counting. Of 300 rows `Unknown word (banana)` every one is another saying; together they
 * are one flood.
 *
 * Theory: a word that few of the sayings have is a name. Sayings that are the same but for names, of which
 * there are many, and that have several words in common, are one flood.
 */
import { NAME_SHARES, readWords, roomForWords, Vocabulary, type Words } from "./vocabulary.ts";

// Of a saying so many bytes are read.
const MOST_BYTES = 400;
// Fewer different sayings can be looked at one by one.
const SAYINGS_LEAST = 60;
const FLOOD_LEAST = 16;
// With fewer words in common it takes more of them to be one.
const COMMON_LEAST = 3;
const VAGUE_LEAST = 500;
// So few floods and sayings that stand alone can be told apart by their weight.
const ENOUGH = 40;

/** For each saying, given by one of its rows, the first saying of its flood; -1 where it is in none. Null when there is no flood. */
export function floodsOf(sayings: readonly string[]): Int32Array | null {
  if (sayings.length < SAYINGS_LEAST) return null;
  const vocabulary = new Vocabulary(sayings.length);
  const read = roomForWords();
  const bytes = Buffer.allocUnsafe(MOST_BYTES);
  const words = sayings.map((text): Words => {
    readWords(read, bytes, 0, bytes.write(text));
    vocabulary.learn(read);
    return { numbers: read.numbers.slice(0, read.length), length: read.length };
  });
  let floods: Int32Array | null = null;
  for (const share of NAME_SHARES) {
    const shapes = words.map((one) => vocabulary.shapeOf(one, share));
    const count = new Map<number, number>();
    for (const { hash } of shapes) count.set(hash, (count.get(hash) ?? 0) + 1);
    const first = new Map<number, number>();
    const next = new Int32Array(sayings.length).fill(-1);
    let alone = 0;
    for (const [saying, { hash, common }] of shapes.entries()) {
      const alike = count.get(hash) ?? 0;
      if (alike < (common < COMMON_LEAST ? VAGUE_LEAST : FLOOD_LEAST) || common === 0) {
        alone++;
        continue;
      }
      if (!first.has(hash)) first.set(hash, saying);
      next[saying] = first.get(hash) ?? saying;
    }
    if (first.size > 0) floods = next;
    if (first.size + alone <= ENOUGH) break;
  }
  return floods;
}
