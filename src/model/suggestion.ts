/** The word that was probably meant: the nearest by edits, when it is near enough to be worth saying. */

/** The number of insertions, deletions, replacements and swaps of neighbours that make `b` of `a` (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last: number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** The one of `known` that is nearest to `given`, or null when none is near: at most a third of the letters may differ. */
export function nearest(given: string, known: Iterable<string>): string | null {
  let found: string | null = null;
  let best = Number.POSITIVE_INFINITY;
  for (const word of known) {
    // Who types the beginning of a word means that word, however long its rest is.
    const edits = given.length >= 3 && word.startsWith(given) ? 0.5 : distance(given.slice(0, 64), word);
    if (edits < best && edits <= Math.max(1, Math.floor(Math.max(given.length, word.length) / 3))) {
      best = edits;
      found = word;
    }
  }
  return found;
}
