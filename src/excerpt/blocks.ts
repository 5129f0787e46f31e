/**
 * Blocks of evidence: what belongs to a row that tells of a failure. Below it what is set in, what is
 * drawn with bars and carets, what is expected and received, the first frame of the project's own
 * code; above it the heading that says of what it is a part.
 */
import { above } from "./above.ts";
import type { Finding } from "./finding.ts";
import { examineRow, isHarmless } from "./findings.ts";
import { isFrame, isOwnFrame } from "./frames.ts";
import { indentOf } from "./indent.ts";
import { GRADE } from "./severity.ts";
import { shapeKey } from "./shape.ts";
import type { ExcerptRequest } from "./types.ts";
import type { View } from "./view.ts";

/** A block, its rows in order. */
export interface Block {
  readonly finding: Finding;
  /** The rows without which it is not understood; the finding's own is among them. */
  readonly core: readonly number[];
  /** The row that carries the message. */
  readonly message: number;
  /** Rows that help. */
  readonly extra: readonly number[];
  /** The last row that belongs to it. */
  readonly end: number;
  /** Whether it is a title with no message below it: one of a list. */
  readonly bare: boolean;
  /** Blocks with one key say the same of different things. */
  readonly key: string;
}

// Rules, empty boxes, carets alone: they hold a block together and say nothing.
const DECORATION = /^[\s│┃║|*=─━═⎯~^_.╭╮╰╯╔╗╚╝{}()[\],;-]*$|^\s*\d+\s*[|│]\s*$|^E\s*$/;
const MAX_ROWS = 60;
const MAX_REACH = 400;
const MAX_CORE = 14;
const MAX_DIFF = 8;

