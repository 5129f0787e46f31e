// Compares the estimate with the true count on windows that were not trained on.
import { TokenScanner } from "../../dist/text/token-scanner.js";
import { TOKEN_UNIT } from "../../dist/text/token-slots.js";
import { KINDS } from "./kinds.mjs";
import { trueTokens, windowsOf } from "./truth.mjs";

/** The ratio of estimate to truth of every held-out window, by kind. */
export function evaluate(tables, { set = "held", count = trueTokens, most = 40 } = {}) {
  const out = new Map();
  for (const [kind, text] of Object.entries(KINDS)) {
    const ratios = windowsOf(text(set))
      .slice(0, most)
      .map((window) => {
        const scanner = new TokenScanner(tables);
        for (const char of window) scanner.step(char.codePointAt(0));
        return scanner.units / TOKEN_UNIT / count(window);
      });
    if (ratios.length > 0) out.set(kind, ratios);
  }
  return out;
}

/** Prints the band of each kind, the worst first. */
export function report(result, most = 60) {
  const rows = [...result].map(([kind, ratios]) => ({
    kind,
    n: ratios.length,
    least: Math.min(...ratios),
    mean: ratios.reduce((a, b) => a + b, 0) / ratios.length,
    most: Math.max(...ratios),
  }));
  const off = (row) => Math.max(row.most, 1 / row.least);
  rows.sort((a, b) => off(b) - off(a));
  for (const row of rows.slice(0, most))
    console.log(
      `${row.kind.padEnd(24)} ${String(row.n).padStart(3)}  ${row.least.toFixed(2)}  ${row.mean.toFixed(2)}  ${row.most.toFixed(2)}`,
    );
  const all = rows.length;
  const outside = rows.filter((row) => off(row) > 1.3).length;
  console.log(
    `${all} kinds, ${outside} with a window outside 1/1.3 … 1.3; least ${Math.min(...rows.map((r) => r.least)).toFixed(3)}, most ${Math.max(...rows.map((r) => r.most)).toFixed(3)}`,
  );
}
