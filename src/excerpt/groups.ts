/**
 * Groups of blocks that say the same. A flood becomes one group; what stands alone among a flood
 * weighs more than the flood.
 */
import { nameAbove } from "./above.ts";
import { type Block, growBlock, isHeading, placesOf, ruleOf } from "./blocks.ts";
import type { Finding } from "./finding.ts";
import { isForeign, placeOf } from "./frames.ts";
import { indentOf } from "./indent.ts";
import type { Recogniser } from "./recognisers/index.ts";
import { GRADE, isRemark } from "./severity.ts";
import type { ExcerptRequest } from "./types.ts";
import type { View } from "./view.ts";

/** Blocks that say the same of different things. */
export interface Group {
  readonly key: string;
  readonly first: Block;
  /** The next of its blocks, where they have titles. */
  readonly more: readonly Block[];
  /** The rows that open its blocks, in order. */
  readonly rows: readonly number[];
  /** How many lines of the log it stands for; more than its rows where not all of the log was kept. */
  readonly count: number;
  /** The higher the sooner it is shown. */
  readonly weight: number;
}

// Blocks whose rows say the same that are grown before the rest are only counted. What a title is about
// is told below it, so more of them are looked at.
const GROWN = 3;
const GROWN_TITLED = 60;
// Of those so many may be shown besides the first.
const MOST_MORE = 6;
// More of them only when they are about other places.
const FEW = 3;

/** Puts findings into groups, weightiest first. */
export function groupsOf(view: View, evidence: readonly Finding[], request: ExcerptRequest): Group[] {
  const groups = new Map<string, { first: Block; more: Block[]; rows: number[] }>();
  const keyOfShape = new Map<string, { key: string; grown: number }>();
  // Of a flood nearly every finding goes this way.
  const full = new Map<number, number[]>();
  const fullOfTitles = new Map<Recogniser, number[]>();
  let covered = -1;
  let coveredStream = "";
  // The last finding that was only counted: its block was not grown, but has the same rows as those that were.
  let onlyCounted: Finding | null = null;
  for (const finding of evidence) {
    const stream = view.stream(finding.row);
    if (finding.row <= covered && stream === coveredStream) continue;
    if (onlyCounted !== null && isSetInBelow(view, onlyCounted, finding)) continue;
    onlyCounted = null;
    const counted = full.get(finding.said);
    if (counted !== undefined && isPlain(finding)) {
      counted.push(finding.row);
      if (finding.grade >= GRADE.strong) onlyCounted = finding;
      continue;
    }
    const titles = finding.recogniser === null ? undefined : fullOfTitles.get(finding.recogniser);
    if (titles !== undefined && !finding.isFlood) {
      titles.push(finding.row);
      continue;
    }
    const ruled = ruleOf(view, finding);
    const shape = `${finding.grade} ${ruled ?? (finding.recogniser?.titled === true ? `t ${finding.recogniser.name}` : finding.said)}`;
    const known = keyOfShape.get(shape);
    const isTitled =
      finding.recogniser?.titled === true || nameAbove(view, finding.row) >= 0 || isHeading(view, finding.row);
    const most = finding.isFlood ? 1 : isTitled ? GROWN_TITLED : GROWN;
    if (known !== undefined && known.grown >= most) {
      const rows = groups.get(known.key)?.rows;
      rows?.push(finding.row);
      if (finding.grade >= GRADE.strong && finding.recogniser?.titled !== true) onlyCounted = finding;
      if (rows !== undefined && isPlain(finding) && !isTitled && finding.said >= 0) full.set(finding.said, rows);
      const layout = finding.recogniser;
      if (rows !== undefined && layout?.titled === true && layout.rule === undefined) fullOfTitles.set(layout, rows);
      continue;
    }
    const block = growBlock(view, finding, request);
    const key = `${finding.grade} ${keyOf(finding, block)}`;
    keyOfShape.set(shape, { key, grown: (known?.grown ?? 0) + 1 });
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: block, more: [], rows: [finding.row] });
    else {
      group.rows.push(finding.row);
      if (isTitled && group.more.length < MOST_MORE && (group.more.length < FEW || isElsewhere(view, block, group)))
        group.more.push(block);
    }
    if (finding.grade >= GRADE.strong) {
      covered = block.end;
      coveredStream = stream;
    }
  }
  return weigh(
    view,
    [...groups].map(([key, { first, more, rows }]) => ({ key, first, more, rows, count: view.standFor(rows) })),
    request.exitCode !== 0,
  );
}

