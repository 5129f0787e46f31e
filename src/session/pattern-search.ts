/**
 * Callers' patterns, run under a time limit. Some patterns take longer for one line than anybody lives (a
 * repetition inside a repetition, such as (a+)+$), and while one runs nothing else in the process does: no
 * answer, no signal, no end of a session. V8 lets a script's time limit interrupt a match.
 */
import { Script, createContext } from "node:vm";
import type { Context } from "node:vm";
import { ProctorError, errnoOf, messageOf } from "../model/index.ts";

/** How long one batch of lines may take, in milliseconds. */
const LIMIT_MS = 1000;

/** A caller's pattern, and where it was given. */
export interface Pattern {
  readonly regexp: RegExp;
  /** The name of the argument, for refusals. */
  readonly field: string;
}

let search: { readonly script: Script; readonly context: Context } | null = null;

/**
 * Compiles a pattern of a caller's.
 *
 * @throws ProctorError `ERR_INPUT_PATTERN`, naming `field` and the pattern.
 */
export function compilePattern(text: string, field: string): Pattern {
  try {
    return { regexp: new RegExp(text, "u"), field };
  } catch {
    try {
      return { regexp: new RegExp(text), field };
    } catch (error) {
      throw new ProctorError(
        "ERR_INPUT_PATTERN",
        `${field}: "${text}" is not a regular expression: ${messageOf(error)}. Accepted: JavaScript's syntax.`,
        {
          details: { field, value: text },
        },
      );
    }
  }
}

/**
 * Tells of each text whether the pattern matches.
 *
 * @throws ProctorError `ERR_INPUT_PATTERN` when that takes longer than a second.
 */
export function matches(pattern: Pattern, texts: readonly string[]): readonly boolean[] {
  if (texts.length === 0) return [];
  search ??= { script: new Script("texts.map((text) => regexp.test(text))"), context: createContext({}) };
  const { script, context } = search;
  context["regexp"] = pattern.regexp;
  context["texts"] = texts;
  try {
    const found: unknown = script.runInContext(context, { timeout: LIMIT_MS });
    return Array.isArray(found) ? found.map((one) => one === true) : [];
  } catch (error) {
    if (errnoOf(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new ProctorError(
      "ERR_INPUT_PATTERN",
      `${pattern.field}: "${pattern.regexp.source}" takes too long on this log. A repetition inside a repetition, such as (a+)+, does that: write it without one.`,
      { cause: error, details: { field: pattern.field, value: pattern.regexp.source } },
    );
  } finally {
    context["texts"] = null;
  }
}
