/** The evidence of a failure: groups by their weight, each first what is needed to understand it, then what helps. */
import { placesOf } from "./blocks.ts";
import type { Budget } from "./budget.ts";
import { isBelowThreshold, leastCovered } from "./coverage-rows.ts";
import { isHarmless } from "./findings.ts";
import type { Group } from "./groups.ts";
import { maskedAround } from "./masked.ts";
import { opens } from "./openings.ts";
import { isPlace, placeAbove } from "./places.ts";
import { isRepeat, toldBy } from "./repeats.ts";
import { GRADE } from "./severity.ts";
import type { FAILURE } from "./spending.ts";
import type { ExcerptRequest } from "./types.ts";
import { variantsOf } from "./variants.ts";
import type { View } from "./view.ts";

const ERROR_RATIO = 0.5;
// A long row is cut to so many characters; of the third cause on the words that say what it is are enough.
const WIDTH = 300;
const LATER_WIDTH = 180;

// tests/test_cart.py:78: AssertionError · File "tests/test_cart.py", line 78, in test_total
const PLACED = /^\s*(?:\S+\.\w{1,5}:\d+(?::\d+)?(?:: \w+)?|File ".*", line \d+, in \S+)$/;

/** Buys the evidence of a failure. */
export function evidence(
  view: View,
  groups: readonly Group[],
  all: Budget,
  plan: typeof FAILURE,
  request: ExcerptRequest,
): void {
  const budget = all.share(request.limits.maxTokens * (request.errorBudgetRatio ?? ERROR_RATIO));
  const best = groups[0]?.first.finding.grade ?? GRADE.none;
  const floor = best >= GRADE.strong ? GRADE.strong : GRADE.warning;
  const max = request.errorMaxEntries ?? 10;
  const shown: Group[] = [];
  let told = "";
  for (const group of groups) {
    const { finding } = group.first;
    if (shown.length >= max) break;
    if (finding.grade < floor) continue;
    if (finding.grade === GRADE.consequence && shown.length > 0) continue;
    if (finding.grade === GRADE.weak && shown.length > 4) continue;
    if (group.first.bare && shown.length > 2) continue;
    if (isRepeat(view, group, told)) continue;
    const share = budget.share(shown.length === 0 ? plan.block * 1.6 : shown.length < 3 ? plan.block : plan.later);
    const { core, message } = group.first;
    // Where it is comes before how the values differ.
    const places = core.filter((row) => PLACED.test(view.text(row)) || isPlace(view.text(row)));
    const order = [...new Set([finding.row, message, ...places, ...core])];
    let any = false;
    for (const row of order) {
      if (row !== finding.row && budget.isTold(row)) continue;
      const count = row === finding.row ? group.count : 1;
      if (
        share.add(
          row,
          row === finding.row ? "error" : "detail",
          700 - shown.length * 20 - (row === finding.row ? 0 : 5),
          count,
          shown.length < 2 ? WIDTH : LATER_WIDTH,
        )
      )
        any = true;
      else if (row === finding.row) break;
    }
    if (any) {
      shown.push(group);
      told += `\n${toldBy(view, [group])}`;
      if (group.more.length > 0) titled(view, group, budget);
    } else if (budget.left < 15) break;
  }
  others(view, shown, budget, request);
  warnedOf(view, groups, told, budget);
  const uncovered = shown.find(({ first: { message } }) => isBelowThreshold(view.text(message)));
  if (uncovered !== undefined)
    for (const row of leastCovered(view, uncovered.first.message)) budget.add(row, "detail", 405, 1, 160);
  for (const [i, group] of shown.entries()) {
    const share = budget.share(i === 0 ? 90 : 30);
    let taken = 0;
    for (const row of group.first.extra) {
      if (shown.some((same) => opens(same, row)) || isHarmless(view.text(row))) continue;
      share.add(row, "context", 300 - i * 10, 1, 160);
      if (++taken === MOST_EXTRA) break;
    }
  }
}

