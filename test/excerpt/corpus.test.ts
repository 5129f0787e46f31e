/**
 * The excerpt on real logs: the recall and the price that docs/excerpt.md states, and no log worse than
 * it may be. `UPDATE_DOCS=1` writes the table anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { excerptOfBytes, type ExcerptLimits, FAILURE_LIMITS, SUCCESS_LIMITS } from "../../src/excerpt/index.ts";
import { readLines, stripControls } from "../../src/text/index.ts";
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

const MARKER = /^… \[([\d,]+) lines? left out(?:: .*?)?(?:; line (\d+):)?\] …$/;
const CUT = /… \[([\d,]+) characters left out\] …/;
const CEILINGS = [
  FAILURE_LIMITS,
  { maxBytes: 1000, maxLines: 15, maxTokens: 200 },
  { maxBytes: 256, maxLines: 5, maxTokens: 64 },
];
const number = (text: string | undefined): number => Number((text ?? "").replaceAll(",", ""));

/** What is wrong with what an excerpt states of the log's lines; empty when it is all true. */
function untruths(log: MarkedLog, limits: ExcerptLimits): string[] {
  const { text, ranges, totalLines, shownLines } = excerptOfBytes(log.bytes, {
    exitCode: log.exit,
    command: log.command,
    limits,
    headRatio: 0.2,
  });
  const raw = readLines(log.bytes).text;
  const lines = raw.map((line) => stripControls(line).trimEnd());
  // Rows of a screen are not the log's lines: how many are left out is told of rows.
  const isDrawn = raw.some((line) => /[\r\b](?!\r*$)|\x1b\[\d*[ABCDEFGHJKf]/.test(line));
  const stated = ranges.flatMap(({ fromLine, toLine }) =>
    Array.from({ length: toLine - fromLine + 1 }, (_, i) => fromLine + i),
  );
  const wrong: string[] = [];
  const expectThat = (isTrue: boolean, what: string): void => {
    if (!isTrue) wrong.push(`${log.id} ${limits.maxTokens}: ${what}`);
  };
  let at = 0;
  for (const row of text === "" ? [] : text.split("\n")) {
    const next = stated[at] ?? lines.length + 1;
    const marker = MARKER.exec(row);
    if (marker !== null) {
      const before = stated[at - 1] ?? 0;
      const filled = lines.slice(before, next - 1).filter((line) => line !== "").length;
      expectThat(isDrawn || [next - before - 1, filled].includes(number(marker[1])), row);
      expectThat(marker[2] === undefined || number(marker[2]) === next, row);
      const held = [...row.matchAll(/×([\d,]+)/g)].reduce((sum, [, count]) => sum + number(count), 0);
      expectThat(held <= number(marker[1]), row);
      continue;
    }
    at++;
    const line = lines[next - 1] ?? "";
    const printed = line.startsWith("{") && !row.startsWith("{") ? outputOf(line) : line;
    const parts = row.replace(/ \(×[\d,]+\)(?: \[.*\])?$/, "").split(CUT);
    const shownParts = parts.filter((_, i) => i % 2 === 0);
    expectThat(
      shownParts.every((part) => printed.includes(part.trimEnd())),
      `line ${next}: ${row}`,
    );
    if (parts.length === 1) continue;
    const told = parts.reduce((sum, part, i) => sum + (i % 2 === 0 ? part.length : number(part)), 0);
    expectThat(
      told === (raw[next - 1] ?? "").length || told === printed.length,
      `line ${next} of ${printed.length}: ${row}`,
    );
  }
  expectThat(at === stated.length && at === shownLines && totalLines === lines.length, "counts");
  return wrong;
}

/** What a line of `go test -json` says. */
function outputOf(line: string): string {
  const value: { Output?: string } = JSON.parse(line);
  return (value.Output ?? "").trimEnd();
}

describe("every excerpt of the corpus", () => {
  it("shows each line where it says, and its numbers are right", () => {
    const wrong = [...logs.shared, ...logs.own].flatMap((log) => CEILINGS.flatMap((limits) => untruths(log, limits)));
    expect(wrong).toEqual([]);
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

describe("excerpts of failed runs without the lines of what passed", () => {
  const PASSED = /^\s*(?:✓|✔|√|ok \d+|PASS\b|PASSED|--- PASS)|\.\.\. ok$|\bPASSED\s+\[/;

  it("show what they showed with them", () => {
    const without = [...logs.shared, ...logs.own].flatMap((log) => {
      const lines = log.bytes.toString("utf8").split("\n");
      const left = lines.filter((line) => !PASSED.test(stripControls(line)));
      return log.exit === 0 || lines.length - left.length < 5 ? [] : [{ ...log, bytes: Buffer.from(left.join("\n")) }];
    });
    expect(without.length).toBeGreaterThan(30);
    const missed = without.flatMap((log) => {
      const gone = new Set(score(log, log.bytes.toString("utf8")).missed);
      return score(log, shown(log)).missed.filter((needle) => needle.startsWith("primary") && !gone.has(needle));
    });
    expect(missed.length / without.length).toBeLessThan(0.03);
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
