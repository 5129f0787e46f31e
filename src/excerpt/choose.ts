/** Which rows are shown: all when they fit, else head, tail and the errors between. */
import { estimateTokens } from "../text/index.ts";
import { type Choice, cutLine } from "./render.ts";
import type { Rows } from "./rows.ts";
import { isSevere } from "./severity.ts";
import { shapeKey } from "./shape.ts";
import type { ExcerptRequest } from "./types.ts";

const LONG_LINE = 400;

/** Chooses rows; the result may be above the limits, with weights that say what goes first. */
export function choose(rows: Rows, totalLines: number, request: ExcerptRequest): Choice[] {
  const { limits } = request;
  const count = rows.text.length;
  if (count <= limits.maxLines && totalLines <= count + 1 && fits(rows, request)) {
    return rows.text.map((text, row) => ({ row, text, why: "whole", count: 1, weight: 1, cut: false }));
  }
  const chosen = new Map<number, Choice>();
  const budget = { tokens: limits.maxTokens * 0.9, lines: limits.maxLines - 12, bytes: limits.maxBytes * 0.9 };
  const take = (row: number, why: string, weight: number, share: { tokens: number; lines: number; bytes: number }): boolean => {
    const text = rows.text[row] ?? "";
    if (chosen.has(row)) return true;
    const shown = cutLine(text, LONG_LINE);
    const cost = { tokens: estimateTokens(shown) + 1, bytes: Buffer.byteLength(shown) + 1 };
    if (share.lines < 1 || share.tokens < cost.tokens || share.bytes < cost.bytes) return false;
    share.lines -= 1;
    share.tokens -= cost.tokens;
    share.bytes -= cost.bytes;
    chosen.set(row, { row, text: shown, why, count: 1, weight, cut: shown !== text });
    return true;
  };
  const part = (ratio: number) => ({ tokens: budget.tokens * ratio, lines: Math.floor(budget.lines * ratio), bytes: budget.bytes * ratio });
  const errorRatio = request.errorBudgetRatio ?? 0.5;
  const errors = part(errorRatio);
  const seen = new Set<string>();
  for (let row = 0; row < count && seen.size < (request.errorMaxEntries ?? 10); row++) {
    const text = rows.text[row] ?? "";
    if (!isSevere(text) || seen.has(shapeKey(text))) continue;
    if (!take(row, "error", 3, errors)) break;
    seen.add(shapeKey(text));
  }
  const rest = 1 - errorRatio;
  const head = part(rest * request.headRatio);
  for (let row = 0; row < count; row++) if (!take(row, "head", row === 0 ? 5 : 1, head)) break;
  const tail = part(rest * (1 - request.headRatio));
  for (let row = count - 1; row >= 0; row--) if (!take(row, "tail", row === count - 1 ? 6 : 2, tail)) break;
  return [...chosen.values()];
}

function fits(rows: Rows, request: ExcerptRequest): boolean {
  const text = rows.text.join("\n");
  if (rows.text.some((line) => line.length > LONG_LINE * 8)) return false;
  return Buffer.byteLength(text) <= request.limits.maxBytes && estimateTokens(text) <= request.limits.maxTokens;
}
