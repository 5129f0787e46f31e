/**
 * Puts chosen rows together: markers where something was left out, long lines cut, and nothing above
 * the ceilings. When the whole is too much the least wanted rows go first.
 */
import { estimateTokens, wellFormed } from "../text/index.ts";
import { type Choice, type Chosen, counted, printedChoice } from "./choice.ts";
import { startOf } from "./cut.ts";
import { Gaps } from "./gaps.ts";
import type { Rows } from "./rows.ts";
import type { ExcerptLimits, ExcerptRange } from "./types.ts";

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
export function render(
  rows: Rows,
  chosen: Chosen,
  totalLines: number,
  limits: ExcerptLimits,
  mask?: (text: string) => string,
): Rendered {
  let kept = [...chosen.choices].toSorted((a, b) => a.row - b.row);
  let gaps = new Gaps(rows, chosen.untoldBy(kept), totalLines);
  // What is dropped may be evidence that the markers have to count; what they say then takes room in turn.
  let isCounted = true;
  for (;;) {
    const told = counted(kept);
    const printed = print(rows, told, gaps);
    const text = mask === undefined ? printed : mask(printed);
    const tokens = estimateTokens(text);
    const over = overBy(text, tokens, limits);
    if (over <= 1 || kept.length === 0) {
      if (isCounted) return over <= 1 ? result(rows, told, text, tokens, gaps) : nothing(rows, gaps, limits);
      gaps = new Gaps(rows, chosen.untoldBy(kept), totalLines);
      isCounted = true;
      continue;
    }
    isCounted = false;
    if (kept.length === 1) {
      const only = kept[0];
      if (only === undefined || only.text.length < 2) kept = [];
      else {
        // What is left of a secret could not be told for one.
        const whole = only.cut || mask === undefined ? only.text : mask(only.text);
        const start = startOf(whole, Math.floor(whole.length / Math.max(1.2, over)));
        kept = start.trim() === "" ? [] : [{ ...only, text: start, cut: true }];
      }
      continue;
    }
    const drop = Math.max(1, Math.floor(kept.length * (1 - 1 / over) * 0.5));
    const order = [...kept].toSorted((a, b) => a.weight - b.weight || b.row - a.row);
    const gone = new Set(order.slice(0, drop));
    kept = kept.filter((choice) => !gone.has(choice));
  }
}

/** How many times as much a text is as the narrowest of the ceilings. */
function overBy(text: string, tokens: number, limits: ExcerptLimits): number {
  return Math.max(
    tokens / limits.maxTokens,
    Buffer.byteLength(text) / limits.maxBytes,
    countLines(text) / limits.maxLines,
  );
}

/** Under ceilings below what a marker takes: a sign that there is something, if that fits. */
function nothing(rows: Rows, gaps: Gaps, limits: ExcerptLimits): Rendered {
  const tokens = estimateTokens(SOMETHING);
  const fits = overBy(SOMETHING, tokens, limits) <= 1;
  return result(rows, [], fits ? SOMETHING : "", fits ? tokens : 0, gaps);
}

const SOMETHING = "…";

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

function print(rows: Rows, choices: readonly Choice[], gaps: Gaps): string {
  const out: string[] = [];
  let last = -1;
  for (const choice of choices) {
    const marker = gaps.marker(last, choice.row);
    if (marker !== "") out.push(marker);
    out.push(printedChoice(choice));
    last = choice.row;
  }
  const marker = gaps.marker(last, rows.text.length);
  if (marker !== "") out.push(marker);
  return wellFormed(out.join("\n"));
}

function result(rows: Rows, shown: readonly Choice[], text: string, tokens: number, gaps: Gaps): Rendered {
  const ranges: ExcerptRange[] = [];
  const places = rows.placesOf(
    [...new Set(shown.map((choice) => rows.line[choice.row] ?? 1))].toSorted((a, b) => a - b),
  );
  for (const choice of shown) {
    const line = rows.line[choice.row] ?? 1;
    const bytes = places.get(line) ?? { from: 0, to: 0 };
    const last = ranges.at(-1);
    if (
      last !== undefined &&
      last.toLine + 1 === line &&
      last.why === choice.why &&
      last.count === 1 &&
      choice.count === 1
    ) {
      ranges[ranges.length - 1] = { ...last, to: bytes.to, toLine: line };
    } else ranges.push({ ...bytes, fromLine: line, toLine: line, why: choice.why, count: choice.count });
  }
  let missing = shown.some((choice) => choice.cut);
  let last = -1;
  for (const row of [...shown.map((choice) => choice.row), rows.text.length]) {
    if (gaps.marker(last, row) !== "") missing = true;
    last = row;
  }
  return { text, tokens, shown, ranges, truncated: missing };
}
