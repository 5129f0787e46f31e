/** Logs that are shown whole: small ones that are not mostly one line again and again. */
import { estimateTokens } from "../text/index.ts";
import type { Chosen } from "./choice.ts";
import type { Rows } from "./rows.ts";
import type { ExcerptRequest } from "./types.ts";

/** Whether all rows are within the ceilings and within `tokens`. */
export function fits(rows: Rows, request: ExcerptRequest, tokens: number): boolean {
  if (rows.text.length > request.limits.maxLines) return false;
  let length = 0;
  for (const text of rows.text) {
    if (text.length > 2000) return false;
    length += text.length + 1;
  }
  if (length > request.limits.maxBytes) return false;
  const text = rows.text.join("\n");
  return (
    Buffer.byteLength(text) <= request.limits.maxBytes &&
    estimateTokens(text) <= Math.min(tokens, request.limits.maxTokens)
  );
}

// So many rows of one shape in a row are worth a count, not their text.
const REPEATED = 12;

/** Whether many rows of one shape follow each other. */
export function isRepetitive(rows: Rows): boolean {
  let alike = 0;
  let last = 0;
  for (const key of rows.keys) {
    alike = key === last && key !== 0 ? alike + 1 : 0;
    last = key;
    if (alike >= REPEATED) return true;
  }
  return false;
}

/** All rows. */
export function whole(rows: Rows): Chosen {
  return {
    choices: rows.text.map((text, row) => ({ row, text, why: "whole", count: 1, weight: 1, cut: false })),
    untoldBy: () => [],
  };
}
