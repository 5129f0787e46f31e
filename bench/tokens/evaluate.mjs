// Compares the estimate with the true count on windows that were not trained on. Run by itself, it prints every figure
// of docs/tokens.md, the table as it stands there: npm run build && node bench/tokens/evaluate.mjs
import { TokenScanner } from "../../dist/text/token-scanner.js";
import { TOKEN_UNIT } from "../../dist/text/token-slots.js";
import { KINDS } from "./kinds.mjs";
import { rowsOf } from "./rows.mjs";
import { trueTokens, windowsOf } from "./truth.mjs";

const BAND = 1.3;
const LINE_TOKENS = 10;
const LINES_PER_KIND = 200;

/** The estimate of a text, not rounded. */
function estimate(tables, text) {
  const scanner = new TokenScanner(tables);
  for (const char of text) scanner.step(char.codePointAt(0));
  return scanner.units / TOKEN_UNIT;
}

/** The ratio of estimate to truth of every held-out window, by kind. */
export function evaluate(tables, { set = "held", count = trueTokens, most = 40 } = {}) {
  const out = new Map();
  for (const [kind, text] of Object.entries(KINDS)) {
    const ratios = windowsOf(text(set))
      .slice(0, most)
      .map((window) => estimate(tables, window) / count(window));
    if (ratios.length > 0) out.set(kind, ratios);
  }
  return out;
}

const bandOf = (ratios) => ({
  n: ratios.length,
  least: Math.min(...ratios),
  mean: ratios.reduce((a, b) => a + b, 0) / ratios.length,
  most: Math.max(...ratios),
});
const off = ({ least, most }) => Math.max(most, 1 / least);

/** The band of each kind, the worst first. */
function bands(result) {
  return [...result].map(([kind, ratios]) => ({ kind, ...bandOf(ratios) })).toSorted((a, b) => off(b) - off(a));
}

/** Prints the band of each kind, the worst first. */
export function report(result, most = 60) {
  const rows = bands(result);
  for (const row of rows.slice(0, most))
    console.log(
      `${row.kind.padEnd(24)} ${String(row.n).padStart(3)}  ${row.least.toFixed(2)}  ${row.mean.toFixed(2)}  ${row.most.toFixed(2)}`,
    );
  summary(rows);
}

function summary(rows) {
  const inside = rows.filter((row) => off(row) <= BAND).length;
  console.log(
    `within ${BAND} on ${inside} of ${rows.length} kinds, ${rows.length - inside} with a window outside; least ${Math.min(...rows.map((r) => r.least)).toFixed(3)}, most ${Math.max(...rows.map((r) => r.most)).toFixed(3)}`,
  );
}

/** Prints the table of the documentation. */
export function table(result) {
  console.log("| text | windows | least | mean | most |\n|---|---|---|---|---|");
  for (const { title, kinds } of rowsOf([...result.keys()])) {
    const { n, least, mean, most } = bandOf(kinds.flatMap((kind) => result.get(kind)));
    console.log(`| ${title} | ${n} | ${least.toFixed(2)} | ${mean.toFixed(2)} | ${most.toFixed(2)} |`);
  }
}

/** By how many tokens the estimate of single held-out lines of ten tokens is off: every line of each kind up to a number. */
function linesOff(tables) {
  const offs = [];
  for (const text of Object.values(KINDS)) {
    const lines = [...new Set(text("held").split("\n"))].filter((line) => line.length > 0 && line.length <= 200);
    offs.push(
      ...lines
        .slice(0, LINES_PER_KIND)
        .filter((line) => trueTokens(line) === LINE_TOKENS)
        .map((line) => Math.abs(Math.round(estimate(tables, line)) - LINE_TOKENS)),
    );
  }
  return offs;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { tokenTables } = await import("../../dist/text/token-tables.js");
  const { O200K } = await import("../../dist/text/token-table-o200k.js");
  const { default: llama } = await import("llama3-tokenizer-js");
  const tables = tokenTables();

  console.log(`tables: ${Math.round(Object.values(O200K).join("").length / 1000)} kB\n`);
  console.log("o200k_base:");
  const own = evaluate(tables);
  table(own);
  summary(bands(own));
  const missing = Object.keys(KINDS).filter((kind) => !own.has(kind));
  console.log(`without text on this machine: ${missing.join(", ") || "none"}`);

  const offs = linesOff(tables);
  const share = (n) => `${((100 * offs.filter((by) => by <= n).length) / offs.length).toFixed(1)} %`;
  console.log(
    `\n${offs.length} lines of ${LINE_TOKENS} tokens: off by at most 1 ${share(1)}, 2 ${share(2)}, 3 ${share(3)}, 4 ${share(4)}, 5 ${share(5)}; most ${Math.max(...offs)}`,
  );

  console.log("\nLlama 3, the same estimate, not scaled, four windows of each kind:");
  const count = (text) => llama.encode(text, { bos: false, eos: false }).length;
  const other = bands(evaluate(tables, { most: 4, count }));
  summary(other);
  const outside = other.filter((row) => off(row) > BAND);
  console.log(
    `outside: ${outside.map(({ kind, least, most }) => `${kind} ${least.toFixed(2)}-${most.toFixed(2)}`).join(", ")}`,
  );
}
