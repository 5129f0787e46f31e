/**
 * Other ways to show less than a log, as tools that run commands for agents do it: what an excerpt is held against.
 * Each is the simplest form of its kind, of rows without control sequences.
 */
import { estimateTokens, readLines, stripControls } from "../../src/text/index.ts";
import type { MarkedLog } from "./score.ts";

/** One way: its name, and what it shows of a log. */
export interface Way {
  readonly name: string;
  readonly show: (log: MarkedLog) => string;
}

const BYTES = 8192;
const LINES = 120;
const TOKENS = 2048;
const HEAD = 0.2;

function rowsOf(log: MarkedLog): string[] {
  return readLines(log.bytes).text.map((row) => stripControls(row).replaceAll("\r", ""));
}

/** As many rows from the start as fit, or from the end. */
function fitting(rows: readonly string[], share: number, fromEnd: boolean): string[] {
  const kept: string[] = [];
  let [bytes, tokens] = [0, 0];
  for (const row of fromEnd ? rows.toReversed() : rows) {
    bytes += Buffer.byteLength(row) + 1;
    tokens += estimateTokens(row) + 1;
    if (bytes > BYTES * share || tokens > TOKENS * share || kept.length >= LINES * share) break;
    kept.push(row);
  }
  return fromEnd ? kept.toReversed() : kept;
}

function headAndTail(rows: readonly string[], share: number): string {
  const all = fitting(rows, share, false);
  if (all.length === rows.length) return all.join("\n");
  return [...fitting(rows, share * HEAD, false), "…", ...fitting(rows, share * (1 - HEAD), true)].join("\n");
}

const LOUD = /\b(?:err(?:or)?s?|fatal|fail(?:ed|ures?|s)?|exception|panic(?:ked)?|critical|severe|traceback)\b/i;
const SAYS_SO = /error|fail/i;

function around(rows: readonly string[]): string[] {
  const kept = new Set<number>();
  for (const [i, row] of rows.entries()) {
    if (SAYS_SO.test(row)) for (let at = i - 2; at <= i + 2; at++) if (at >= 0 && at < rows.length) kept.add(at);
  }
  return [...kept].toSorted((a, b) => a - b).map((i) => rows[i] ?? "");
}

// A line that is longer is a record, of which the marked part is looked for.
const LONG = 400;
const AROUND = 60;

/** A line, of a long one what stands around a part of it. */
function partOf(line: string, part: string): string {
  const at = line.indexOf(part);
  return line.length <= LONG ? line : line.slice(Math.max(0, at - AROUND), at + part.length + AROUND);
}

/** The ways, from the shortest to the whole log, and the floor: the lines that were marked. */
export const WAYS: readonly Way[] = [
  {
    name: "`grep -iE 'error\\|fail'`, two lines around each, 2,048 tokens",
    show: (log) => fitting(around(rowsOf(log)), 1, false).join("\n"),
  },
  { name: "head and tail, 2,048 tokens", show: (log) => headAndTail(rowsOf(log), 1) },
  {
    name: "head, tail and ten lines with `error`, `fatal`, `failed` …, 2,048 tokens",
    show: (log) => {
      const rows = rowsOf(log);
      const whole = fitting(rows, 1, false);
      if (whole.length === rows.length) return whole.join("\n");
      const head = fitting(rows, 0.2, false);
      const tail = fitting(rows, 0.6, true);
      const said = rows.slice(head.length, rows.length - tail.length).filter((row) => LOUD.test(row.slice(0, 60)));
      return [...head, "…", ...fitting(said.slice(0, 10), 0.2, false), ...tail].join("\n");
    },
  },
  {
    name: "the last 2,000 lines, 50 KiB",
    show: (log) =>
      Buffer.from(rowsOf(log).slice(-2000).join("\n"))
        .subarray(-50 * 1024)
        .toString(),
  },
  {
    name: "head and tail, 10,000 tokens",
    show: (log) => {
      const text = Buffer.from(rowsOf(log).join("\n"));
      return text.length <= 40_000
        ? text.toString()
        : `${text.subarray(0, 20_000).toString()}\n…\n${text.subarray(-20_000).toString()}`;
    },
  },
  { name: "the whole log", show: (log) => log.bytes.toString("utf8") },
  {
    name: "the marked lines alone",
    show: (log) => {
      const rows = rowsOf(log);
      return log.needles.map(({ text }) => partOf(rows.find((row) => row.includes(text)) ?? text, text)).join("\n");
    },
  },
];
