/**
 * Blocks of evidence: what belongs to a row that tells of a failure. Below it what is set in, what is
 * drawn with bars and carets, what is expected and received, the first frame of the project's own
 * code; above it the heading that says of what it is a part.
 */
import { above, callersAbove, nameAbove } from "./above.ts";
import type { Finding } from "./finding.ts";
import { examineRow, isHarmless } from "./findings.ts";
import { isForeign, isFrame, isOwnFrame, placeOf } from "./frames.ts";
import { indentOf } from "./indent.ts";
import { isPlace } from "./places.ts";
import { RECOGNISERS, type Recogniser } from "./recognisers/index.ts";
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
const DECORATION =
  /^[\s│┃║|*=─━═⎯―~^_.╭╮╰╯╔╗╚╝{}()[\],;-]*$|^\s*[─━―═]{8,} ?\S? +[─━―═]{8,}\s*$|^\s*\d+\s*[|│]\s*$|^E\s*$/;
const MAX_ROWS = 60;
const MAX_REACH = 400;
const MAX_CORE = 14;
const MAX_DIFF = 8;

const STRUCTURE =
  /^\s*(?:[|│┃╷╵║^~+>]|-->|@@|E {2}|\d+ *[|│]|[-+] |[-+]{3} (?!(?:FAIL|PASS|SKIP): )|# |\* |\w+: {2,}\S)/;
const TELLING =
  /^\W*(?:expected|received|actual|got|want(?:ed)?|left|right|passed in|location|but (?:was|got)|value of|which is|message|error|reason|details?|caused? ?by|cause|assertion\w*|failure|found|peer|conflicting|wait|required|current|given|difference|note: .*(?:required|expected|declared)|undefined|missing|thrown|exception|stderr|at: |msg|cmd|rc)\b|^\s*[-+] ?\s*["'\w[{(<:]|^\s*[A-Z]\w*(?:Error|Exception)\b|^E {2}|^[<>]\s|^l\.\d+ |-->|!==|!=|===|≠|\^\^|^\s*\d*\s*\|.*\^/i;

const SECTIONS = RECOGNISERS.filter(({ titled, closes }) => titled === true && closes !== undefined);

/** Whether a row opens a section of another layout. */
function opensSection(own: Recogniser | null, text: string): boolean {
  return SECTIONS.some((section) => section !== own && section.opens?.test(text) === true);
}

/** Grows the block that a finding opens. */
export function growBlock(view: View, finding: Finding, request: ExcerptRequest): Block {
  const { recogniser } = finding;
  const isSection = recogniser?.closes !== undefined && (recogniser.titled === true || recogniser.section === true);
  const stream = view.stream(finding.row);
  const own = view.text(finding.row);
  const indent = indentOf(own);
  const reason = recogniser?.titled === true || recogniser?.footed === true ? reasonAbove(view, finding) : [];
  if (reason[0] !== undefined) return footed(view, finding, reason, reason[0]);
  // A title with a rule below it goes on to the next one; one with a banner below it stands alone.
  const isUnderlined = recogniser?.titled === true && isRule(view.text(finding.row + 1));
  if (isUnderlined && isRule(view.text(finding.row + 3))) return compose(view, finding, [], finding.row, request);
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
    if (isUnderlined && row > finding.row + 1 && (isRule(text) || isRule(view.text(row + 1)))) break;
    if (DECORATION.test(text) && recogniser?.closes?.test(text) !== true) continue;
    // The rest of the message, or the line of source that a caret below points into.
    const wrapped = row === finding.row + 1 && (isWrapped(text) || /^\s*[~^]*\^[~^]*\s*$/.test(view.text(row + 1)));
    if (isOtherHalf(text) && finding.grade === GRADE.explicit && !isSection) {
      rows.push(row);
      end = row;
      break;
    }
    if ((!wrapped && recogniser?.closes?.test(text) === true) || (!isSection && isHarmless(text))) break;
    // Set in below the title of a file stand the tests that failed in it, each a block of its own.
    if (!isSection && (recogniser?.titled === true || blanks > 0) && opensSection(recogniser, text)) break;
    const deeper = isUnderlined || indentOf(text) > indent;
    if (!isSection) {
      if (!deeper && !wrapped && !STRUCTURE.test(text)) {
        // The next message begins with its place.
        const isOwnPlace = recogniser?.titled === true && rows.length === 0 && isPlace(text);
        if (row > finding.row + 1 && !isOwnPlace && (isPlace(text) || nameAbove(view, row + 1) >= 0)) break;
        // A pair of values stands alone between blank rows.
        const isFar = row > finding.row + (recogniser?.titled === true ? 10 : 6);
        if (blanks > 0 && !isOwnPlace && (isFar || !TELLING.test(text))) break;
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

/**
 * A block of which it is known at once what it says, and which rows belong to it only when somebody asks: of a flood
 * hardly any block is shown.
 */
class UntitledBlock implements Block {
  readonly finding: Finding;
  readonly message: number;
  readonly end: number;
  readonly bare: boolean = false;
  readonly key: string;
  readonly #compose: () => Rows;
  #rows: Rows | null = null;

  constructor(view: View, finding: Finding, end: number, find: () => Rows) {
    this.finding = finding;
    this.message = finding.row;
    this.end = end;
    this.key = groupKeyOf(view, finding, finding.row);
    this.#compose = find;
  }

  get core(): readonly number[] {
    this.#rows ??= this.#compose();
    return this.#rows.core;
  }

  get extra(): readonly number[] {
    this.#rows ??= this.#compose();
    return this.#rows.extra;
  }
}

/** The rows of a block, and the one with its message; -1 where there is none. */
interface Rows {
  readonly core: readonly number[];
  readonly extra: readonly number[];
  readonly message: number;
}

function compose(view: View, finding: Finding, below: readonly number[], end: number, request: ExcerptRequest): Block {
  if (finding.recogniser?.titled !== true)
    return new UntitledBlock(view, finding, end, () => composed(view, finding, below, request));
  const { core, extra, message } = composed(view, finding, below, request);
  const bare = message < 0;
  return {
    finding,
    message: bare ? finding.row : message,
    core,
    extra,
    end,
    bare,
    key: groupKeyOf(view, finding, message),
  };
}

// What names the other place that a message is about, not what a compiler tried on the way to it.
const OTHER_HALF =
  /:\d+(?::\d+)?\)?: note: (?!candidate|each undeclared|in expansion|in instantiation|expanded from|  )/;

/** Whether a row is a note of a compiler that a message is not understood without: where it was moved, declared before. */
function isOtherHalf(text: string): boolean {
  return text.includes(": note: ") && OTHER_HALF.test(text) && !isForeign(text);
}

// So far below a message about a header stands where the project uses it.
const USED_REACH = 60;

/** The row below a message about something foreign that tells where the project uses it; -1 for none. */
function usedBelow(view: View, { row, recogniser }: Finding): number {
  if (recogniser?.uses === undefined || !isForeign(placeOf(view.text(row)))) return -1;
  for (let at = row + 1; at < row + USED_REACH; at++) {
    const text = view.text(at);
    if (recogniser.opens?.test(text) === true) return -1;
    if (recogniser.uses.test(text) && !isForeign(placeOf(text))) return at;
  }
  return -1;
}

/** What a block says: the name of its rule, or the shape of its message. */
function groupKeyOf(view: View, finding: Finding, message: number): string {
  const ruled = ruleOf(view, finding);
  if (ruled !== undefined) return `rule ${ruled}`;
  const told = message < 0 ? finding.row : message;
  const row = isHeading(view, told) ? told + 1 : told;
  return keyOf(view.text(row), view.text(row + 1), finding, message < 0 ? message : row);
}

// src/A.hs:139:22: error: · src/A.hs:139:22: error: [GHC-83865] · not warning: [-Wunused-imports], which says what it is
const HEADING = /:\d+: (?:error|warning):(?: \[[A-Z][\w-]*\])*\s*$/;

/** Whether a row has the place and the severity of a message, and the message is set in below it. */
export function isHeading(view: View, row: number): boolean {
  const text = view.text(row);
  return HEADING.test(text) && indentOf(view.text(row + 1)) > indentOf(text);
}

const NAMES_PLACE = /\w\.\w{1,5}(?:[:(]\d+|"?,? line \d+)/;

/** Tells the rows of a block apart: those without which it is not understood, and those that help. */
function composed(view: View, finding: Finding, below: readonly number[], request: ExcerptRequest): Rows {
  const { recogniser } = finding;
  const core: number[] = [...above(view, finding), finding.row];
  const extra: number[] = [];
  let message = recogniser?.titled === true ? -1 : finding.row;
  let frames = 0;
  let diff = 0;
  const shapes = new Set<string>();
  const dropped: number[] = [];
  const further: number[] = [];
  for (const row of below) {
    const text = view.text(row);
    if (recogniser?.drops?.test(text) === true) continue;
    if (recogniser?.restarts?.test(text) === true) frames = 0;
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
      shapes.add(shapeKey(text));
      continue;
    }
    // A bare place is a frame of a runner that says no more of it.
    if (recogniser?.titled === true && indentOf(text) === 0 && isPlace(text)) {
      if (frames++ < 1) core.push(row);
      else if (frames < 4) further.push(row);
      continue;
    }
    const isDiff = /^\s*[-+]|^[<>] /.test(text);
    const led = /:\s*$/.test(view.text(core.at(-1) ?? -1)) && view.text(row).length < 400;
    const pointed = /^\s*>?\s*\d+ *[|│]/.test(text) && /^[\s|│~]*\^/.test(view.text(row + 1));
    const telling =
      led ||
      isOtherHalf(text) ||
      pointed ||
      (core.length < MAX_CORE / 2 && examineRow(view, row, request)?.grade === GRADE.explicit) ||
      (row === finding.row + 1 && (isWrapped(text) || isPlace(text))) ||
      recogniser?.core?.test(text) === true ||
      TELLING.test(text);
    const isAgain = !isDiff && !led && !pointed && !isNew(shapes, text);
    if (telling && !isAgain && core.length < MAX_CORE && (!isDiff || diff++ < MAX_DIFF)) core.push(row);
    else extra.push(row);
  }
  // Where no frame is the project's own, it may be the library itself that is worked on.
  if (frames === 0 && dropped[0] !== undefined && !core.some((row) => NAMES_PLACE.test(view.text(row))))
    core.push(dropped[0]);
  further.push(...callersAbove(view, finding.row));
  const used = usedBelow(view, finding);
  if (used >= 0) core.push(used);
  // What was being done when it happened stands right above, where no layout says more.
  if (recogniser === null && core[0] === finding.row && isTelling(view.text(finding.row - 1)))
    extra.unshift(finding.row - 1);
  if (message < 0 && recogniser?.alone?.test(view.text(finding.row)) === true) message = finding.row;
  return { message, core: unique(core), extra: [...further, ...unique(extra)] };
}

/** Whether no row of the shape was met before. */
function isNew(shapes: Set<string>, text: string): boolean {
  const size = shapes.size;
  return shapes.add(shapeKey(text)).size > size;
}

/** The block of a title that stands below what it is about. */
function footed(view: View, finding: Finding, reason: readonly number[], message: number): Block {
  return {
    finding,
    message,
    core: [...reason, finding.row],
    extra: [],
    end: finding.row,
    bare: false,
    key: `t ${shapeKey(view.text(message))}`,
  };
}

/**
 * The rows set in above a title, where the runner prints titles last: then what stands above the first of them is set in
 * below a title that passed.
 */
function reasonAbove(view: View, { row, recogniser }: Finding): number[] {
  const indent = indentOf(view.text(row));
  const setIn = (at: number): boolean => view.text(at).trim() !== "" && indentOf(view.text(at)) > indent;
  let first = row;
  while (first > row - MAX_CORE && setIn(first - 1)) first--;
  if (first === row) return [];
  let title = first - 1;
  for (; title > row - MAX_REACH; title--) {
    if (setIn(title)) continue;
    if (isHarmless(view.text(title))) return Array.from({ length: Math.min(4, row - first) }, (_, i) => first + i);
    if (recogniser?.opens?.test(view.text(title)) !== true || !setIn(title - 1)) return [];
  }
  return [];
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

/** The rule that a finding is of, as its tool prints it; undefined for none. Where the message holds a line feed, it stands in the next row. */
export function ruleOf(view: View, { row, recogniser }: Finding): string | undefined {
  if (recogniser?.rule === undefined) return undefined;
  const text = view.text(row);
  const isOpen = (text.match(/"/g)?.length ?? 0) % 2 === 1 && !FINDING_START.test(view.text(row + 1));
  return recogniser.rule.exec(isOpen ? view.text(row + 1) : text)?.[1];
}

/** The places that the rows of a block name. */
export function placesOf(view: View, { core }: Block): string[] {
  return core.flatMap((row) => /\S+\.\w+:\d+/.exec(view.text(row).slice(0, 300))?.[0] ?? []);
}

const NESTED = /^\s+[\w"'`].*[\w"'`)\]]:$/;
const PLACE = /^\W*(?:at )?\S+(?::\d+| line \d+)\S*\.?$/;

/** Whether a row is a rule below or above a title. */
function isRule(text: string): boolean {
  return /^\s*([=─━~*#_-])\1{3,}\s*$/.test(text);
}

/** Whether a row has nothing to say: a rule, the side of a box, a caret. */
export function isDecoration(text: string): boolean {
  return DECORATION.test(text);
}

function unique(rows: readonly number[]): number[] {
  return [...new Set(rows)].toSorted((a, b) => a - b);
}
