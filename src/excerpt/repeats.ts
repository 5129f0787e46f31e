/** Groups that say again what others say, as where a runner lists its failures a second time. */
import type { Group } from "./groups.ts";
import type { View } from "./view.ts";

// Of more rows it would take long to tell whether each of them is told elsewhere.
const MOST_REPEATS = 12;
const TOLD_LENGTH = 12;

/** Whether the rows of a group say a part of what others say, as where a runner lists its failures again. */
export function isRepeat(view: View, { first, rows }: Group, told: string): boolean {
  // Below a title that is told stands what is not.
  if (rows.length > MOST_REPEATS || (first.finding.recogniser?.titled === true && !first.bare)) return false;
  return rows.every((row) => {
    const text = view.text(row).trim();
    return text.length >= TOLD_LENGTH && told.includes(text);
  });
}

/** What groups say, one row below the other. */
export function toldBy(view: View, groups: readonly Group[]): string {
  const rows = groups.flatMap((group) => [
    ...group.first.core,
    ...group.rows.slice(0, MOST_REPEATS),
    ...group.more.flatMap(({ core }) => core),
  ]);
  return rows.map((row) => view.text(row)).join("\n");
}