const STRUCTURE = /^\s*(?:[|│┃╷╵║^~+>]|-->|@@|E {2}|\d+ *[|│]|[-+] |[-+]{3} |# |\* )/;
const TELLING =
  /^\W*(?:expected|received|actual|got|want(?:ed)?|left|right|but (?:was|got)|value of|which is|message|error|reason|caused? ?by|cause|assertion\w*|failure|found|peer|conflicting|wait|required|current|given|note: .*(?:required|expected|declared)|undefined|missing|thrown|exception|stderr|at: |msg|cmd|rc)\b|^\s*[-+] ?\s*["'\w[{(<:]|^\s*[A-Z]\w*(?:Error|Exception)\b|^E {2}|^>\s|-->|!==|!=|===|≠|\^\^|^\s*\d*\s*\|.*\^/i;

/** Grows the block that a finding opens. */
export function growBlock(view: View, finding: Finding, request: ExcerptRequest): Block {
  const { recogniser } = finding;
  const isSection = recogniser?.closes !== undefined && (recogniser.titled === true || recogniser.section === true);
  const stream = view.stream(finding.row);
  const own = view.text(finding.row);
  const indent = indentOf(own);
  const rows: number[] = [];
  let blanks = 0;
  let plain = 0;
  let end = finding.row;
  for (let row = finding.row + 1; row < view.length && row <= finding.row + MAX_REACH; row++) {
    if (view.stream(row) !== stream && stream !== "") continue;
    const text = view.text(row);
    if (text.trim() === "") {
      if (++blanks > (isSection ? 6 : 2)) break;
      continue;
    }
    if (DECORATION.test(text) && recogniser?.closes?.test(text) !== true) continue;
    // The rest of the message, or the line of source that a caret below points into.
    const wrapped = row === finding.row + 1 && (isWrapped(text) || /^\s*[~^]*\^[~^]*\s*$/.test(view.text(row + 1)));
    if ((!wrapped && recogniser?.closes?.test(text) === true) || (!isSection && isHarmless(text))) break;
    const deeper = indentOf(text) > indent;
    if (!isSection) {
      if (!deeper && !wrapped && !STRUCTURE.test(text)) {
        // A pair of values stands alone between blank rows.
        if (blanks > 0 && (row > finding.row + 6 || !TELLING.test(text))) break;
        const other = examineRow(view, row, request);
        if (other !== null && other.grade !== GRADE.warning) break;
        if (++plain > 2) break;
      }
    }
    blanks = 0;
    end = row;
    // Of a long section what tells of the failure often stands at its end.
    if (rows.length < MAX_ROWS || recogniser?.says?.test(text) === true || recogniser?.core?.test(text) === true)
      rows.push(row);
    else if (recogniser?.closes === undefined) break;
  }
  return compose(view, finding, rows, end, request);
}

function compose(view: View, finding: Finding, below: readonly number[], end: number, request: ExcerptRequest): Block {
  const { recogniser } = finding;
  const core: number[] = [...above(view, finding), finding.row];
  const extra: number[] = [];
  let message = recogniser?.titled === true ? -1 : finding.row;
  let frames = 0;
  let diff = 0;
  const dropped: number[] = [];
  const further: number[] = [];
  for (const row of below) {
    const text = view.text(row);
    if (recogniser?.drops?.test(text) === true) continue;
    if (isFrame(text)) {
      if (!isOwnFrame(text)) dropped.push(row);
      else if (frames++ < 1) core.push(row);
      else if (frames < 4) further.push(row);
      continue;
    }
    if (message < 0 && PLACE.test(text)) {
      core.push(row);
      continue;
    }
    // A title below the title, as of the test below its suite.
    if (message < 0 && recogniser?.says === undefined && NESTED.test(text) && row !== below.at(-1)) {
      core.push(row);
      continue;
    }
    if (message < 0 && recogniser?.follows?.test(text) !== true && recogniser?.says?.test(text) !== false) {
      message = row;
      core.push(row);
      continue;
    }
    const isDiff = /^\s*[-+]/.test(text);
    const led = /:\s*$/.test(view.text(core.at(-1) ?? -1)) && view.text(row).length < 400;
    const pointed = /^\s*>?\s*\d+ *[|│]/.test(text) && /^[\s|│~]*\^/.test(view.text(row + 1));
    const telling =
      led ||
      pointed ||
      (core.length < MAX_CORE / 2 && examineRow(view, row, request)?.grade === GRADE.explicit) ||
      (row === finding.row + 1 && isWrapped(text)) ||
      recogniser?.core?.test(text) === true ||
      TELLING.test(text);
    if (telling && core.length < MAX_CORE && (!isDiff || diff++ < MAX_DIFF)) core.push(row);
    else extra.push(row);
  }
  if (frames === 0 && dropped[0] !== undefined && !core.some((row) => /:\d+/.test(view.text(row))))
    extra.unshift(dropped[0]);
  // What was being done when it happened stands right above, where no layout says more.
  if (recogniser === null && core[0] === finding.row && isTelling(view.text(finding.row - 1)))
    extra.unshift(finding.row - 1);
  const ruled = recogniser?.rule?.exec(view.text(finding.row))?.[1];
  if (message < 0 && recogniser?.alone?.test(view.text(finding.row)) === true) message = finding.row;
  const bare = message < 0;
  const told = view.text(bare ? finding.row : message);
  return {
    finding,
    message: bare ? finding.row : message,
    core: unique(core),
    extra: [...further, ...unique(extra)],
    end,
    bare,
    key:
      ruled === undefined
        ? keyOf(told, view.text((message < 0 ? finding.row : message) + 1), finding, message)
        : `rule ${ruled}`,
  };
}

/** Whether a row above an error says more than that something passed. */
function isTelling(text: string): boolean {
  return text.trim() !== "" && !DECORATION.test(text) && !/^\s*(?:[✓✔√]|ok \d|PASS\b)/.test(text);
}

/** What a block says, without what it says it of. A pair of values is what it says, so values stay. */
function keyOf(told: string, next: string, finding: Finding, message: number): string {
  if (message < 0) return `bare ${finding.recogniser?.name ?? ""}`;
  if (/^\W*(?:got|expected|received|actual)\b/i.test(told)) return told.trim();
  const code = CODE.exec(told)?.[1];
  if (code !== undefined) return `rule ${code}`;
  const rule = RULE.exec(told)?.[1] ?? (FINDING_START.test(next) ? undefined : RULE.exec(` ${next}`)?.[1]);
  if (rule !== undefined) return `rule ${rule}`;
  return message === finding.row ? shapeKey(told) : `t ${shapeKey(told)}`;
}

// The name of a rule at the end of a message, which a narrow terminal may have wrapped.
const RULE = /\s\[([a-z]+(?:[-/][\w-]+)+|[A-Z]+\d+)\]\s*$/;
// The name of a rule between the place and the message: flake8, pylint, rubocop, ruff, tsc.
const CODE =
  /^\s*\S+[:(]\d+\S*\s+(?:-\s+)?(?:[A-Z]: )?(?:\[\w+\] )?(?:(?:fatal )?(?:error|warning) )?([A-Z]{1,6}\d{2,6}|[A-Z]\w+\/\w+)\b/;
const FINDING_START = /^\S+:\d+/;

/** Whether a row is the rest of a message that was wrapped before the name of its rule. */
function isWrapped(text: string): boolean {
  return RULE.test(` ${text}`) && !FINDING_START.test(text);
}

const NESTED = /^\s+[\w"'`].*[\w"'`)\]]:$/;
const PLACE = /^\W*(?:at )?\S+(?::\d+| line \d+)\S*\.?$/;

/** Whether a row has nothing to say: a rule, the side of a box, a caret. */
export function isDecoration(text: string): boolean {
  return DECORATION.test(text);
}

function unique(rows: readonly number[]): number[] {
  return [...new Set(rows)].toSorted((a, b) => a - b);
}
