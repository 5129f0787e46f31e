/** Rows that stand out of an otherwise uniform log, and kinds of rows that are rare in it. */
import { isDecoration } from "./blocks.ts";
import type { Budget } from "./budget.ts";
import { isHarmless, isOfPassedTest } from "./findings.ts";
import { isFrame } from "./frames.ts";
import type { Group } from "./groups.ts";
import { indentOf } from "./indent.ts";
import { opens, opensAgain } from "./openings.ts";
import { outliersOf, rareOf } from "./outliers.ts";
import { isSource } from "./places.ts";
import type { Rows } from "./rows.ts";
import type { View } from "./view.ts";

// Where so many rows that stand out were too long, a shorter one further down is worth no more than they.
const MOST_REFUSED = 32;

/** Buys rows that stand out; `loud` are the groups that tell of failures. */
export function standOut(
  view: View,
  rows: Rows,
  loud: readonly Group[],
  quiet: readonly Group[],
  budget: Budget,
  tokens: number,
): void {
  const share = budget.share(tokens);
  let taken = 0;
  let refused = 0;
  // Where nothing is said of a failure, what is seldom said comes first.
  if (loud.length === 0 && rows.complete) {
    for (const { row, count } of rareOf(rows.text, rows.raw)) {
      if (!isHarmless(view.text(row)) && !isDecoration(view.text(row))) share.add(row, "outlier", 210, count, 200);
    }
  }
  for (const row of outliersOf(rows.keys)) {
    if (taken >= 6) break;
    const text = view.text(row);
    if (isHarmless(text) || isDecoration(text) || isFrame(text) || isSource(text)) continue;
    // What is set in below another of a group says again what is set in below the first.
    if (/^\s/.test(text) && loud.some((group) => opensAgain(group, row - 1) || opensAgain(group, row - 2))) continue;
    if (loud.some((group) => opens(group, row) || (row > group.first.finding.row && row <= group.first.end))) continue;
    if (isOfWarning(view, quiet, row) || isOfPassedTest(view, row, text)) continue;
    if (share.add(row, "outlier", 200 - taken, 1, 200)) taken++;
    else if (++refused === MOST_REFUSED) break;
  }
}

// So far below a warning its details stand.
const DETAILS_REACH = 16;

/** Whether a row is set in below a warning, with nothing but its source and its carets on the way. */
function isOfWarning(view: View, quiet: readonly Group[], row: number): boolean {
  let indent = indentOf(view.text(row));
  for (let at = row - 1; indent > 0 && at >= 0 && at >= row - DETAILS_REACH; at--) {
    const text = view.text(at);
    if (text === "") return false;
    if (isSource(text) || indentOf(text) >= indent) continue;
    if (quiet.some((group) => opens(group, at))) return true;
    indent = indentOf(text);
  }
  return false;
}
