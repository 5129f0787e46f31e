/** What of the evidence the rows that are shown do not tell of: markers say how much of it they left out. */
import type { Choice, Untold } from "./choice.ts";
import type { Group } from "./groups.ts";
import { opens } from "./openings.ts";
import { isRepeat, toldBy } from "./repeats.ts";
import { GRADE, isRemark } from "./severity.ts";
import type { View } from "./view.ts";

/** The groups that the choices do not tell of, or not of all their rows: for each gap between the choices what of them is in it. */
export function untold(view: View, groups: readonly Group[], choices: readonly Choice[]): Untold[] {
  const shown = new Map(choices.map((choice) => [choice.row, choice.count]));
  const missing: Untold[] = [];
  const rows = [...shown.keys()].toSorted((a, b) => a - b);
  const told = new Set(groups.filter((group) => rows.some((row) => opens(group, row))));
  const said = toldBy(view, [...told]);
  for (const group of groups) {
    const { grade } = group.first.finding;
    if (group.first.bare || (grade !== GRADE.warning && grade !== GRADE.explicit)) continue;
    // A flood has as many rows as the log; few are shown.
    const own = told.has(group) ? rows.filter((one) => opens(group, one)) : [];
    if (own.some((one) => (shown.get(one) ?? 0) >= group.count)) continue;
    // What is shown of a group itself does not tell of the rest of it.
    const rest = told.has(group) ? [...told].filter((other) => other !== group) : null;
    if (isRepeat(view, group, rest === null ? said : toldBy(view, rest))) continue;
    const kind = kindOf(view, group);
    missing.push(...partsOf(group, rows).map((part) => ({ ...part, kind })));
  }
  return missing.toSorted((one, other) => one.row - other.row);
}

/** How many rows of a group stand in each gap between rows that are shown, and the first of them there. */
function partsOf(group: Group, shown: readonly number[]): Pick<Untold, "row" | "count">[] {
  const parts = new Map<number, { row: number; count: number }>();
  let gap = 0;
  for (const row of group.rows) {
    while ((shown[gap] ?? row) < row) gap++;
    if (shown[gap] === row) continue;
    const part = parts.get(gap);
    if (part === undefined) parts.set(gap, { row, count: 1 });
    else part.count++;
  }
  const all = [...parts.values()];
  // What was counted and not kept is most likely where most of the group is.
  const largest = all.toSorted((one, other) => other.count - one.count)[0];
  if (largest !== undefined) largest.count += group.count - group.rows.length;
  return all;
}

function kindOf(view: View, { first: { finding } }: Group): Untold["kind"] {
  if (finding.grade !== GRADE.warning) return "error";
  return isRemark(view.text(finding.row)) ? "remark" : "warning";
}
