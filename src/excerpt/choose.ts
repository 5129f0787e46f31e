/**
 * Which rows are shown. A small log is shown whole. Of a longer one: what the run came to, the evidence
 * in order of weight with as many tokens as there are distinct causes, what stands out, and a little of
 * head and tail. Where nothing is known of the log, head and tail are all there is.
 */
import { isDecoration } from "./blocks.ts";
import { Budget } from "./budget.ts";
import type { Findings } from "./finding.ts";
import { findingsOf, isHarmless } from "./findings.ts";
import { isFrame } from "./frames.ts";
import { type Group, groupsOf } from "./groups.ts";
import { headAndTail } from "./head-and-tail.ts";
import { outliersOf } from "./outliers.ts";
import type { Choice, Chosen, Untold } from "./choice.ts";
import type { Rows } from "./rows.ts";
import { GRADE, withoutNames } from "./severity.ts";
import { shapeKey } from "./shape.ts";
import type { ExcerptRequest } from "./types.ts";
import { variantsOf } from "./variants.ts";
import { View } from "./view.ts";
import { fits, isRepetitive, whole } from "./whole.ts";

/** Tokens that are spent; ceilings of the request stand above them. */
const FAILURE = { whole: 350, base: 220, perCause: 140, most: 570, outcome: 90, block: 200, later: 130 };
const SUCCESS = { whole: 150, base: 135, perCause: 0, most: 135, outcome: 100, block: 55, later: 40 };

const TIGHT = 250;
const ERROR_RATIO = 0.5;
/** What head and tail may cost of a log that nothing is known of. */
const UNKNOWN = 480;

/** Chooses rows; the result may be above the limits, with weights that say what goes first. */
export function choose(rows: Rows, request: ExcerptRequest): Chosen {
  const failed = request.exitCode !== 0;
  const plan = failed ? FAILURE : SUCCESS;
  const { complete } = rows;
  if (complete && fits(rows, request, plan.whole) && !(failed && isRepetitive(rows))) return whole(rows);
  const view = new View(rows);
  const findings = findingsOf(view, rows.candidates, request);
  const groups = groupsOf(view, findings.evidence, request);
  const known = failed
    ? groups.some((group) => group.first.finding.grade >= GRADE.strong) || findings.outcomes.length > 0
    : findings.isReport;
  if (!known && complete && !(failed && isRepetitive(rows)) && fits(rows, request, request.limits.maxTokens))
    return whole(rows);
  const causes = groups.filter((g) => g.first.finding.grade >= GRADE.strong).length;
  const most = known
    ? Math.min(plan.most, plan.base + plan.perCause * Math.max(1, causes))
    : Math.min(request.limits.maxTokens * 0.6, UNKNOWN);
  const budget = new Budget(view, Math.min(most, request.limits.maxTokens * 0.9));
  const tellEvidence = (): void =>
    failed ? evidence(view, groups, budget, plan, request) : warnings(view, groups, budget, plan);
  // Under a low ceiling what went wrong comes before where it began and ended.
  const isTight = Math.min(request.limits.maxTokens, request.limits.maxBytes / 4) < TIGHT;
  if (isTight) tellEvidence();
  ends(view, budget);
  outcome(view, findings, budget, plan.outcome);
  if (!isTight) tellEvidence();
  standOut(view, rows, groups, budget, known ? 60 : 200);
  const alike = known ? 0 : failed ? 2 : 15;
  headAndTail(view, budget, request, known ? (failed ? 3 : 1) : request.limits.maxLines, alike);
  const choices = withSmallGaps(view, budget.choices());
  return { choices, untold: untold(groups, choices) };
}

// To say that a row of so many characters is left out costs as much as the row.
const SMALL_ROW = 32;

/** Fills gaps of one short row between rows that are shown. */
function withSmallGaps(view: View, choices: Choice[]): Choice[] {
  const shown = new Set(choices.map((choice) => choice.row));
  for (const { row } of choices) {
    const gap = row + 1;
    const text = view.printed(gap);
    if (shown.has(gap) || !shown.has(gap + 1) || text.length > SMALL_ROW || text.trim() === "") continue;
    if (isDecoration(text) || isHarmless(view.text(gap))) continue;
    choices.push({ row: gap, text, why: "context", count: 1, weight: 50, cut: false });
  }
  return choices;
}

/** The groups that the choices do not tell of, or not of all their rows. */
function untold(groups: readonly Group[], choices: readonly Choice[]): Untold[] {
  const shown = new Map(choices.map((choice) => [choice.row, choice.count]));
  const missing: Untold[] = [];
  for (const group of groups) {
    const { grade } = group.first.finding;
    if (group.first.bare || (grade !== GRADE.warning && grade !== GRADE.explicit)) continue;
    if (group.rows.some((row) => (shown.get(row) ?? 0) >= group.count)) continue;
    const left = group.rows.filter((row) => !shown.has(row));
    const row = left[0];
    const count = group.count - (group.rows.length - left.length);
    if (row !== undefined) missing.push({ row, kind: grade === GRADE.warning ? "warning" : "error", count });
  }
  return missing.toSorted((one, other) => one.row - other.row);
}

/** The first row and the last: where it began, and how it ended. */
function ends(view: View, budget: Budget): void {
  let first = 0;
  while (first < view.length && view.printed(first).trim() === "") first++;
  let last = view.length - 1;
  while (last >= 0 && view.printed(last).trim() === "") last--;
  if (last >= 0) budget.add(last, "tail", 710, 1, 240);
  if (first < last) budget.add(first, "head", 620, 1, 100);
}

