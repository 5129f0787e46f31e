/** Which rows are evidence, and of what sort: the general words and the tools' layouts put together. */
import { repeatedTitles } from "./listed.ts";
import { RECOGNISERS, type Recogniser } from "./recognisers/index.ts";
import { CANDIDATE, GRADE, type Grade, gradeOf, isPassed } from "./severity.ts";
import type { ExcerptRequest } from "./types.ts";
import type { View } from "./view.ts";

/** A row that may open a block of evidence. */
export interface Finding {
  readonly row: number;
  readonly grade: Grade;
  readonly recogniser: Recogniser | null;
}

/** What was found in the rows. */
export interface Findings {
  /** In order. */
  readonly evidence: readonly Finding[];
  /** Rows that tell what the run came to, in order. */
  readonly outcomes: readonly number[];
}

const OUTCOME =
  /^\W*(?:\d+ (?:tests?|specs?|examples?|suites?|passing|passed|failing|failed|failures?|errors?|problems?|warnings?|assertions?|scenarios?|runs)\b.*|.*\b(?:built|compiled|generated|installed|finished|completed|done|deployed|wrote|written|created|total)\b.* \d+(?:\.\d+)? ?(?:m?s|sec\w*|min\w*|files?|packages?|modules?|bytes|[kM]i?B)\b.*|(?:all|no) (?:\w+ )*(?:tests?|checks?|issues?|errors?|problems?|files?|targets?)\b.*(?:pass\w*|success\w*|found|ok|clean|up to date|unchanged)?.*|success\b.*|build (?:success|fail|complete|finish)\w*.*|(?:result|summary|total)s?: .*|(?:ok|pass(?:ed)?|done|finished|completed)\W*$|found \d+ .*|ran \d+ .*|.*\b\d+ (?:passed|failed|skipped)\b.*|.* successfully\b.*)/i;

// A line of source or of a drawing, whatever words it has.
const CODE_ROW = /^\s*(?:\d+ *[|│]|[|│>]|[-+] )/;

function anyOf(patterns: readonly (RegExp | undefined)[]): (row: string) => boolean {
  const groups = ["", "i"].map((flags) => patterns.filter((p) => p !== undefined && p.flags === flags).map((p) => `(?:${p?.source})`));
  const tests = groups.flatMap((sources, i) => (sources.length > 0 ? [new RegExp(sources.join("|"), i === 0 ? "" : "i")] : []));
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

/** Grades one row; null when it says nothing. */
export function examine(row: string, index: number, request: ExcerptRequest): Finding | null {
  const read = row.length > 2000 ? row.slice(0, 2000) : row;
  if (request.errorPatterns?.some((pattern) => pattern.test(read)) === true) return { row: index, grade: GRADE.explicit, recogniser: null };
  if (!CANDIDATE.test(read) || harmlessAny(read)) return null;
  if (followsAny(read)) return { row: index, grade: GRADE.consequence, recogniser: null };
  if (opensAny(read)) {
    const recogniser = RECOGNISERS.find((r) => r.opens?.test(read)) ?? null;
    return { row: index, grade: recogniser?.grade ?? GRADE.explicit, recogniser };
  }
  const grade = gradeOf(read);
  return grade === GRADE.none ? null : { row: index, grade, recogniser: null };
}

/** Reads every row once. */
export function findingsOf(view: View, request: ExcerptRequest): Findings {
  const evidence: Finding[] = [];
  const outcomes: number[] = [];
  for (let row = 0; row < view.text.length; row++) {
    const text = view.text[row] ?? "";
    if (text === "") continue;
    const found = examine(text, row, request);
    if (found !== null) evidence.push(found);
    if (isOutcome(text)) outcomes.push(row);
  }
  const again = repeatedTitles(view, evidence);
  return { evidence: again.length === 0 ? evidence : [...evidence, ...again].sort((a, b) => a.row - b.row), outcomes };
}

function isOutcome(text: string): boolean {
  return text.length < 300 && !CODE_ROW.test(text) && /\d|pass|ok|success|done|built|clean|total/i.test(text) && (outcomeAny(text) || OUTCOME.test(text));
}
