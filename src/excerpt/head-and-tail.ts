/** Head and tail: what is shown of a log beside what rules chose, and all of one that no rule knows. */
import { isDecoration } from "./blocks.ts";
import type { Budget } from "./budget.ts";
import { isEpilogue, isHarmless } from "./findings.ts";
import { isFrame } from "./frames.ts";
import { shapeKey } from "./shape.ts";
import type { ExcerptRequest } from "./types.ts";
import type { View } from "./view.ts";

/**
 * Spends the rest of a budget on rows from both ends.
 *
 * @param isTold Whether a row is told of by others.
 * @param most How many rows at most.
 * @param alike How many rows of one shape in a row are taken besides the first.
 */
export function headAndTail(
  view: View,
  budget: Budget,
  request: ExcerptRequest,
  isTold: (row: number) => boolean,
  most: number,
  alike: number,
): void {
  const head = budget.share(budget.left * request.headRatio);
  const tail = budget.share(budget.left);
  walk(view, head, isTold, 1, Math.floor(most * request.headRatio), alike, "head");
  walk(view, tail, isTold, -1, Math.ceil(most * (1 - request.headRatio)), alike, "tail");
}

// Generating page index...
const DOING = /^\W*(\w+ing)\b.*(?:\.\.\.|…)\s*$/;

const MOST_SAME = 2;

// checking for libssh2.h... no
const LACKING = /\b(?:no|not found)$/i;

/** Takes rows from an end of the log inwards, passing over runs of rows of one shape. */
function walk(
  view: View,
  share: Budget,
  isTold: (row: number) => boolean,
  step: 1 | -1,
  most: number,
  maxAlike: number,
  why: string,
): void {
  const alikeOnly = maxAlike === 0;
  let last = "";
  let alike = 0;
  let lastText = "";
  let same = 0;
  let taken = 0;
  for (let i = 0; i < view.length && taken < most && i < 4000; i++) {
    const row = step === 1 ? i : view.length - 1 - i;
    const text = view.text(row);
    if (
      text.trim() === "" ||
      (alikeOnly && (isFrame(text) || isDecoration(text) || isEpilogue(text) || /^\s*\d* *[|│]/.test(text)))
    )
      continue;
    // A row that is told of, or of what is well, has its place here, as if it were shown.
    if (isTold(row) || (alikeOnly && (share.isTold(row) || (isHarmless(text) && !LACKING.test(text))))) {
      taken++;
      continue;
    }
    // What is being done says little, whatever it is done to.
    const doing = DOING.exec(text)?.[1];
    const shape = doing ?? shapeKey(text);
    alike = shape === last ? alike + 1 : 0;
    last = shape;
    // What is said again word for word says no more.
    same = text === lastText ? same + 1 : 0;
    lastText = text;
    if (alike > (doing === undefined ? maxAlike : 0) || same > MOST_SAME) {
      if (alike > 60) break;
      continue;
    }
    if (!share.add(row, why, 100 - taken, 1, 240)) break;
    taken++;
  }
}
