/**
 * What the words of a line say about it, wherever they stand and in whichever of a dozen languages.
 *
 * Theory: a severity word counts unless it is part of a name, a path, an option or a title of
 * something that passed. So names are taken out first, then what is left is read. The grade says how
 * sure the line is to be evidence of a failure; what a tool's own layout says comes on top of it.
 */

import { isFrame } from "./frames.ts";
import { CONSEQUENCE, EXPLICIT, EXPLICIT_CASED, STRONG, WARNING, WEAK } from "./severity-words.ts";
import { stemMatcher } from "./stems.ts";

/** How a line counts, from nothing to naming a cause. */
export const GRADE = {
  /** Says nothing of a failure. */
  none: 0,
  /** A warning, a deprecation, a notice. */
  warning: 1,
  /** Follows from another failure: an epilogue of a runner, a target that was not made. */
  consequence: 2,
  /** A word that often comes with a failure, and as often does not. */
  weak: 3,
  /** Says what is wrong in plain words. */
  strong: 4,
  /** The form in which tools print an error. */
  explicit: 5,
} as const;

/** One of the values of `GRADE`. */
export type Grade = (typeof GRADE)[keyof typeof GRADE];

const PATH_NAMES = String.raw`(?<![\w.@~+-])(?:[\w.@~+-]*[/\\])+[\w.@~+-]*`;
// A name is only tried where a word begins, which is also where the first match would begin.
// Words in names: error-handler.ts, /errors/, --error-format, -Wno-error, error_budget, ErrorHandler, errors=0.
const NAMES = new RegExp(
  [
    String.raw`\b(?:errors?|failed|failures?|failing|fail|warnings?|exceptions?|err|unreachable)\s*[=:]\s*0(?![\w.]*[1-9])`,
    String.raw`\b(?:0|no|without(?: an?)?|zero|keine?|sans|0 new)[ -](?:\w+ )?(?:errors?|failures?|failed|failing|fails|warnings?|exceptions?|problems?|issues|fehler|erreurs?)\b`,
    String.raw`(?<!\S)-{1,2}[A-Za-z][\w-]*(?:error|fail|warn|missing|undefined)[\w-]*(?:=\S+)?`,
    PATH_NAMES,
    String.raw`(?<![\w-])[\w-]*(?:error|fail|exception|invalid|missing|abort|panic|fatal|warning|killed|denied|conflict)[\w-]*\.(?:[a-z]{1,5}\b|[A-Za-z_]\w*)`,
    String.raw`(?<![\w:])[\w.$]*(?:[-_](?:error|fail|failed|exception|invalid|missing|abort|panic|fatal|warning|killed)s?|(?:error|fail|failed|exception|invalid|missing|abort|panic|fatal|warning|killed|critical)s?[-_])[\w.-]+`,
    String.raw`(?<![\w-])[\w-]+[-_](?:errors?|fail|failed|exceptions?|warnings?)(?![\w:])`,
    String.raw`\bon[- ](?:error|failure)\b|\berror[- ](?:handl|page|message|case|code|format|budget|rate|recovery|bound|free|report|log|prone|correct|diffusion|margin|expected|path|response|test)\w*`,
  ].join("|"),
  "gi",
);
// A line without one of these has no name but paths.
const MAY_BE_NAMED =
  /err|fail|warn|exception|unreachable|problem|issue|fehler|missing|undefined|invalid|abort|panic|fatal|killed|denied|conflict|critical/i;
const PATHS = new RegExp(PATH_NAMES, "g");

const PASSED =
  /^(?:[\w@./-]+[:|] ?)?\s*(?:[✓✔√☑✅○↓⊘◌]|ok \d+|\[ *(?:OK|PASS(?:ED)?) *\]|\[ +RUN +\]|=== (?:RUN|PAUSE|CONT|NAME)|--- (?:PASS|SKIP)|PASS\b|SKIP(?:PED)?\b(?!.*\berror)|XFAIL\b|# Subtest|# ok\b|# SKIP)|\bPASSED\b|\.\.\.+ ?(?:ok|passed|done|yes|no|skipped)\b|\bok$|\bchanged: \[|(?:^|\s)Passed +\d/i;

// Of those, these are consequences although they are printed as errors.
const ALWAYS_CONSEQUENCE =
  /current transaction is aborted|not remade because of errors|could not compile .* due to|aborting due to \d/i;

/** A line with its names and zero counts taken out; what is left are words that count. */
export function withoutNames(line: string): string {
  if (MAY_BE_NAMED.test(line)) return line.replace(NAMES, "·");
  return line.includes("/") || line.includes("\\") ? line.replace(PATHS, "·") : line;
}

/** Whether the line tells of something that went well. */
export function isPassed(line: string): boolean {
  return PASSED.test(line);
}

const NOTE =
  /(?:^|[:\]] )\s*(?:note|info(?:rmation)?|hint|help|remark|tip|debug)(?:\[[\w-]+\])?: |^\s*= (?:note|help): |^\s*\d* *[|│]|^(?:remote: )?hint: /i;
const LOCATED = /^\s*(?:[A-Za-z]:)?[\w./@\\+-]+\.\w{1,5}(?::\d+(?::\d+)?(?:-\d+(?::\d+)?)?|\(\d+(?:,\d+)?\)):? +\S/;