const UNRESOLVED = /\b(?:undefined (?:symbol|reference)|unresolved external symbol)\b(?: to)?:? *[`'‘"]?([\w$]+)/g;
const WARNED = 90;

/** Of names that were not found when a program was linked or loaded: the first warning that the compiler gave of each. */
function warnedOf(view: View, groups: readonly Group[], told: string, budget: Budget): void {
  const share = budget.share(WARNED);
  for (const name of new Set([...told.matchAll(UNRESOLVED)].map((found) => found[1] ?? ""))) {
    const warning = groups.find(
      ({ first: { finding } }) =>
        finding.grade === GRADE.warning &&
        view
          .text(finding.row)
          .split(/[^\w$]+/)
          .includes(name),
    );
    if (warning !== undefined) share.add(warning.first.finding.row, "warning", 410, 1, 160);
  }
}

// So many rows that help are offered of one group.
const MOST_EXTRA = 8;

// Others of a group are shown as they are while they are few; of a flood only in what they differ.
const FEW = 4;

/** Of each group that is shown, the others: their lines, or their variants joined. */
function others(view: View, shown: readonly Group[], budget: Budget, request: ExcerptRequest): void {
  const share = budget.share(120);
  for (const group of shown) {
    const most = request.errorMaxVariantsJoined ?? 6;
    const rest = unboughtOf(group, budget, Math.max(FEW, most * 4));
    if (rest.length === 0) continue;
    const first = group.first.finding.row;
    const isFew = rest.length < FEW && group.more.length === 0;
    // What is said again word for word says something only by its place.
    const said = view.text(first).trim();
    if (isFew) for (const row of rest) if (view.text(row).trim() !== said) share.add(row, "other", 400, 1, 200);
    const lines = rest
      .slice(0, most * 4)
      .flatMap((row) => (view.text(row).trim() !== said ? (isFew ? [] : [view.printed(row)]) : placeOf(view, row)));
    // A variant stands apart from what says that it is a secret.
    const [own = "", ...other] = [[...placeOf(view, first), view.printed(first)].join(" "), ...lines].map((line) =>
      maskedAround(line, 0, request.mask),
    );
    const variants = variantsOf(own, other, most);
    if (variants.length > 0) share.join(first, variants, group.count - 1 > variants.length);
  }
}

/** The rows of a group besides the first that are not bought, `most` at most: a flood has as many as the log. */
function unboughtOf({ rows }: Group, budget: Budget, most: number): number[] {
  const found: number[] = [];
  for (let i = 1; i < rows.length && found.length < most; i++) {
    const row = rows[i];
    if (row !== undefined && !budget.has(row)) found.push(row);
  }
  return found;
}

// What one of several failed tests may cost.
const TITLED = 90;
const MOST_OTHER = 2;

/** Of failed tests that say the same of different things: the others while they are few, else those that failed elsewhere. */
function titled(view: View, group: Group, budget: Budget): void {
  const isFew = group.count <= FEW;
  const seen = new Set(placesOf(view, group.first));
  const told = new Set(group.first.core.map((row) => view.text(row).trim()));
  let taken = 0;
  for (const block of group.more) {
    const places = placesOf(view, block);
    if (!isFew && (taken >= MOST_OTHER || places.every((place) => seen.has(place)))) continue;
    for (const place of places) seen.add(place);
    const share = budget.share(TITLED);
    const { row } = block.finding;
    if (!share.add(row, "other", 420 - taken, 1, 160)) break;
    taken++;
    for (const at of new Set([block.message, ...block.core])) {
      const text = view.text(at).trim();
      if (at !== row && (text.endsWith(":") || (!told.has(text) && !budget.isTold(at))))
        share.add(at, "detail", 400 - taken, 1, 160);
    }
  }
}

// File "lib/core.ml", line 359, characters 30-40:
const FILE_AND_LINE = /^\W*File "([^"]+)", lines? (\d+)/;

/** The place that stands above a row, as text; none where there is none. */
function placeOf(view: View, row: number): string[] {
  const place = placeAbove(view, row);
  // In one word, as most tools print it: a number by itself would not be told apart from others.
  return place < 0 ? [] : [view.text(place).trim().replace(FILE_AND_LINE, "$1:$2")];
}
