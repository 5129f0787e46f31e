/**
 * The excerpt on real logs: the recall and the price that docs/excerpt.md states, and no log worse than
 * it may be. `UPDATE_DOCS=1` writes the table anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { excerptOfBytes, FAILURE_LIMITS, SUCCESS_LIMITS } from "../../src/excerpt/index.ts";
import { WAYS } from "../corpus/other-ways.ts";
import { countTokens, loadCorpus, type MarkedLog, type Score, score, summary } from "../corpus/score.ts";

const DOCS = join(import.meta.dirname, "../../docs/excerpt.md");

const logs = { shared: loadCorpus("shared"), own: loadCorpus("own") };
const scores: { shared: Score[]; own: Score[] } = { shared: [], own: [] };

function shown(log: MarkedLog): string {
  const limits = log.exit === 0 ? SUCCESS_LIMITS : FAILURE_LIMITS;
  return excerptOfBytes(log.bytes, { exitCode: log.exit, command: log.command, limits, headRatio: 0.2 }).text;
}

function table(): string {
  const rows: [string, Score[]][] = [];
  for (const set of ["shared", "own"] as const) {
    const name = set === "shared" ? "first set" : "second set";
    rows.push([`${name}, failed`, scores[set].filter((one) => one.failed)]);
    rows.push([`${name}, failed, longer than 2,048 tokens`, scores[set].filter((one) => one.failed && one.long)]);
    rows.push([`${name}, succeeded`, scores[set].filter((one) => !one.failed)]);
  }
  const lines = rows.map(([label, of]) => {
    const { logs: count, primary, tokens, decoys, decoysOf } = summary(of);
    return `| ${label} | ${count} | ${(primary * 100).toFixed(1)} % | ${Math.round(tokens)} | ${decoys} of ${decoysOf} |`;
  });
  return [
    "| logs | number | needed lines shown | mean tokens (o200k) | decoys shown |",
    "|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

/** Failures as other ways show them, and as the excerpt does: needed lines shown, and mean tokens. */
function ways(): string {
  const failed = [logs.shared, logs.own].map((set) => set.filter((log) => log.exit !== 0));
  const rows = [...WAYS, { name: "**the excerpt**", show: shown }].map(({ name, show }) => {
    const cells = failed.flatMap((set) => {
      const all = set.map((log) => score(log, show(log)));
      return [all, all.filter((one) => one.long)].map((of) => {
        const { primary, tokens } = summary(of);
        return `${(primary * 100).toFixed(1)} % [${Math.round(tokens).toLocaleString("en")}]`;
      });
    });
    return `| ${name} | ${cells.join(" | ")} |`;
  });
  return [
    "| what is shown of failures | first set | longer than 2,048 tokens | second set | longer than 2,048 tokens |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

beforeAll(() => {
  for (const set of ["shared", "own"] as const) scores[set] = logs[set].map((log) => score(log, shown(log)));
});

describe("the corpus", () => {
  it("has every needle and decoy in its log", () => {
    for (const log of [...logs.shared, ...logs.own]) {
      const whole = score(log, log.bytes.toString("utf8"));
      expect([log.id, whole.missed]).toEqual([log.id, []]);
      expect(whole.decoys).toBe(whole.decoysOf);
    }
  });
});

describe("excerpts of failed runs", () => {
  it("show at least 95 % of what is needed in 350 tokens at most", () => {
    for (const set of ["shared", "own"] as const) {
      const { primary, tokens } = summary(scores[set].filter((one) => one.failed));
      expect(primary).toBeGreaterThanOrEqual(0.95);
      expect(tokens).toBeLessThanOrEqual(350);
    }
  });

  it("show at least 94 % of it in 450 tokens when the log is longer than 2,048", () => {
    const { primary, tokens } = summary(scores.shared.filter((one) => one.failed && one.long));
    expect(primary).toBeGreaterThanOrEqual(0.94);
    expect(tokens).toBeLessThanOrEqual(450);
  });

  it("show few lines that only look like errors", () => {
    expect(summary(scores.shared.filter((one) => one.failed)).decoys).toBeLessThanOrEqual(3);
  });
});

describe("excerpts of runs that succeeded", () => {
  it("show at least 95 % of what they came to in 150 tokens at most", () => {
    const { primary, tokens } = summary(scores.shared.filter((one) => !one.failed));
    expect(primary).toBeGreaterThanOrEqual(0.95);
    expect(tokens).toBeLessThanOrEqual(150);
  });
});

describe("the estimate of tokens", () => {
  it("is near the true count on excerpts", () => {
    let estimated = 0;
    let counted = 0;
    for (const log of logs.shared) {
      const limits = log.exit === 0 ? SUCCESS_LIMITS : FAILURE_LIMITS;
      const one = excerptOfBytes(log.bytes, { exitCode: log.exit, command: log.command, limits, headRatio: 0.2 });
      estimated += one.tokens;
      counted += countTokens(one.text);
    }
    expect(estimated / counted).toBeGreaterThan(0.75);
    expect(estimated / counted).toBeLessThan(1.35);
  });
});

describe("docs/excerpt.md", () => {
  /** What stands in the documentation between two marks. */
  const stated = (name: string, now: string): string => {
    const start = `<!-- ${name}: start -->\n`;
    const text = readFileSync(DOCS, "utf8");
    const from = text.indexOf(start) + start.length;
    const to = text.indexOf(`\n<!-- ${name}: end -->`);
    if (process.env["UPDATE_DOCS"] !== "1") return text.slice(from, to);
    writeFileSync(DOCS, text.slice(0, from) + now + text.slice(to));
    return now;
  };

  it("states the scores of this tree", () => {
    const now = table();
    expect(stated("scores", now)).toBe(now);
  });

  it("states what other ways show of the same logs", () => {
    const now = ways();
    expect(stated("ways", now)).toBe(now);
  }, 120_000);
});