// So far below a message its details stand.
const REACH = 40;

/** Whether a finding is a part of what is set in below another one. */
function isSetInBelow(view: View, { row }: Finding, below: Finding): boolean {
  const text = view.text(below.row);
  // Behind a blank row begins the next of a runner's failures, however far it is set in.
  if (below.recogniser?.titled === true && view.text(below.row - 1).trim() === "") return false;
  if (!text.startsWith(" ") || below.row - row > REACH || view.stream(row) !== view.stream(below.row)) return false;
  const indent = indentOf(view.text(row));
  for (let at = below.row; at > row; at--) {
    if (view.text(at).trim() !== "" && indentOf(view.text(at)) <= indent) return false;
  }
  return true;
}

/** Whether a block names a place that the blocks of a group do not. */
function isElsewhere(view: View, block: Block, { first, more }: Pick<Group, "first" | "more">): boolean {
  const known = new Set([first, ...more].flatMap((other) => placesOf(view, other)));
  return placesOf(view, block).some((place) => !known.has(place));
}

/** Whether what it says alone tells which group it belongs to. */
function isPlain({ recogniser, isUsers }: Finding): boolean {
  return !isUsers && recogniser?.rule === undefined && recogniser?.titled !== true;
}

/** What the group of a block is known by. */
function keyOf(finding: Finding, block: Block): string {
  if (finding.isFlood) return `flood ${finding.said}`;
  if (finding.isUsers) return `user ${block.key}`;
  // What stands below a title may be a flood of its own.
  return finding.recogniser?.titled === true ? `${finding.recogniser.name} ${block.key}` : block.key;
}

const STATED = /\b(?:static assertion failed|static_assert failed)\b[^:]*: \S|error: #error \S/;

function weigh(view: View, groups: readonly Omit<Group, "weight">[], failed: boolean): Group[] {
  const explicit = groups.find((group) => group.first.finding.grade === GRADE.explicit && !group.first.bare);
  const loud = groups.filter((group) => group.first.finding.grade >= GRADE.strong && !group.first.bare);
  const largest = loud.length < 3 ? undefined : loud.reduce((a, b) => (b.count > a.count ? b : a));
  const length = Math.max(1, view.length);
  return groups
    .map((group) => {
      const { finding } = group.first;
      let weight = finding.grade * 20;
      if (finding.recogniser !== null) weight += 8;
      // Who gave a pattern wants to see what it finds.
      if (finding.isUsers) weight += 20;
      if (group === explicit) weight += 6;
      // A list of names says less than the blocks that tell what happened to them.
      if (group.first.bare) weight -= 30;
      weight -= Math.min(6, Math.log2(group.count));
      if (group === largest) weight += 8;
      // A message at a place in a header or a package is about something the project does with it.
      if (isForeign(placeOf(view.text(finding.row)))) weight -= 6;
      // Somebody wrote down beforehand what this mistake means.
      if (STATED.test(view.text(finding.row))) weight += 12;
      if (finding.recogniser?.repeats === true) weight -= 15;
      if (isRemark(view.text(finding.row))) weight -= 8;
      // Of equals the first: what comes after may follow from it. In what succeeded the last: it is what is left.
      weight += failed ? 2 * (1 - finding.row / length) : (2 * (group.rows.at(-1) ?? 0)) / length;
      return { ...group, weight };
    })
    .toSorted((a, b) => b.weight - a.weight);
}
