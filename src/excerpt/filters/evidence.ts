/**
 * What a text tells of a log, as a set of facts that can be counted: failing tests, places, rule
 * codes, changed lines, counts. Two texts about one log are compared by the facts of the log that
 * they show, and what they cost. A fact that is not in the log is no evidence.
 */
import type { FilterName } from "../../model/index.ts";

/** Facts by format: each expression's first group, or its whole match, is one fact. */
const FACTS: Readonly<Record<FilterName, readonly RegExp[]>> = {
  "cargo-test": [
    /^test (.+?) \.\.\. FAILED/gm,
    /^ *(?:---- )?([\w:]{3,})(?: stdout ----| +FAILED)?$/gm,
    /([\w./-]+\.rs:\d+:\d+)/g,
    /\berror(\[E\d{4}\])/g,
    /((?:left|right): .+)/g,
    /(\d+ (?:passed|failed|ignored|filtered out))/g,
    /panicked at (.+)/g,
  ],
  pytest: [
    /(?:FAILED|ERROR) (\S+::[^\s]+)/g,
    /^([\w./-]+\.py:\d+)/gm,
    /^_{3,} (.+?) _{3,}$/gm,
    /^E {3,}(.+)$/gm,
    /\b(\w+(?:Error|Exception)\b)/g,
    /(\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?))/g,
  ],
  "go-test": [/--- FAIL: (\S+)/g, /([\w./-]+\.go:\d+)/g, /\bpanic: (.+?)(?:\\n|$)/gm, /"Test":"([^"]+)"/g],
  "git-diff": [/^(?:\+\+\+ b|--- a)\/(.+)$/gm, /^([+-](?![+-]{2} ).*\S.*)$/gm],
  grep: [/^([^\s:][^:\n]*:\d+)(?=:)/gm],
  "ruff-check": [/\b([A-Z]{1,4}\d{3,4})\b/g, /([\w./-]+\.pyi?)\b/g, /"row": ?(\d+)/g],
};

/** The facts of a text in this format. */
export function factsOf(filter: FilterName, text: string): ReadonlySet<string> {
  const facts = new Set<string>();
  for (const expression of FACTS[filter]) {
    for (const match of text.matchAll(expression)) facts.add((match[1] ?? match[0]).trim());
  }
  return facts;
}

/** How many facts of the log `text` shows: those whose words stand in it. */
export function countShown(facts: ReadonlySet<string>, text: string): number {
  let count = 0;
  for (const fact of facts) if (text.includes(fact)) count += 1;
  return count;
}
