/** Which rows open the blocks of a group. */
import type { Group } from "./groups.ts";

/** Whether a row opens a block of a group, and not its first. */
export function opensAgain(group: Group, row: number): boolean {
  return row !== group.first.finding.row && opens(group, row);
}

/** Whether a row opens a block of a group. A flood has tens of thousands, in order. */
export function opens({ rows }: Group, row: number): boolean {
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((rows[middle] ?? 0) < row) from = middle + 1;
    else to = middle;
  }
  return rows[from] === row;
}
