// The token estimate against true counts, on windows of 4 kB that were not trained on: o200k_base,
// which it was trained for, and the tokenizer of Llama 3, which it was not. Run after `npm run build`:
//   node bench/tokens.bench.mjs
import llama from "llama3-tokenizer-js";
import { TokenEstimator } from "../dist/text/tokens.js";
import { tokenTables } from "../dist/text/token-tables.js";
import { evaluate, report } from "./tokens/evaluate.mjs";
import { KINDS } from "./tokens/kinds.mjs";

console.log("o200k_base: kind, windows, least, mean, most of estimate / true count");
report(evaluate(tokenTables()), 400);

console.log("\nLlama 3: the same estimate, not scaled");
report(
  evaluate(tokenTables(), { most: 4, count: (text) => llama.encode(text, { bos: false, eos: false }).length }),
  40,
);

const bytes = Buffer.from(
  Object.values(KINDS)
    .map((text) => text("held").slice(0, 20_000))
    .join("\n"),
);
const rates = [];
for (let round = 0; round < 7; round += 1) {
  const estimator = new TokenEstimator();
  const from = process.cpuUsage();
  for (let i = 0; i < 10; i += 1) estimator.add(bytes);
  const { user, system } = process.cpuUsage(from);
  rates.push((bytes.length * 10) / (user + system));
}
console.log(
  `\nspeed over all kinds: ${Math.max(...rates).toFixed(0)} MB in a second of CPU time at best, ${rates.toSorted((a, b) => a - b)[3].toFixed(0)} MB in the middle, of ${rates.length} rounds of ${(bytes.length / 1e5).toFixed(0)} MB`,
);
