/** Where a run began, how it ended, and what it came to. */
import type { Budget } from "./budget.ts";
import type { Findings } from "./finding.ts";
import { isPlace } from "./places.ts";
import { shapeKey } from "./shape.ts";
import type { View } from "./view.ts";

/** The first row and the last: where it began, and how it ended. */
export function ends(view: View, budget: Budget): void {
  let first = 0;
  while (first < view.length && view.printed(first).trim() === "") first++;
  let last = view.length - 1;
  while (last >= 0 && view.printed(last).trim() === "") last--;
  if (last >= 0) budget.add(last, "tail", 710, 1, 240);
  // A place whose message is not shown says nothing.
  if (first < last && !isPlace(view.text(first))) budget.add(first, "head", 620, 1, 100);
}

/** Buys what the run came to, for `tokens` at most. */
export function outcome(view: View, findings: Findings, budget: Budget, tokens: number, failed: boolean): void {
  const share = budget.share(tokens);
  const seen = new Map<string, number>();
  const few = fewOf(findings.outcomes.map((row) => shapeKey(view.text(row))));
  for (const rank of [0, 1, 2]) {
    // Counts of nothing are told only where there is nothing else to tell.
    if (rank === 2 && seen.size > 0) return;
    for (let i = findings.outcomes.length - 1; i >= 0 && seen.size < 8; i--) {
      const row = findings.outcomes[i] ?? 0;
      const text = view.text(row);
      const shape = shapeKey(text);
      const said = seen.get(shape) ?? 0;
      if (rankOf(text) !== rank || said >= (!failed && few.has(shape) ? FEW : 1)) continue;
      if (share.add(row, "outcome", 690 - seen.size, 1, 200)) seen.set(shape, said + 1);
    }
  }
}

// test result: ok. 61 passed; 0 failed
const FEW = 3;

/** What is said so seldom that each time may be of another part of the run. */
function fewOf(shapes: readonly string[]): ReadonlySet<string> {
  const times = new Map<string, number>();
  for (const shape of shapes) times.set(shape, (times.get(shape) ?? 0) + 1);
  return new Set(shapes.filter((shape) => (times.get(shape) ?? 0) <= FEW));
}

// What was counted comes before how long it took and what else there is to say.
const COUNTED =
  /\b\d+ (?:passed|passing|failed|failing|failures?|errors?|problems?|tests?|examples|runs|specs|packages?|offenses)\b|\btests?:? +\d|\bbuild \w+|\bcompiled\b|\bbuilt\b|success|all files|\b(?:unreachable|failed)=[1-9]/i;

/** How soon an outcome is told: 0 first, 2 when it counts nothing. */
function rankOf(text: string): number {
  const numbers = text.match(/\d+(?:\.\d+)?/g) ?? [];
  if (numbers.length > 0 && numbers.every((number) => Number(number) === 0)) return 2;
  return COUNTED.test(text) ? 0 : 1;
}
