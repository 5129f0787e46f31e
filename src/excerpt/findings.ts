/** Which rows are evidence, and of what sort: the general words and the tools' layouts put together. */
import { outsideAsides } from "./asides.ts";
import type { Finding, Findings } from "./finding.ts";
import { floodsOf } from "./floods.ts";
import { isFrame } from "./frames.ts";
import { indentOf } from "./indent.ts";
import { repeatedTitles } from "./listed.ts";
import { behindSource, isPlace, mayBePlace } from "./places.ts";
import { RECOGNISERS, type Recogniser } from "./recognisers/index.ts";
import { Sayings } from "./said.ts";
import { GRADE, type Grade, gradeOf, isLocated, isOnlyLocated, isPassed } from "./severity.ts";
import type { ExcerptRequest } from "./types.ts";
import { isMatched } from "./user-lines.ts";
import type { View } from "./view.ts";

// What may stand anywhere is not tried behind each sign that a row begins with.
// As one pattern they take several times as long to compile, which the first excerpt of a process would wait for.
const OUTCOMES: readonly RegExp[] = [
  /^\W*(?:\d+%? (?:tests?|specs?|examples?|suites?|passing|passed|failing|failed|failures?|errors?|problems?|warnings?|assertions?|scenarios?|runs)\b|(?:all|no) (?:\w+ )*(?:tests?|checks?|issues?|errors?|problems?|files?|targets?)\b|success\b|build (?:succe|fail|complete|finish)|(?:result|summary|total)s?: |(?:ok|pass(?:ed)?|finished|completed)\W*$|done[.! ]*$|x?(?:fail|pass|error)(?:ed|ures?|s|es)? *[:=] +\d+\s*$|ran \d+ |pass(?:ed|es)?:? +\d+\b.*\bfail)/i,
  /\b(?:built|compiled|generated|installed|finished|completed|done|deployed|wrote|written|created|total)\b.* \d+(?:\.\d+)? ?(?:m?s|sec\w*|min\w*|files?|packages?|modules?|bytes|[kM]i?B)\b/i,
  /\bfound \d+ |\b\d+ (?:passed|failed|skipped)\b| successfully\b|^sent [\d,]+ bytes /i,
];

// A path and nothing else: a listing.
const NAME_ALONE = /^[^\s:]*\/[^\s:]*$/;

// A row of a table of results.
const COUNT_ALONE =
  /^\W*(?:x?fail(?:ed|ures?)?|x?pass(?:ed|es)?|unexpected pass|errors?|timeouts?|skipped) *[:=] +\d+\s*$/i;

// A line of source or of a drawing, whatever words it has.
const CODE_ROW = /^\s*(?:\d+ *[|│]|[|│>]|[-+] )/;

