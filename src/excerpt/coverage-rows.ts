/**
 * Of a coverage that did not reach what was asked for: the files that lack most of it. The table stands
 * above or below the message, and nothing in its rows looks like a failure.
 */
import type { View } from "./view.ts";

// ERROR: Coverage for branches (91%) does not meet · Required test coverage of 90% not reached.
const THRESHOLD = /coverage\b.*\b(?:does not meet|threshold|not reached|below|less than)\b/i;
// gamma.js | 83.33 | 66.66 | 100 | 100 | 1 · shop/cart.py 40 10 75% 3-9
const BARRED = /^\s*(\S.*?)\s*\|\s*([\d.]+)\s*\|\s*([\d.]+)\s*\|\s*([\d.]+)\s*\|\s*([\d.]+)\s*\|/;
const COLUMNS = /^\S+\.\w+(?:\s+\d+)+\s+(\d+(?:\.\d+)?)%/;
const MEASURES: readonly string[] = ["statements", "branches", "functions", "lines"];
const REACH = 300;
const MOST = 3;

/** Whether a row says that too little was covered. */
export function isBelowThreshold(text: string): boolean {
  return THRESHOLD.test(text);
}

/** The rows of the files that are covered least, in what a message is about, least first. */
export function leastCovered(view: View, message: number): number[] {
  const measure = MEASURES.findIndex((name) => view.text(message).includes(name));
  const found: { row: number; covered: number }[] = [];
  for (let row = Math.max(0, message - REACH); row < Math.min(view.length, message + REACH); row++) {
    const covered = coveredOf(view.text(row), measure);
    if (covered < 100) found.push({ row, covered });
  }
  return found
    .toSorted((a, b) => a.covered - b.covered)
    .slice(0, MOST)
    .map(({ row }) => row);
}

/** How much of a file is covered, in per cent; 100 for what is no row of a file. */
function coveredOf(text: string, measure: number): number {
  const barred = BARRED.exec(text);
  // A folder, and the sum of all, have no file's name.
  if (barred !== null && /\.\w{1,5}$/.test(barred[1] ?? "")) {
    const numbers = barred.slice(2).map(Number);
    return numbers[measure] ?? Math.min(...numbers);
  }
  return Number(COLUMNS.exec(text)?.[1] ?? 100);
}
