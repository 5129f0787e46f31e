/**
 * Which rows are shown. A small log is shown whole. Of a longer one: what the run came to, the evidence
 * in order of weight with as many tokens as there are distinct causes, what stands out, and a little of
 * head and tail. Where nothing is known of the log, head and tail are all there is.
 */
import { isDecoration, placesOf } from "./blocks.ts";
import { Budget } from "./budget.ts";
import type { Findings } from "./finding.ts";
import { findingsOf, isHarmless } from "./findings.ts";
import { isFrame } from "./frames.ts";
import { type Group, groupsOf } from "./groups.ts";
import { headAndTail } from "./head-and-tail.ts";
import { outliersOf, rareOf } from "./outliers.ts";
import { isPlace, isSource, placeAbove } from "./places.ts";
import type { Choice, Chosen, Untold } from "./choice.ts";
import { maskedAround } from "./masked.ts";
import type { Rows } from "./rows.ts";
import { GRADE, type Grade, isRemark, withoutNames } from "./severity.ts";
import { shapeKey } from "./shape.ts";
import type { ExcerptRequest } from "./types.ts";
import { variantsOf } from "./variants.ts";
import { View } from "./view.ts";
import { fits, isRepetitive, whole } from "./whole.ts";

/** Tokens that are spent; ceilings of the request stand above them. */
const FAILURE = { whole: 350, base: 220, perCause: 140, most: 570, outcome: 90, block: 200, later: 130 };
const SUCCESS = { whole: 150, base: 115, perCause: 20, most: 175, outcome: 100, block: 55, later: 40 };

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
  const candidates = rows.candidates();
  const view = new View(rows, candidates);
  const findings = findingsOf(view, candidates, request);
  const groups = groupsOf(view, findings.evidence, request);
  const has = (grade: Grade): boolean => groups.some((group) => group.first.finding.grade === grade);
  // Warnings that something was stopped for are its causes.
  const isOfWarnings = has(GRADE.consequence) && has(GRADE.warning);
  const known = failed
    ? groups.some((group) => group.first.finding.grade >= GRADE.strong) || findings.outcomes.length > 0 || isOfWarnings
    : findings.isReport;
  if (!known && complete && !(failed && isRepetitive(rows)) && fits(rows, request, request.limits.maxTokens))
    return whole(rows);
  const least =
    isOfWarnings && !groups.some((g) => g.first.finding.grade > GRADE.consequence) ? GRADE.warning : GRADE.strong;
  const causes = groups.filter((g) => g.first.finding.grade >= least).length;
  const most = known
    ? Math.min(plan.most, plan.base + plan.perCause * Math.max(1, failed ? causes : groups.length - DETAILED))
    : Math.min(request.limits.maxTokens * 0.6, UNKNOWN);
  const budget = new Budget(view, Math.min(most, request.limits.maxTokens * 0.9), request.mask);
  const tellEvidence = (): void =>
    failed ? evidence(view, groups, budget, plan, request) : warnings(view, groups, budget, plan);
  // Under a low ceiling what went wrong comes before where it began and ended.
  const isTight = Math.min(request.limits.maxTokens, request.limits.maxBytes / 4) < TIGHT;
  if (isTight) tellEvidence();
  ends(view, budget);
  outcome(view, findings, budget, plan.outcome);
  if (!isTight) tellEvidence();
  const loud = groups.filter((group) => group.first.finding.grade >= GRADE.strong);
  standOut(view, rows, loud, budget, known ? 60 : 200);
  const alike = known ? 0 : failed ? 2 : 15;
  headAndTail(
    view,
    budget,
    request,
    known ? (row) => loud.some((group) => opens(group, row)) : () => false,
    known ? (failed ? 3 : 1) : request.limits.maxLines,
    alike,
  );
  const choices = withGroups(groups, withoutHeadless(view, withSmallGaps(view, budget.choices())));
  return { choices, untoldBy: (shown) => untold(view, groups, shown) };
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

// So far above a line of source stands what it is shown for.
const HEAD_REACH = 8;

/** Leaves out lines of source of which neither the place nor the message is shown. */
function withoutHeadless(view: View, choices: readonly Choice[]): Choice[] {
  const shown = new Set(choices.map((choice) => choice.row));
  return choices.filter(({ row, why }) => {
    if (why === "error" || why === "warning" || !isSource(view.text(row))) return true;
    let head = row - 1;
    while (head > row - HEAD_REACH && (isSource(view.text(head)) || view.text(head).trim() === "")) head--;
    return shown.has(head);
  });
}

