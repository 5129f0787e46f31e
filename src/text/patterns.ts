/**
 * Patterns that users give (`errorPatterns`), compiled to a matcher whose time is linear in the text
 * whatever the pattern: RE2's automata (the package re2js), not backtracking. What RE2 can't express
 * (look-around, back-references) is refused with a reason, never approximated.
 *
 * The engine is loaded when there is a pattern to compile, and not before.
 */
import { messageOf } from "../model/index.ts";

/** A compiled list of patterns. */
export interface LinePatterns {
  /** The patterns that compiled, in the order given. */
  readonly sources: readonly string[];
  /** The index in `sources` of the first pattern that matches anywhere in the line, or -1. Bytes are taken as UTF-8. */
  match(line: string | Uint8Array): number;
  /** Whether any matches: what the excerpt asks of a pattern. */
  test(line: string): boolean;
  /**
   * Whether any may match in one of several lines, in one pass over them: true where one does. It may be true
   * where none does, since what a pattern says of characters may be true of a line feed.
   */
  mayMatch(lines: Uint8Array): boolean;
}

/** What compiling came to: the patterns that can be used, and a sentence for each that can't. */
export interface CompiledPatterns {
  /** Null when no pattern is left. */
  readonly patterns: LinePatterns | null;
  readonly notes: readonly string[];
}

/**
 * The most automaton states of one pattern and of all together. The time for one character grows
 * with the states, so a pattern such as `(x{1000}){100}` is refused though it would be linear.
 */
const MAX_STATES = 1000;
const MAX_STATES_OF_ALL = 5000;
const MAX_SHOWN = 60;

// What begins or ends the text, not a line of it, can't be asked of several lines at once.
const OF_THE_TEXT = /\\[Az]|\(\?[imsU]*-[imsU]*m/;

/**
 * Compiles patterns in RE2's syntax (https://github.com/google/re2/wiki/Syntax). Never throws for a bad pattern: `notes`
 * says why, and where it stands by `places`, one for each source; for a source without one, by its number from 1.
 */
export async function compilePatterns(
  sources: readonly string[],
  places: readonly string[] = [],
): Promise<CompiledPatterns> {
  if (sources.length === 0) return { patterns: null, notes: [] };
  const { RE2JS, RE2Set } = await import("re2js");
  const notes: string[] = [];
  const accepted: string[] = [];
  const set = new RE2Set();
  let states = 0;
  sources.forEach((source, index) => {
    const refuse = (why: string): void => {
      const place = places[index] ?? `errorPatterns, number ${index + 1}`;
      notes.push(`settings: ${place}: ${shown(source)} can't be used: ${why}; ignored.`);
    };
    let size: number;
    try {
      const compiled = RE2JS.compile(source);
      size = compiled.programSize();
      if (compiled.test("")) return refuse("it matches an empty line, so it would match every line");
    } catch (error) {
      return refuse(reasonOf(messageOf(error)));
    }
    if (size > MAX_STATES || states + size > MAX_STATES_OF_ALL) {
      const limit =
        size > MAX_STATES
          ? `one pattern has at most ${MAX_STATES}`
          : `all patterns have at most ${MAX_STATES_OF_ALL} together`;
      return refuse(`it needs ${size} states, and ${limit}`);
    }
    states += size;
    accepted.push(source);
    set.add(source);
  });
  if (accepted.length === 0) return { patterns: null, notes };
  set.compile();
  const match = (line: string | Uint8Array): number => first(set.match(line));
  const any = accepted.some((source) => OF_THE_TEXT.test(source))
    ? null
    : RE2JS.compile(accepted.map((source) => `(?m:${source})`).join("|"));
  const mayMatch = (lines: Uint8Array): boolean => any === null || any.test(lines);
  return { patterns: { sources: accepted, match, test: (line) => match(line) >= 0, mayMatch }, notes };
}

/** The smallest index, or -1: the engine does not say in which order it reports. */
function first(indices: readonly number[]): number {
  return indices.length === 0 ? -1 : indices.reduce((a, b) => Math.min(a, b));
}

/** The engine's reason without its preamble, and what people mostly meant by it. */
function reasonOf(message: string): string {
  const reason = message.replace(/^error parsing regexp: /, "");
  if (/^invalid or unsupported Perl syntax|^invalid named capture: `\(\?<[=!]/.test(reason))
    return `${reason}: look-around is not supported, since it can't be matched in linear time`;
  if (/^invalid escape sequence: `\\[1-9k]/.test(reason))
    return `${reason}: back-references are not supported, since they can't be matched in linear time`;
  if (reason.startsWith("invalid repeat count")) return `${reason}: at most 1000 repetitions, nested ones multiplied`;
  return reason;
}

function shown(source: string): string {
  const text = JSON.stringify(source);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}…`;
}
