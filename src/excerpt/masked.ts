/**
 * Masks what could not be told for a secret in the finished text: the blocks of private keys, of which a row
 * may be shown without the row that opens it, and secrets in a row that is cut, of which a part may be shown
 * without its beginning.
 */
import { roughKey } from "./outliers.ts";
import type { Rows } from "./rows.ts";

const KEY = "PRIVATE KEY";
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/;
const END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY/;
// No key that is in use has so many rows.
const MOST_ROWS = 400;
const OPENED = "-----BEGIN PRIVATE KEY-----";

// No secret that is in use is longer.
const LONGEST = 32 << 10;

/** A row with its secrets masked, before it is cut around the place `at`; of a long one what stands near that place. */
export function maskedAround(text: string, at: number, mask: ((text: string) => string) | undefined): string {
  if (mask === undefined) return text;
  const from = Math.max(0, at - LONGEST);
  const to = at + LONGEST;
  return `${text.slice(0, from)}${mask(text.slice(from, to))}${text.slice(to)}`;
}

/** The rows with the blocks of private keys masked. */
export function withKeysMasked(rows: Rows, mask: (text: string) => string): Rows {
  let text: string[] | null = null;
  let open = -1;
  for (let row = 0; row < rows.text.length; row++) {
    const at = rows.text[row] ?? "";
    if (!at.includes(KEY)) continue;
    // The beginning may have been left out when the log was read.
    const end = at.search(END);
    if (end >= 0) {
      const begin = at.search(BEGIN);
      const isInRow = open < 0 && begin >= 0 && begin < end;
      const cut = open < 0 && !isInRow;
      const from = cut ? startOfPiece(rows, row) : isInRow ? row : open;
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
