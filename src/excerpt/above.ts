/**
 * What stands above a row that tells of a failure and belongs to it: the heading it is part of, the place
 * that was printed first, the innermost own frame of a traceback.
 */
import type { Finding } from "./finding.ts";
import { isForeign, isFrame } from "./frames.ts";
import { indentOf } from "./indent.ts";
import { placeAbove } from "./places.ts";
import type { View } from "./view.ts";

const HEADING_ROWS = 600;
// ^-- SC2045 (error): …
const POINTING = /^\s+\^[-~]* ?\^? \S/;
// [3] api.yaml:158:58 at #/paths: a title that names the place, and a blank row below it.
const PLACE_TITLE = /^(?:\W|\d)*\S+\.\w{1,5}:\d+(?::\d+)?\b/;

/** The rows above that belong to a block. */
export function above(view: View, finding: Finding): number[] {
  const { recogniser, row } = finding;
  const text = view.text(row);
  const found: number[] = [];
  if (recogniser?.heading !== undefined) {
    const heading = view.nearestAbove(recogniser.heading, row, HEADING_ROWS);
    if (heading >= 0 && isOfSameFile(view.text(heading), text)) found.push(heading);
  }
  const previous = view.text(row - 1);
  if (indentOf(text) === 0 && /^\s+\S/.test(previous)) found.push(...pythonFrame(view, row));
  // The title of an error that stands right above it, with its place.
  if (/\S\.\w{1,5}:\d+(?::\d+)?\W*$/.test(previous) && !isFrame(previous) && !isForeign(previous)) found.push(row - 1);
  // The place, and the source in between.
  const place = placeAbove(view, row);
  if (place >= 0) {
    const isTitled = view.text(place - 1).trim() !== "" && view.text(place - 2).trim() === "";
    found.push(...(place < row - 1 && isTitled ? [place - 1, place] : [place]));
  }
  const name = nameAbove(view, row);
  if (name >= 0) found.push(name);
  // A message set under its line of source, by a caret that points into it.
  if (POINTING.test(text)) {
    let source = row - 1;
    while (source > row - 4 && POINTING.test(view.text(source))) source--;
    if (view.text(source).trim() !== "") found.push(source);
  } else if (previous.trim() === "" && PLACE_TITLE.test(view.text(row - 2))) found.push(row - 2);
  // Node prints the place and the source line above the message.
  for (let at = row - 1; at > row - 4 && at > 1; at--) {
    if (/^\s*\^+\s*$/.test(view.text(at)) && /:\d+$/.test(view.text(at - 2)) && !isForeign(view.text(at - 2)))
      found.push(at - 2);
  }
  return found;
}

const STATUS = /^\W*(?:FAIL(?:ED|URE)?|ERROR|failed|failure|error)\W*$/;

/** The row with the name of what failed, right above a row that is nothing but a status; -1 for none. */
export function nameAbove(view: View, row: number): number {
  return STATUS.test(view.text(row)) && /\p{L}/u.test(view.text(row - 1)) ? row - 1 : -1;
}

const FILE = /^([^\s:]+\.\w+): /;
const FILE_AND_LINE = /^([^\s:]+\.\w+):/;

/** Whether a heading that names a file may belong to a message that names one. */
function isOfSameFile(heading: string, message: string): boolean {
  const one = FILE.exec(heading)?.[1];
  const other = FILE_AND_LINE.exec(message)?.[1];
  return one === undefined || other === undefined || one === other;
}

// So far above the end of a traceback it begins.
const TRACEBACK_ROWS = 200;
const FRAME = /^\s+File ".*", line \d+/;
const MOST_OUTER = 2;

/** The own frames that called the innermost one of a traceback that ends above `row`: the nearest. */
export function callersAbove(view: View, row: number): number[] {
  if (indentOf(view.text(row)) > 0) return [];
  const own: number[] = [];
  for (let at = row - 1; at > row - TRACEBACK_ROWS && own.length <= MOST_OUTER; at--) {
    const text = view.text(at);
    if (!/^\s/.test(text)) break;
    if (FRAME.test(text) && !isForeign(text) && !text.includes('"<')) own.push(at);
  }
  return own.slice(1);
}

/** The innermost own frame of a traceback that ends above `row`, with its line of code. */
function pythonFrame(view: View, row: number): number[] {
  let fallback: number[] = [];
  for (let at = row - 1; at > row - TRACEBACK_ROWS && at >= 0; at--) {
    const text = view.text(at);
    if (!/^\s/.test(text)) break;
    if (!FRAME.test(text)) continue;
    const frame = /^\s+(?!File )\S/.test(view.text(at + 1)) && at + 1 < row ? [at, at + 1] : [at];
    if (!isForeign(text)) return frame;
    if (fallback.length === 0) fallback = frame;
  }
  return fallback;
}