/** Whether a row matches any of the patterns; those with the same flags are tried as one. */
function anyOf(patterns: readonly (RegExp | undefined)[]): (row: string) => boolean {
  const sources = new Map<string, string[]>();
  for (const pattern of patterns) {
    if (pattern === undefined) continue;
    const same = sources.get(pattern.flags) ?? [];
    same.push(`(?:${pattern.source})`);
    sources.set(pattern.flags, same);
  }
  const tests = [...sources].map(([flags, same]) => new RegExp(same.join("|"), flags));
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
function examine(row: string, index: number, request: ExcerptRequest, said = -1): Finding | null {
  if (isUsers(row, request)) return finding(index, GRADE.explicit, null, said);
  if (NAME_ALONE.test(row) || COUNT_ALONE.test(row) || harmlessAny(row)) return null;
  if (followsAny(row)) return finding(index, GRADE.consequence, null, said);
  if (opensAny(row)) {
    const recogniser = RECOGNISERS.find((r) => r.opens?.test(row)) ?? null;
    return finding(index, recogniser?.grade ?? GRADE.explicit, recogniser, said);
  }
  const grade = gradeOf(row);
  return grade === GRADE.none ? null : finding(index, grade, null, said);
}

// Objects of one form are read faster than those that lack a property now and then.
function finding(row: number, grade: Grade, recogniser: Recogniser | null, said: number): Finding {
  return { row, grade, recogniser, said, isUsers: false, isFlood: false };
}

/** The same for a row of the log, which may have been graded before. */
export function examineRow(view: View, row: number, request: ExcerptRequest): Finding | null {
  // What has no stem is nothing to anybody but a user; most rows of a block have none, and to ask of each is slow.
  if (!view.holdsStem(row) && request.errorPatterns === undefined) return null;
  if (row >= view.length) return null;
  const known = view.examined[row];
  if (known !== undefined) return known;
  const found = examine(view.text(row), row, request);
  view.examined[row] = found;
  return found;
}

function isUsers(row: string, request: ExcerptRequest): boolean {
  return request.errorPatterns !== undefined && isMatched(request.errorPatterns, row);
}

/** Examines the rows that hold a stem. Rows that say the same of different things are examined once. */
export function findingsOf(view: View, candidates: readonly number[], request: ExcerptRequest): Findings {
  const evidence: Finding[] = [];
  const sayings = new Sayings();
  const tracebackSayings = new Set<number>();
  const tracebacks: number[] = [];
  const known: (Finding | null | undefined)[] = [];
  const users = rowsOfUsers(view, request);
  const examined = users.size === 0 ? candidates : [...new Set([...candidates, ...users])].toSorted((a, b) => a - b);
  const numbers = examined.map((row) => view.saidBy(row, sayings));
  const floods = floodsOf(sayings.texts);
  let warned = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < examined.length; at++) {
    const row = examined[at] ?? 0;
    const text = view.text(row);
    if (text === "") continue;
    const own = numbers[at] ?? 0;
    const flood = floods?.[own] ?? -1;
    const isFlood = flood >= 0;
    const said = isFlood ? flood : own;
    if (users.has(row)) {
      evidence.push({ row, grade: GRADE.explicit, recogniser: null, said, isUsers: true, isFlood });
      continue;
    }
    let found = known[said];
    if (found === undefined) {
      found = examine(text, row, request, said);
      known[said] = found;
      if (TRACEBACK.test(text)) tracebackSayings.add(said);
    }
    view.examined[row] = found;
    if (tracebackSayings.size > 0 && tracebackSayings.has(said)) tracebacks.push(row);
    // What is said of a place right below a warning of it belongs to the warning.
    const isWarnings = found?.grade === GRADE.strong && row - warned <= 3 && isOnlyLocated(text);
    if (found?.grade === GRADE.warning || isWarnings) warned = row;
    if (isWarnings || (found?.recogniser === null && found.grade <= GRADE.strong && isSetInBelow(view, warned, row)))
      continue;
    if (found === null || (found.recogniser === null && found.grade <= GRADE.strong && isTitleOfPassed(view, row)))
      continue;
    if (isOfPassedTest(view, row, text)) continue;
    const { recogniser } = found;
    // TASK [Old cache is gone] … fatal: … ...ignoring
    const isIgnored =
      request.exitCode !== 0 && found.grade > GRADE.warning && view.printed(row + 1).startsWith("...ignoring");
    const grade = isIgnored ? GRADE.warning : found.grade;
    // Titles are told apart by what stands below them.
    const isTitle = recogniser?.titled === true;
    evidence.push({ row, grade, recogniser, said: isTitle ? own : said, isUsers: false, isFlood: isFlood && !isTitle });
  }
  const outside = outsideAsides(view, evidence);
  const again = [
    ...repeatedTitles(view, outside),
    ...placedMessages(view, placesOf(view, examined, numbers), outside, sayings, request),
    ...unnamedExceptions(view, tracebacks),
  ];
  const all = again.length === 0 ? outside : [...outside, ...again].toSorted((a, b) => a.row - b.row);
  const outcomes = outcomesOf(view, candidates, sayings);
  const isReport = outcomes.some((row) => row >= view.length - REPORT_END || outcomeAny(view.text(row)));
  return { evidence: all, outcomes, isReport };
}

// So far below a warning at a place its details stand.
const DETAILS_REACH = 12;

/** Whether a row is a part of what is set in below a warning that has a place. */
function isSetInBelow(view: View, warned: number, row: number): boolean {
  if (row <= warned || row - warned > DETAILS_REACH || indentOf(view.text(row)) === 0) return false;
  if (!isLocated(view.text(warned))) return false;
  const indent = indentOf(view.text(warned));
  for (let at = row; at > warned; at--) if (indentOf(view.text(at)) <= indent) return false;
  return true;
}

const LOGGED = /^\s+\S+\.go:\d+: /;
const RUN = /^=== \w+\s+(\S+)/;
const RESULT = /^\s*--- (PASS|FAIL|SKIP): (\S+)/;
const TEST_REACH = 100;
const SPACE = 32;

/** Whether a row was logged by a test of Go that passed: `go test -v` prints what a test logs before its result. */
export function isOfPassedTest(view: View, row: number, text: string): boolean {
  // Most rows are not set in at all.
  if (text.charCodeAt(0) > SPACE || !text.includes(".go:") || !LOGGED.test(text)) return false;
  let at = row - 1;
  while (at > row - TEST_REACH && !view.printed(at).startsWith("=== ")) at--;
  const name = RUN.exec(view.printed(at))?.[1];
  let below = row + 1;
  while (below < row + TEST_REACH && !/^(?:=== |\s*--- )/.test(view.printed(below))) below++;
  const result = RESULT.exec(view.printed(below));
  return result !== null && result[1] !== "FAIL" && result[2] === name;
}

