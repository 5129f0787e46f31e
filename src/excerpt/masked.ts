/**
 * Masks the blocks of private keys before rows are chosen. A row that is shown without the row that
 * opens its block could not be told for a part of a key afterwards.
 */
import { roughKey } from "./outliers.ts";
import type { Rows } from "./rows.ts";

const KEY = "PRIVATE KEY";
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/;
const END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY/;
// No key that is in use has so many rows.
const MOST_ROWS = 400;
const OPENED = "-----BEGIN PRIVATE KEY-----";

/** The rows with the blocks of private keys masked. */
export function withKeysMasked(rows: Rows, mask: (text: string) => string): Rows {
  let text: string[] | null = null;
  let open = -1;
  for (let row = 0; row < rows.text.length; row++) {
    const at = rows.text[row] ?? "";
    if (!at.includes(KEY)) continue;
    // The beginning may have been left out when the log was read.
    if (END.test(at)) {
      const cut = open < 0;
      const from = cut ? startOfPiece(rows, row) : open;
      text = masked(text ?? [...rows.text], from, row, mask, cut);
      open = -1;
    }
    if (BEGIN.test(at) && at.lastIndexOf("-----BEGIN ") > at.lastIndexOf("-----END ")) {
      if (open >= 0) text = masked(text ?? [...rows.text], open, row - 1, mask, false);
      open = row;
    }
  }
  if (open >= 0)
    text = masked(text ?? [...rows.text], open, Math.min(rows.text.length, open + MOST_ROWS) - 1, mask, false);
  return text === null ? rows : { ...rows, text, keys: text.map(roughKey), raw: null };
}

function masked(text: string[], from: number, to: number, mask: (text: string) => string, isCut: boolean): string[] {
  const block = text.slice(from, to + 1);
  const shown = mask([...(isCut ? [OPENED] : []), ...block].join("\n")).split("\n");
  if (isCut) shown.shift();
  for (let i = 0; i < block.length; i++) text[from + i] = shown[i] ?? "";
  return text;
}

/** The first of the rows above that were kept together with `row`. */
function startOfPiece(rows: Rows, row: number): number {
  let from = row;
  while (from > 0 && row - from < MOST_ROWS && (rows.line[from] ?? 0) - (rows.line[from - 1] ?? 0) <= 1) from--;
  return from;
}
