/**
 * Which rows are shown. A small log is shown whole. Of a longer one: what the run came to, the evidence
 * in order of weight with as many tokens as there are distinct causes, what stands out, and a little of
 * head and tail. Where nothing is known of the log, head and tail are all there is.
 */
import { estimateTokens } from "../text/index.ts";
import { isDecoration } from "./blocks.ts";
import { Budget } from "./budget.ts";
import type { Choice, Chosen } from "./choice.ts";
import { evidence } from "./evidence.ts";
import { findingsOf, isHarmless } from "./findings.ts";
import { isFrame } from "./frames.ts";
import { type Group, groupsOf } from "./groups.ts";
import { headAndTail } from "./head-and-tail.ts";
import { opens } from "./openings.ts";
import { ends, outcome } from "./outcome.ts";
import { isSource } from "./places.ts";
import type { Rows } from "./rows.ts";
import { GRADE, type Grade } from "./severity.ts";
import { FAILURE, HIDDEN, SUCCESS, WARNED } from "./spending.ts";
import { standOut } from "./stand-out.ts";
import type { ExcerptRequest } from "./types.ts";
import { untold } from "./untold.ts";
import { View } from "./view.ts";
import { DETAILED, warnings } from "./warnings.ts";
import { fits, isRepetitive, whole } from "./whole.ts";

const TIGHT = 250;
/** So many groups of failures are told of a run that succeeded in spite of them as of one that failed. */
const MOST_HIDDEN = 2;
const MOST_WARNED = 2;
/** What head and tail may cost of a log that nothing is known of. */
const UNKNOWN = 480;
/** The same of a success: it may be just what was asked for, less so when there are warnings in it. */
const ASKED_FOR = 240;
const WITH_WARNINGS = 185;

// Of a trace so many commands are shown, most of them at its end.
const TRACED = 12;
const TRACE = /^\++ \S/;
const TRACE_SHARE = 0.6;
const LEAST_TRACE = 20;

/** Whether a log is mostly the commands that a shell prints before it runs them. */
function isTrace(rows: readonly string[]): boolean {
  let traced = 0;
  // Asked of every row: cheaper to look than to match.
  for (const row of rows) if (row.startsWith("+") && TRACE.test(row)) traced++;
  return traced >= LEAST_TRACE && traced > rows.length * TRACE_SHARE;
}

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
  // A trace of a shell ends in the command that failed.
  const traced = failed && !known && isTrace(rows.text);
  if (!known && !traced && complete && !(failed && isRepetitive(rows)) && fits(rows, request, request.limits.maxTokens))
    return whole(rows);
  const least =
    isOfWarnings && !groups.some((g) => g.first.finding.grade > GRADE.consequence) ? GRADE.warning : GRADE.strong;
  const causes = groups.filter((g) => g.first.finding.grade >= least).length;
  // What failed although the run did not is what nobody expects.
  const hidden = failed ? [] : groups.filter((g) => g.first.finding.grade === GRADE.explicit).slice(0, MOST_HIDDEN);
  const most = known
    ? Math.min(plan.most, plan.base + plan.perCause * Math.max(1, failed ? causes : groups.length - DETAILED))
    : Math.min(request.limits.maxTokens * 0.6, failed ? UNKNOWN : groups.length > 0 ? WITH_WARNINGS : ASKED_FOR);
  const ofWarnings = failed || !known ? 0 : WARNED * Math.min(MOST_WARNED, groups.length);
  const tokens = Math.min(most + hidden.length * HIDDEN + ofWarnings, request.limits.maxTokens * 0.9);
  const budget = new Budget(view, tokens, request.mask);
  const tellEvidence = (): void =>
    failed ? evidence(view, groups, budget, plan, request) : warnings(view, groups, budget, plan);
  // Under a low ceiling what went wrong comes before where it began and ended.
  const isTight = Math.min(request.limits.maxTokens, request.limits.maxBytes / 4) < TIGHT;
  const loud = groups.filter((group) => group.first.finding.grade >= GRADE.strong);
  if (isTight) tellEvidence();
  else if (hidden.length > 0)
    evidence(view, hidden, budget.share(hidden.length * (plan.block * 1.6 + HIDDEN)), plan, request);
  else if (!failed) warnings(view, loud.slice(0, 1), budget, plan);
  ends(view, budget);
  outcome(view, findings, budget, plan.outcome, failed);
  if (!isTight) tellEvidence();
  // What was meant for warnings is nobody else's.
  const rest = budget.share(Math.max(0, budget.left - ofWarnings));
  const quiet = failed ? groups.filter((group) => group.first.finding.grade === GRADE.warning) : [];
  standOut(view, rows, loud, quiet, rest, known || traced ? 60 : 200);
  const alike = known ? 0 : failed ? 2 : 8;
  const told = failed ? (known ? loud : []) : groups;
  headAndTail(
    view,
    rest,
    request,
    (row) => told.some((group) => opens(group, row)),
    known ? (failed ? 3 : 1) : traced ? TRACED : request.limits.maxLines,
    alike,
  );
  const choices = withGroups(groups, withoutHeadless(view, withSmallGaps(view, budget.choices())));
  return { choices, untoldBy: (shown) => untold(view, groups, shown) };
}

// To say that a row is left out costs half as much as a row of so many characters, and tells nothing.
const SMALL_ROW = 80;

const SMALL_DECORATION = 7;

/** Fills gaps of one short row between rows that are shown. */
function withSmallGaps(view: View, choices: Choice[]): Choice[] {
  const shown = new Set(choices.map((choice) => choice.row));
  for (const { row } of choices) {
    const gap = row + 1;
    const text = view.printed(gap).trimEnd();
    if (shown.has(gap) || !shown.has(gap + 1) || text === "") continue;
    // Bars and carets cost little whatever their length.
    const isSmall = isDecoration(text) ? estimateTokens(text) <= SMALL_DECORATION : text.length <= SMALL_ROW;
    if (!isSmall || isFrame(text) || isHarmless(view.text(gap))) continue;
    choices.push({ row: gap, text, why: "context", count: 1, weight: 50, cut: false });
  }
  return choices;
}

// So far above a line of source stands what it is shown for.
const HEAD_REACH = 8;

const MESSAGES: ReadonlySet<string> = new Set(["error", "warning"]);

/** Leaves out lines of source of which neither the place nor the message is shown. */
function withoutHeadless(view: View, choices: readonly Choice[]): Choice[] {
  const shown = new Set(choices.map((choice) => choice.row));
  // In a box a message begins like a line of source.
  const messages = new Set(choices.flatMap(({ row, why }) => (MESSAGES.has(why) ? [row] : [])));
  return choices.filter(({ row }) => {
    if (messages.has(row) || !isSource(view.text(row))) return true;
    let head = row - 1;
    while (
      head > row - HEAD_REACH &&
      !messages.has(head) &&
      (isSource(view.text(head)) || view.text(head).trim() === "")
    )
      head--;
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
