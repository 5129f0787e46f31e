/**
 * Puts chosen rows together: markers where something was left out, long lines cut, and nothing above
 * the ceilings. When the whole is too much the least wanted rows go first.
 */
import { estimateTokens, wellFormed } from "../text/index.ts";
import type { Rows } from "./rows.ts";
import type { ExcerptLimits, ExcerptRange } from "./types.ts";

/** A row that is to be shown. */
export interface Choice {
  /** Its index in the rows. */
  readonly row: number;
  /** What is printed for it. */
  readonly text: string;
  readonly why: string;
  /** How many rows like it this one stands for. */
  readonly count: number;
  /** The higher the longer it stays. */
  readonly weight: number;
  /** Whether `text` is not all of the row. */
  readonly cut: boolean;
}

/** The printed text and what it is made of. */
export interface Rendered {
  readonly text: string;
  readonly tokens: number;
  readonly shown: readonly Choice[];
  readonly ranges: readonly ExcerptRange[];
  /** Whether anything that is not blank is missing. */
  readonly truncated: boolean;
}

/** Prints the choices, ordered by row, within the limits. */
export function render(rows: Rows, choices: readonly Choice[], totalLines: number, limits: ExcerptLimits): Rendered {
  let kept = [...choices].sort((a, b) => a.row - b.row);
  for (;;) {
    const text = print(rows, kept, totalLines);
    const tokens = estimateTokens(text);
    const over = Math.max(tokens / limits.maxTokens, Buffer.byteLength(text) / limits.maxBytes, countLines(text) / limits.maxLines);
    if (over <= 1 || kept.length === 0) return result(rows, kept, text, tokens, totalLines);
    if (kept.length === 1) {
      const only = kept[0];
      if (only === undefined || only.text.length < 2) kept = [];
      else kept = [{ ...only, text: wellFormed(only.text.slice(0, Math.floor(only.text.length / Math.max(1.2, over)))), cut: true }];
      continue;
    }
    const drop = Math.max(1, Math.floor(kept.length * (1 - 1 / over) * 0.5));
    const order = [...kept].sort((a, b) => a.weight - b.weight || b.row - a.row);
    const gone = new Set(order.slice(0, drop));
    kept = kept.filter((choice) => !gone.has(choice));
  }
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

function print(rows: Rows, choices: readonly Choice[], totalLines: number): string {
  const out: string[] = [];
  let last = -1;
  for (const choice of choices) {
    const marker = gap(rows, last, choice.row, totalLines);
    if (marker !== "") out.push(marker);
    out.push(choice.text);
    last = choice.row;
  }
  const marker = gap(rows, last, rows.text.length, totalLines);
  if (marker !== "") out.push(marker);
  return wellFormed(out.join("\n"));
}

/** What is said of the rows between two that are shown; nothing when only blank ones are missing. */
function gap(rows: Rows, from: number, to: number, totalLines: number): string {
  const before = from < 0 ? 0 : (rows.line[from] ?? 0);
  const after = to >= rows.text.length ? totalLines + 1 : (rows.line[to] ?? 0);
  let inside = 0;
  for (let i = from + 1; i < to; i++) if (rows.text[i]?.trim()) inside++;
  const unread = after - before - 1 > to - from - 1 && !rows.drawn;
  if (inside === 0 && !unread) return "";
  const missing = rows.drawn ? inside : Math.max(inside, after - before - 1);
  return `… [${missing.toLocaleString("en-US")} ${missing === 1 ? "line" : "lines"} left out] …`;
}

function result(rows: Rows, shown: readonly Choice[], text: string, tokens: number, totalLines: number): Rendered {
  const ranges: ExcerptRange[] = [];
  for (const choice of shown) {
    const line = rows.line[choice.row] ?? 1;
    const bytes = rows.bytesOf(line);
    const last = ranges.at(-1);
    if (last !== undefined && last.toLine + 1 === line && last.why === choice.why && last.count === 1 && choice.count === 1) {
      ranges[ranges.length - 1] = { ...last, to: bytes.to, toLine: line };
    } else ranges.push({ ...bytes, fromLine: line, toLine: line, why: choice.why, count: choice.count });
  }
  let missing = shown.some((choice) => choice.cut);
  let last = -1;
  for (const row of [...shown.map((choice) => choice.row), rows.text.length]) {
    if (gap(rows, last, row, totalLines) !== "") missing = true;
    last = row;
  }
  return { text, tokens, shown, ranges, truncated: missing };
}

/** Cuts a line to about `max` characters around the place `at`, saying how many were left out. */
export function cutLine(line: string, max: number, at = 0): string {
  if (line.length <= max) return line;
  const from = at < max * 0.7 ? 0 : Math.min(at - Math.floor(max * 0.3), line.length - max);
  const to = from + max;
  const before = from > 0 ? `… [${from.toLocaleString("en-US")} characters left out] …` : "";
  const after = to < line.length ? `… [${(line.length - to).toLocaleString("en-US")} characters left out] …` : "";
  return wellFormed(`${before}${line.slice(from, to)}${after}`);
}
