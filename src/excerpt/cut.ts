/** Long lines: a part of them, and how much is missing. */
import { wellFormed } from "../text/index.ts";
import { thousands } from "./thousands.ts";

const LEFT_OUT = /… \[([\d,]+) characters left out\] …/g;

/** What stands in place of so many characters of a line. */
export function leftOut(count: number): string {
  return `… [${thousands(count)} characters left out] …`;
}

// Of a line of so many characters the start is shown, too: it may say whose it is.
const HUGE = 4096;
const START = 60;

/**
 * Cuts a line to about `max` characters around the place `at`, saying how many were left out.
 *
 * @param also Where it says more, so far behind that place that each gets half of what is shown; -1 for nowhere.
 */
export function cutLine(line: string, max: number, at = 0, also = -1): string {
  if (line.length <= max) return line;
  const half = Math.floor(max / 2);
  if (also >= at + half) {
    const begin = atCharacter(line, also);
    return cutLine(line.slice(0, begin), half, at) + cutLine(line.slice(begin), max - half);
  }
  const from = atCharacter(line, at < max * 0.5 ? 0 : Math.min(at - Math.floor(max * 0.3), line.length - max));
  const to = atCharacter(line, from + max);
  const start = line.length > HUGE ? line.slice(0, atCharacter(line, Math.min(START, from))) : "";
  const before = from > start.length ? start + leftOut(lengthOf(line.slice(start.length, from))) : start;
  const after = to < line.length ? leftOut(lengthOf(line.slice(to))) : "";
  return wellFormed(`${before}${line.slice(from, to)}${after}`);
}

/** The start of a line that was cut before, of `length` characters at most: of the longest part between what says how much was left out. */
export function startOf(line: string, length: number): string {
  const parts = line.split(/… \[[\d,]+ characters left out\] …/);
  const longest = parts.reduce((one, other) => (other.length > one.length ? other : one), "");
  return wellFormed(longest.slice(0, atCharacter(longest, length)));
}

/** A place in a line, or the one before it where that would be in the middle of a character. */
function atCharacter(line: string, at: number): number {
  const isHalf = (line.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (line.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isHalf ? at - 1 : at;
}

/** The characters of a part of a line, with those that were left out of it before. */
function lengthOf(part: string): number {
  let length = part.length;
  if (part.includes(" characters left out] …"))
    for (const [mark, count = ""] of part.matchAll(LEFT_OUT)) length += Number(count.replaceAll(",", "")) - mark.length;
  return length;
}