function outcome(view: View, findings: Findings, budget: Budget, tokens: number): void {
  const share = budget.share(tokens);
  const seen = new Set<string>();
  for (const rank of [0, 1, 2]) {
    // Counts of nothing are told only where there is nothing else to tell.
    if (rank === 2 && seen.size > 0) return;
    for (let i = findings.outcomes.length - 1; i >= 0 && seen.size < 8; i--) {
      const row = findings.outcomes[i] ?? 0;
      const text = view.text(row);
      const shape = shapeKey(text);
      if (rankOf(text) !== rank || seen.has(shape)) continue;
      if (share.add(row, "outcome", 690 - seen.size, 1, 200)) seen.add(shape);
    }
  }
}

// What was counted comes before how long it took and what else there is to say.
const COUNTED =
  /\b\d+ (?:passed|passing|failed|failing|failures?|errors?|problems?|tests?|examples|runs|specs|packages?|offenses)\b|\btests?:? +\d|\bbuild \w+|\bcompiled\b|\bbuilt\b|success|all files/i;

/** How soon an outcome is told: 0 first, 2 when it counts nothing. */
function rankOf(text: string): number {
  const numbers = text.match(/\d+(?:\.\d+)?/g) ?? [];
  if (numbers.length > 0 && numbers.every((number) => Number(number) === 0)) return 2;
  return COUNTED.test(text) ? 0 : 1;
}

function evidence(
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
  for (const group of groups) {
    const { finding, core } = group.first;
    if (shown.length >= max) break;
    if (finding.grade < floor) continue;
    if (finding.grade === GRADE.consequence && shown.length > 0) continue;
    if (finding.grade === GRADE.weak && shown.length > 4) continue;
    if (group.first.bare && shown.length > 2) continue;
    const share = budget.share(shown.length === 0 ? plan.block * 1.6 : shown.length < 3 ? plan.block : plan.later);
    const order = [...new Set([finding.row, group.first.message, ...core])];
    let any = false;
    for (const row of order) {
      if (budget.isTold(view.printed(row)) && row !== finding.row) continue;
      const count = row === finding.row ? group.count : 1;
      if (
        share.add(
          row,
          row === finding.row ? "error" : "detail",
          700 - shown.length * 20 - (row === finding.row ? 0 : 5),
          count,
          300,
        )
      )
        any = true;
      else if (row === finding.row) break;
    }
    if (any) shown.push(group);
    else if (budget.left < 15) break;
  }
  others(view, shown, budget, request);
  for (const [i, group] of shown.entries()) {
    const share = budget.share(i === 0 ? 90 : 30);
    for (const row of group.first.extra
      .filter((other) => !shown.some((same) => opens(same, other)) && !isHarmless(view.text(other)))
      .slice(0, 8))
      share.add(row, "context", 300 - i * 10, 1, 160);
  }
}

// Others of a group are shown as they are while they are few; of a flood only in what they differ.
const FEW = 4;

/** Of each group that is shown, the others: their lines, or their variants joined. */
function others(view: View, shown: readonly Group[], budget: Budget, request: ExcerptRequest): void {
  const share = budget.share(120);
  for (const group of shown) {
    const rest = group.rows.slice(1);
    if (rest.length === 0) continue;
    const first = group.first.finding.row;
    if (rest.length < FEW && group.first.finding.recogniser?.titled !== true) {
      for (const row of rest) share.add(row, "other", 400, 1, 200);
    } else {
      const most = request.errorMaxVariantsJoined ?? 6;
      const lines = rest.slice(0, most * 4).map((row) => view.printed(row));
      const variants = variantsOf(view.printed(first), lines, most);
      if (variants.length > 0) share.join(first, variants, group.count - 1 > variants.length);
    }
  }
}

function warnings(view: View, groups: readonly Group[], budget: Budget, plan: typeof SUCCESS): void {
  let taken = 0;
  for (const group of groups) {
    const { finding, core } = group.first;
    if (finding.grade === GRADE.consequence || finding.grade === GRADE.weak || taken >= 3) continue;
    if (isHarmless(view.text(finding.row)) || withoutNames(view.text(finding.row)) === "·") continue;
    const share = budget.share(plan.block);
    for (const row of [finding.row, ...core.filter((other) => other !== finding.row)].slice(0, 3)) {
      share.add(
        row,
        row === finding.row ? "warning" : "detail",
        600 - taken * 10,
        row === finding.row ? group.count : 1,
        200,
      );
    }
    taken++;
  }
}

function standOut(view: View, rows: Rows, groups: readonly Group[], budget: Budget, tokens: number): void {
  const loud = groups.filter((group) => group.first.finding.grade >= GRADE.strong);
  const share = budget.share(tokens);
  let taken = 0;
  for (const row of outliersOf(rows.keys)) {
    if (taken >= 6) break;
    const text = view.text(row);
    if (isHarmless(text) || isDecoration(text) || isFrame(text)) continue;
    if (loud.some((group) => opens(group, row) || (row > group.first.finding.row && row <= group.first.end))) continue;
    if (share.add(row, "outlier", 200 - taken, 1, 200)) taken++;
  }
}

/** Whether a row opens a block of a group. A flood has tens of thousands, in order. */
function opens({ rows }: Group, row: number): boolean {
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((rows[middle] ?? 0) < row) from = middle + 1;
    else to = middle;
  }
  return rows[from] === row;
}
