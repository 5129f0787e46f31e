/**
 * Places: rows that are a path with a line and nothing else, and the frames of source that stand below
 * them. Compilers print the place first, the source in the middle and the message last, or the message
 * first; a frame of source says nothing without both.
 */
import { isForeign, isFrame } from "./frames.ts";
import { indentOf } from "./indent.ts";
import type { View } from "./view.ts";

// File "lib/core.ml", line 359, characters 30-40: · heat.f90:24:47: · --> src/a.sol:1:2 · src/Main.res:1:92-95
const PLACE =
  /^\W*(?:(?:at|in) )?(?:File "[^"]+", lines? \d.*|(?:[A-Za-z]:)?[^\s:()"'|]*\w\.\w{1,10}(?::\d+(?:[:.-]\d+)*|\(\d+(?:, ?\d+)?\)|,? line \d+))\W*$/;
// 12 | code · > 12 │ code · | ^^^ · ^~~~ · the digit by which gfortran points.
const SOURCE = /^\s*(?:>?\s*\d+ *[|│┃](?:\s|$)|[|│┃](?:\s|$)|(?=~*\^)[~^]+\s*$|[╵╷])|^\s+\d\s*$/;
// An arrow leads from a message to its place.
const ARROW = /^\s*[-─]+>/;
const NUMBERED = /^\s*>?\s*\d+ *[|│┃](?:\s|$)/;
// What leads from a place to the first line of source.
const EMPTY_BAR = /^\s*[|│┃]\s*$/;
const REACH = 24;

/** Whether a row is a line of source that a tool shows, or what points into one. */
export function isSource(text: string): boolean {
  return SOURCE.test(text);
}

const PYTHONIC = 'File "';

/** Whether a row begins like a place that is not the end of it: `File "a.py", line 3, in f`, also behind `at` or `in`. */
function isPythonic(text: string): boolean {
  let from = 0;
  while (from < text.length && !isOfWord(text.charCodeAt(from))) from++;
  return text.startsWith(PYTHONIC, text.startsWith("at ", from) || text.startsWith("in ", from) ? from + 3 : from);
}

/** The same as `\w` but for digits: letters and the underscore. */
function isOfWord(code: number): boolean {
  return ((code | 32) >= 97 && (code | 32) <= 122) || code === 95;
}

/** Whether the last letter or digit of a row is a digit, as it is of a place. */
function endsInNumber(text: string): boolean {
  for (let i = text.length - 1; i >= 0; i--) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) return true;
    if (isOfWord(code)) return false;
  }
  return false;
}

/** Whether a row ends or begins as a place does: rows that say the same of different things all do, or none does. */
export function mayBePlace(text: string): boolean {
  return endsInNumber(text) || isPythonic(text);
}

/** Whether a row is a place in a file of the project and nothing else. */
export function isPlace(text: string): boolean {
  // Asked of most rows, of which hardly any ends like a place.
  if (text.length >= 300 || !mayBePlace(text)) return false;
  return PLACE.test(text) && !isFrame(text.replace(/^\s*File /, "")) && !isForeign(text);
}

/** The row of the place that a message is about, right above it or above the source between them; -1 for none. */
export function placeAbove(view: View, row: number): number {
  // Where the place stands below the message, the one above is that of the message before.
  if (!isPlace(view.text(row - 1)) && hasPlaceBelow(view, row) && !isUnderSource(view, row)) return -1;
  let source = 0;
  let blanks = 0;
  for (let at = row - 1; at >= 0 && row - at <= REACH; at--) {
    const text = view.text(at);
    if (text.trim() === "") {
      if (++blanks > 2) return -1;
    } else if (isSource(text)) source++;
    else return isPlace(text) && !ARROW.test(text) && (source > 0 || at === row - 1) ? at : -1;
  }
  return -1;
}

/** Whether a message stands right below source, and what stands below it is the place of the next one. */
function isUnderSource(view: View, row: number): boolean {
  const next = view.text(row + 1);
  return (
    isSource(view.text(row - 1)) && isPlace(next) && !ARROW.test(next) && indentOf(next) <= indentOf(view.text(row))
  );
}

// So far below a message its place stands.
const BELOW = 6;

/** Whether the place of a message stands below it: right there, or set in further on. */
function hasPlaceBelow(view: View, row: number): boolean {
  if (isPlace(view.text(row + 1))) return true;
  const indent = indentOf(view.text(row));
  for (let at = row + 2; at <= row + BELOW; at++) {
    const text = view.text(at);
    if (isPlace(text)) return indentOf(text) > indent;
  }
  return false;
}

/** The first row behind the source that stands below a place; -1 where none stands there. */
export function behindSource(view: View, place: number): number {
  let source = 0;
  let at = place + 1;
  for (; at < view.length && at - place <= REACH; at++) {
    const text = view.text(at);
    if (text.trim() === "") continue;
    if (NUMBERED.test(text)) source++;
    else if (!isSource(text) || (source === 0 && !EMPTY_BAR.test(text))) break;
  }
  return source === 0 ? -1 : at;
}