/** Says of each choice which group it is a row of. */
function withGroups(groups: readonly Group[], choices: readonly Choice[]): Choice[] {
  return choices.map((choice) => {
    const group = groups.findLastIndex((one) => opens(one, choice.row));
    return group < 0 ? choice : { ...choice, group };
  });
}

/** The groups that the choices do not tell of, or not of all their rows: for each gap between the choices what of them is in it. */
function untold(view: View, groups: readonly Group[], choices: readonly Choice[]): Untold[] {
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

/** The first row and the last: where it began, and how it ended. */
function ends(view: View, budget: Budget): void {
  let first = 0;
  while (first < view.length && view.printed(first).trim() === "") first++;
  let last = view.length - 1;
  while (last >= 0 && view.printed(last).trim() === "") last--;
  if (last >= 0) budget.add(last, "tail", 710, 1, 240);
  // A place whose message is not shown says nothing.
  if (first < last && !isPlace(view.text(first))) budget.add(first, "head", 620, 1, 100);
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
    const order = [...new Set([finding.row, group.first.message, ...group.first.core])];
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
          300,
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

// So many rows that help are offered of one group.
const MOST_EXTRA = 8;

// Of more rows it would take long to tell whether each of them is told elsewhere.
const MOST_REPEATS = 12;
const TOLD_LENGTH = 12;

/** Whether the rows of a group say a part of what others say, as where a runner lists its failures again. */
function isRepeat(view: View, { first, rows }: Group, told: string): boolean {
  // Below a title that is told stands what is not.
  if (rows.length > MOST_REPEATS || (first.finding.recogniser?.titled === true && !first.bare)) return false;
  return rows.every((row) => {
    const text = view.text(row).trim();
    return text.length >= TOLD_LENGTH && told.includes(text);
  });
}

/** What groups say, one row below the other. */
function toldBy(view: View, groups: readonly Group[]): string {
  const rows = groups.flatMap((group) => [
    ...group.first.core,
    ...group.rows.slice(0, MOST_REPEATS),
    ...group.more.flatMap(({ core }) => core),
  ]);
  return rows.map((row) => view.text(row)).join("\n");
}

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

// So many kinds of warnings are shown with what belongs to them, and so many more by one row each.
const DETAILED = 3;
const LISTED = 4;

function warnings(view: View, groups: readonly Group[], budget: Budget, plan: typeof SUCCESS): void {
  let taken = 0;
  const rest = budget.share(plan.later * 2.5);
  const endings = new Set<string>();
  for (const group of groups) {
    const { finding } = group.first;
    if (finding.grade === GRADE.consequence || finding.grade === GRADE.weak || taken >= DETAILED + LISTED) continue;
    if (isHarmless(view.text(finding.row)) || withoutNames(view.text(finding.row)) === "·") continue;
    const ending = endOf(view.text(finding.row));
    if (taken >= DETAILED) {
      if (!endings.has(ending) && rest.add(finding.row, "warning", 600 - taken * 10, group.count, 120)) taken++;
      endings.add(ending);
      continue;
    }
    endings.add(ending);
    const share = budget.share(plan.block);
    if (!share.add(finding.row, "warning", 600 - taken * 10, group.count, 160)) continue;
    for (const row of group.first.core.filter((other) => other !== finding.row).slice(0, 2))
      (isPlace(view.text(row)) ? budget : share).add(row, "detail", 600 - taken * 10, 1, 200);
    taken++;
  }
}

/** The end of a message: what it says of the things that it names before. */
function endOf(text: string): string {
  return shapeKey(text).split(" ").slice(-3).join(" ");
}

// Where so many rows that stand out were too long, a shorter one further down is worth no more than they.
const MOST_REFUSED = 32;

function standOut(view: View, rows: Rows, loud: readonly Group[], budget: Budget, tokens: number): void {
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
    if (share.add(row, "outlier", 200 - taken, 1, 200)) taken++;
    else if (++refused === MOST_REFUSED) break;
  }
}

/** Whether a row opens a block of a group, and not its first. */
function opensAgain(group: Group, row: number): boolean {
  return row !== group.first.finding.row && opens(group, row);
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