const MILD = /\b(?:warn(?:ing)?|hint|note|info)\b/i;
// A message has words, and is no row of a table or a frame.
const SENTENCE = /^\W*\p{L}[\p{L}'’-]*(?:[ :]+\S+)+/u;
// F401 [*] `os` imported but unused
const RULE_TITLE = /^\W*[A-Z]{1,6}\d{2,6}\b\W+\S+ \S/;

/** Of rows, which come with the numbers of what they say, those that are places. */
function placesOf(view: View, rows: readonly number[], numbers: readonly number[]): number[] {
  const known: (boolean | undefined)[] = [];
  return rows.filter((row, at) => {
    const said = numbers[at] ?? 0;
    const may = known[said] ?? mayBePlace(view.text(row));
    known[said] = may;
    return may && isPlace(view.text(row));
  });
}

/**
 * The messages that are told for by their layout alone: a place, the source that stands there, and a message above or
 * below it without any word of severity.
 */
function placedMessages(
  view: View,
  places: readonly number[],
  evidence: readonly Finding[],
  sayings: Sayings,
  request: ExcerptRequest,
): Finding[] {
  const found: Finding[] = [];
  /** For what rows say whether it is evidence, or harmless, without its place. */
  const isJudged: (boolean | undefined)[] = [];
  // Hardly any log has such a place, and a flood has many rows to know.
  let known: ReadonlySet<number> | null = null;
  for (const place of places) {
    const below = behindSource(view, place);
    if (below < 0) continue;
    const title = view.text(place - 1);
    const message = view.text(below);
    const isRule = RULE_TITLE.test(title);
    const isBelow =
      !isRule && SENTENCE.test(message) && !isFrame(message) && !isPlace(message) && !/^\s*\d/.test(message);
    const row = isBelow ? below : isRule || SENTENCE.test(title) ? place - 1 : -1;
    if (row < 0) continue;
    known ??= new Set(evidence.map((one) => one.row));
    if (known.has(row) || known.has(place - 1) || known.has(place - 2)) continue;
    if (isFrame(title)) continue;
    const said = view.saidBy(row, sayings);
    isJudged[said] ??= isHarmless(view.text(row)) || examine(view.text(row), row, request) !== null;
    if (isJudged[said] === true) continue;
    const grade = MILD.test(title) || MILD.test(message) ? GRADE.warning : GRADE.strong;
    found.push(finding(row, grade, null, -1));
  }
  return found;
}

const TRACEBACK = /^\s*Traceback \(most recent call last\)/;
const TRACEBACK_ROWS = 400;

/** The exceptions below tracebacks whose names do not say that they are any. */
function unnamedExceptions(view: View, tracebacks: readonly number[]): Finding[] {
  const found: Finding[] = [];
  for (const title of tracebacks) {
    const indent = indentOf(view.text(title));
    let row = title + 1;
    while (row < title + TRACEBACK_ROWS && (view.text(row) === "" || indentOf(view.text(row)) > indent)) row++;
    if (view.examined[row] || !/^[\w.]+(?:: .|$)/.test(view.text(row).trim())) continue;
    const exception = finding(row, GRADE.explicit, null, -1);
    view.examined[row] = exception;
    found.push(exception);
  }
  return found;
}

/** Whether what is set in below a row is a list of what passed: then the row is its title, whatever it says. */
function isTitleOfPassed(view: View, row: number): boolean {
  // Nearly every row has no such sign at all: cheaper to look than to read it.
  if (!/[✓✔√]/.test(view.printed(row + 1))) return false;
  const below = view.text(row + 1);
  return /^\s*[✓✔√]/.test(below) && indentOf(below) > indentOf(view.text(row));
}

// So many rows are asked about at once.
const ASKED = 200;

/** The rows that a pattern of the user matches. Rows that are the same are tried once. */
function rowsOfUsers(view: View, { errorPatterns: patterns = [] }: ExcerptRequest): ReadonlySet<number> {
  const rows = new Set<number>();
  if (patterns.length === 0) return rows;
  const known = new Map<string, boolean>();
  for (let first = 0; first < view.length; first += ASKED) {
    const asked = Array.from({ length: Math.min(ASKED, view.length - first) }, (_, i) => view.printed(first + i));
    const together = Buffer.from(asked.join("\n"));
    if (!patterns.some((pattern) => pattern.mayMatch?.(together) ?? true)) continue;
    for (const [i, text] of asked.entries()) {
      if (text === "") continue;
      const matches = known.get(text) ?? isMatched(patterns, text);
      known.set(text, matches);
      if (matches) rows.add(first + i);
    }
  }
  return rows;
}

// Where a run tells what it came to: at its end, or around a line that counts failures.
const END_ROWS = 300;
const END_CANDIDATES = 400;
const AROUND = 3;
// Words of an outcome that no tool is known for count so near the end.
const REPORT_END = 30;

function outcomesOf(view: View, candidates: readonly number[], sayings: Sayings): number[] {
  const outcomes = new Set<number>();
  // Rows that say the same are outcomes or none.
  const known = new Map<number, boolean>();
  const consider = (row: number): boolean => {
    if (row < 0 || row >= view.length) return false;
    const text = view.text(row);
    const said = view.saidBy(row, sayings);
    const is = known.get(said) ?? isOutcome(text);
    known.set(said, is);
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
    (outcomeAny(text) || OUTCOMES.some((outcome) => outcome.test(text)))
  );
}
