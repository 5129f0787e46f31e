/** What every benchmark shares: interleaved rounds, so that a machine that slows down slows all alike, and medians. */

/** The middle value. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs each candidate once a round, in turn. Gives milliseconds per candidate, and for each the median of
 * the ratios to the first, pair by pair. `restMs` lies between two of them, so that none is charged with what the one
 * before still tidies up.
 */
export async function compare(candidates, rounds, { warmup = 3, restMs = 0 } = {}) {
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = -warmup; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates)) {
      const begun = performance.now();
      const own = await run();
      const spent = typeof own === "number" ? own : performance.now() - begun;
      if (round >= 0) times[name].push(spent);
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  }
  const [base] = Object.keys(candidates);
  return Object.entries(times).map(([name, list]) => ({
    name,
    medianMs: median(list),
    minMs: Math.min(...list),
    ratio: median(list.map((t, i) => t / times[base][i])),
  }));
}

/** Prints one table of results. */
export function table(title, rows, note = "") {
  console.log(`\n### ${title}\n`);
  console.log("| | median ms | min ms | ratio to the first |");
  console.log("|---|---:|---:|---:|");
  for (const { name, medianMs, minMs, ratio } of rows)
    console.log(`| ${name} | ${medianMs.toFixed(2)} | ${minMs.toFixed(2)} | ${ratio.toFixed(2)} |`);
  if (note !== "") console.log(`\n${note}`);
}

/** Prints single figures. */
export function figures(title, pairs) {
  console.log(`\n### ${title}\n`);
  console.log("| figure | value | goal |");
  console.log("|---|---:|---|");
  for (const [figure, value, goal] of pairs) console.log(`| ${figure} | ${value} | ${goal} |`);
}
