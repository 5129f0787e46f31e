/** The warnings of a success: the first kinds with what belongs to them, more of them by one row each. */
import type { Budget } from "./budget.ts";
import { isHarmless } from "./findings.ts";
import type { Group } from "./groups.ts";
import { isPlace } from "./places.ts";
import { GRADE, withoutNames } from "./severity.ts";
import { shapeKey } from "./shape.ts";
import type { SUCCESS } from "./spending.ts";
import type { View } from "./view.ts";

/** So many kinds of warnings are shown with what belongs to them. */
export const DETAILED = 3;
// So many more are shown by one row each.
const LISTED = 4;

/** Buys the warnings of a success. */
export function warnings(view: View, groups: readonly Group[], budget: Budget, plan: typeof SUCCESS): void {
  let taken = 0;
  const rest = budget.share(plan.later * 2.5);
  const endings = new Set<string>();
  const details: { share: Budget; core: readonly number[]; weight: number }[] = [];
  // What else there is comes before where the first is.
  const detail = (): void => {
    for (const { share, core, weight } of details.splice(0))
      for (const row of core) (isPlace(view.text(row)) ? budget : share).add(row, "detail", weight, 1, 200);
  };
  for (const group of groups) {
    const { finding } = group.first;
    if (finding.grade === GRADE.consequence || finding.grade === GRADE.weak || taken >= DETAILED + LISTED) continue;
    if (isHarmless(view.text(finding.row)) || withoutNames(view.text(finding.row)) === "·") continue;
    const ending = endOf(view.text(finding.row));
    if (taken >= DETAILED) {
      detail();
      if (!endings.has(ending) && rest.add(finding.row, "warning", 600 - taken * 10, group.count, 120)) taken++;
      endings.add(ending);
      continue;
    }
    endings.add(ending);
    // What failed although the run did not is worth more than a warning.
    const share = budget.share(finding.grade >= GRADE.strong ? plan.block * 1.6 : plan.block);
    const told = [160, 100].some((width) => share.add(finding.row, "warning", 600 - taken * 10, group.count, width));
    if (!told) continue;
    const core = group.first.core.filter((other) => other !== finding.row).slice(0, 2);
    details.push({ share, core, weight: 600 - taken * 10 });
    taken++;
  }
  detail();
}

/** The end of a message: what it says of the things that it names before. */
function endOf(text: string): string {
  return shapeKey(text).split(" ").slice(-3).join(" ");
}
