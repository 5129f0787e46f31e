/** Which rows are evidence, and of what sort: the general words and the tools' layouts put together. */
import type { Finding, Findings } from "./finding.ts";
import { indentOf } from "./indent.ts";
import { repeatedTitles } from "./listed.ts";
import { RECOGNISERS } from "./recognisers/index.ts";
import { GRADE, gradeOf, isPassed } from "./severity.ts";
import type { ExcerptRequest } from "./types.ts";
import type { View } from "./view.ts";

const OUTCOME =
  /^\W*(?:\d+%? (?:tests?|specs?|examples?|suites?|passing|passed|failing|failed|failures?|errors?|problems?|warnings?|assertions?|scenarios?|runs)\b.*|.*\b(?:built|compiled|generated|installed|finished|completed|done|deployed|wrote|written|created|total)\b.* \d+(?:\.\d+)? ?(?:m?s|sec\w*|min\w*|files?|packages?|modules?|bytes|[kM]i?B)\b.*|(?:all|no) (?:\w+ )*(?:tests?|checks?|issues?|errors?|problems?|files?|targets?)\b.*(?:pass\w*|success\w*|found|ok|clean|up to date|unchanged)?.*|success\b.*|build (?:success|fail|complete|finish)\w*.*|(?:result|summary|total)s?: .*|(?:ok|pass(?:ed)?|done|finished|completed)\W*$|found \d+ .*|ran \d+ .*|.*\b\d+ (?:passed|failed|skipped)\b.*|.* successfully\b.*)/i;

// A path and nothing else: a listing.
const NAME_ALONE = /^[^\s:]*\/[^\s:]*$/;

// A line of source or of a drawing, whatever words it has.
const CODE_ROW = /^\s*(?:\d+ *[|│]|[|│>]|[-+] )/;

function anyOf(patterns: readonly (RegExp | undefined)[]): (row: string) => boolean {
  const groups = ["", "i"].map((flags) =>
    patterns.filter((p) => p !== undefined && p.flags === flags).map((p) => `(?:${p?.source})`),
  );
  const tests = groups.flatMap((sources, i) =>
    sources.length > 0 ? [new RegExp(sources.join("|"), i === 0 ? "" : "i")] : [],
  );
  return (row) => tests.some((test) => test.test(row));
}

const opensAny = anyOf(RECOGNISERS.map((r) => r.opens));
const harmlessAny = anyOf(RECOGNISERS.map((r) => r.harmless));
const followsAny = anyOf(RECOGNISERS.map((r) => r.follows));
const outcomeAny = anyOf(RECOGNISERS.map((r) => r.outcome));

/** Whether a row is one that a tool prints for something that is well. */
export function isHarmless(row: string): boolean {
  return isPassed(row) || harmlessAny(row);
}

/** Whether a row is one that a tool prints because something else failed. */
export function isEpilogue(row: string): boolean {
  return followsAny(row);
}

/** Grades one row that holds a stem; null when it says nothing. */
export function examine(row: string, index: number, request: ExcerptRequest, said: string = row): Finding | null {
  if (isUsers(row, request)) return { row: index, grade: GRADE.explicit, recogniser: null, said };
  if (NAME_ALONE.test(row) || harmlessAny(row)) return null;
  if (followsAny(row)) return { row: index, grade: GRADE.consequence, recogniser: null, said };
  if (opensAny(row)) {
    const recogniser = RECOGNISERS.find((r) => r.opens?.test(row)) ?? null;
    return { row: index, grade: recogniser?.grade ?? GRADE.explicit, recogniser, said };
  }
  const grade = gradeOf(row);
  return grade === GRADE.none ? null : { row: index, grade, recogniser: null, said };
}

function isUsers(row: string, request: ExcerptRequest): boolean {
  return request.errorPatterns?.some((pattern) => pattern.test(row)) === true;
}

// What a row says it of: a path but for its extension, a quoted word, a number but for whether it is nought.
const NAMED = /(?:[\w.@~+-]*[/\\])+[\w@~+-]*|'[\w.$@/-]*'|\d+| {2,}/g;

function blank(name: string): string {
  if (name.startsWith("'")) return "''";
  if (name.startsWith(" ")) return " ";
  if (/[/\\]/.test(name)) return "/";
  return /[1-9]/.test(name) ? "1" : "0";
}

/** Examines the rows that hold a stem. Rows that say the same of different things are examined once. */
export function findingsOf(view: View, candidates: readonly number[], request: ExcerptRequest): Findings {
  const evidence: Finding[] = [];
  const known = new Map<string, Finding | null>();
  for (const row of request.errorPatterns === undefined || request.errorPatterns.length === 0
    ? candidates
    : everyRow(view)) {
    const text = view.text(row);
    if (text === "") continue;
    const said = text.replace(NAMED, blank);
    let found = known.get(said);
    if (found === undefined) {
      found = examine(text, row, request, said);
      known.set(said, found);
    }
    if (found === null || (found.recogniser === null && found.grade <= GRADE.strong && isTitleOfPassed(view, row)))
      continue;
    evidence.push({ ...found, row });
  }
  const again = repeatedTitles(view, evidence);
  const all = again.length === 0 ? evidence : [...evidence, ...again].toSorted((a, b) => a.row - b.row);
  const outcomes = outcomesOf(view, candidates);
  const isReport = outcomes.some((row) => row >= view.length - REPORT_END || outcomeAny(view.text(row)));
  return { evidence: all, outcomes, isReport };
}

/** Whether what is set in below a row is a list of what passed: then the row is its title, whatever it says. */
function isTitleOfPassed(view: View, row: number): boolean {
  const below = view.text(row + 1);
  return /^\s*[✓✔√]/.test(below) && indentOf(below) > indentOf(view.text(row));
}

function everyRow(view: View): number[] {
  return Array.from({ length: view.length }, (_, row) => row);
}

// Where a run tells what it came to: at its end, or around a line that counts failures.
const END_ROWS = 300;
const END_CANDIDATES = 400;
const AROUND = 3;
// Words of an outcome that no tool is known for count so near the end.
const REPORT_END = 30;

function outcomesOf(view: View, candidates: readonly number[]): number[] {
  const outcomes = new Set<number>();
  const consider = (row: number): boolean => {
    const is = row >= 0 && row < view.length && isOutcome(view.text(row));
    if (is) outcomes.add(row);
    return is;
  };
  const end = view.length - END_ROWS;
  for (let row = Math.max(0, end); row < view.length; row++) consider(row);
  for (const row of candidates.slice(-END_CANDIDATES)) {
    if (row >= end || !consider(row)) continue;
    for (let near = row - AROUND; near <= row + AROUND; near++) consider(near);
  }
  return [...outcomes].toSorted((a, b) => a - b);
}

function isOutcome(text: string): boolean {
  return (
    text.length < 300 &&
    !CODE_ROW.test(text) &&
    /\d|pass|ok|success|done|built|clean|total/i.test(text) &&
    (outcomeAny(text) || OUTCOME.test(text))
  );
}