// 2/8 implicit   FAIL   0.47s   exit status 1 · ── Failure (series.R:10): months come in order ──
const STATUS_OF_MANY =
  /^\s*\[?\d+\/\d+\]?:? +\S.*(?:\s|\*\*\*)(?:FAIL|FAILED|Failed|ERROR|TIMEOUT|Timeout)\b|^\s*[─━]{2,} (?:\d+\. )?(?:Failure|Error)\b/;

// %Warning-WIDTH: tb.v:12:26: … The kind of a message that looks like a name.
const KIND = /^\W{0,2}(error|warn(?:ing)?)-[A-Z][\w-]*: /i;

// zipio.c:743:0: style: … A message that says itself that it is about no fault.
const REMARK =
  /^\S*?:\d+(?::\d+)?:? (?:- )?\[?(?:(?:style|performance|portability|convention|refactor|suggestion)\b\]?:? |[CRI]\d{4}: )/i;

// shop/cart.py:12:4: W0231: … As pylint numbers its warnings.
const WARNING_NUMBER = /^\S*?:\d+(?::\d+)?: W\d{4}: /;

/** Whether a line is a message about style, not about a fault. */
export function isRemark(line: string): boolean {
  return REMARK.test(line);
}

/** How a line counts by its words alone. Reads the first 600 and the last 200 characters of a long one. */
export function gradeOf(line: string): Grade {
  const read = line.length > 800 ? `${line.slice(0, 600)} ${line.slice(-200)}` : line;
  if (PASSED.test(read)) return GRADE.none;
  if (NOTE.test(read)) return GRADE.none;
  if (REMARK.test(read) || WARNING_NUMBER.test(read)) return GRADE.warning;
  const kind = KIND.exec(read)?.[1];
  if (kind !== undefined) return /^e/i.test(kind) ? GRADE.explicit : GRADE.warning;
  const words = withoutNames(read);
  if (STATUS_OF_MANY.test(read)) return GRADE.explicit;
  if (CONSEQUENCE.test(read) && (!/: (?:fatal )?error: /i.test(read) || ALWAYS_CONSEQUENCE.test(read)))
    return GRADE.consequence;
  const warning = WARNING.test(words);
  if (EXPLICIT.test(words) || EXPLICIT_CASED.test(words))
    return warning && /^\S*\s*\[?warn/i.test(words) ? GRADE.warning : GRADE.explicit;
  if (warning) return GRADE.warning;
  if (STRONG.test(words) || (LOCATED.test(read) && !isFrame(read))) return GRADE.strong;
  if (WEAK.test(words)) return GRADE.weak;
  return GRADE.none;
}

/** Whether a line is a message behind a place. */
export function isLocated(line: string): boolean {
  return LOCATED.test(line);
}

/** Whether a line counts for nothing but that a message stands behind a place. */
export function isOnlyLocated(line: string): boolean {
  return LOCATED.test(line) && !STRONG.test(withoutNames(line));
}

// So much of a record is searched for its fields.
const LONGEST_RECORD = 20_000;

const RECORD_ERROR = /"(?:err|error|exception|cause|reason|detail)s?"\s*:\s*(?:"[^"]|\{\s*"|\[\s*["{])/;

// The JSON of eslint: a 2 among its severities is an error, a 1 a warning.
const RULE_BROKEN = /"ruleId":(?:null|"[^"]{0,100}"),(?:"fatal":true,)?"severity":2\b/;

const RECORD_SAYS = /"(?:stderr|err|error|exception|cause|reason|detail)s?"\s*:\s*"[^"]/;

/** Where in a line that has said that something failed a record begins to tell what; -1 for nowhere. */
export function toldAt(line: string): number {
  return line.startsWith("{") || !line.includes('": ') ? -1 : line.slice(0, LONGEST_RECORD).search(RECORD_SAYS);
}

// So many places of a long line are looked at, and so many characters on either side of each.
const MOST_PLACES = 32;
const AROUND = 200;

/** Where in a long line the first words stand that make it evidence, wherever that is; -1 when none were found. */
export function loudAt(line: string): number {
  const broken = line.search(RULE_BROKEN);
  if (broken >= 0) return broken;
  const bytes = Buffer.from(line);
  let found = -1;
  let looked = 0;
  stemMatcher().eachLine(bytes, 0, bytes.length, (_, __, at) => {
    if (++looked > MOST_PLACES) return bytes.length;
    const from = Math.max(0, at - AROUND);
    // A word that is cut at the start may be the end of a name.
    const part = bytes.toString("utf8", from, at + AROUND).replace(from > 0 ? /^\W?\w+/ : "", "");
    if (gradeOf(part) < GRADE.strong) return Math.min(bytes.length, at + AROUND);
    found = bytes.toString("utf8", 0, at + AROUND).length - part.length + severityAt(part);
    return bytes.length;
  });
  return found;
}

/** Where in a line the words stand that make it evidence; 0 when there are none. */
export function severityAt(line: string): number {
  const read = line.slice(0, LONGEST_RECORD);
  // Of a record the field that tells of the error says more than its level.
  if (read.startsWith("{")) {
    const at = read.search(RECORD_ERROR);
    if (at >= 0) return at;
  }
  if (line.startsWith("[{")) {
    const broken = line.search(RULE_BROKEN);
    if (broken >= 0) return broken;
  }
  for (const words of [EXPLICIT_CASED, EXPLICIT, STRONG]) {
    const at = read.search(words);
    if (at >= 0) return at;
  }
  return line.length > read.length ? Math.max(0, loudAt(line)) : 0;
}
