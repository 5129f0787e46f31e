/**
 * Whether a filter's text may stand over a run's end. A filter in a pipe is not told the exit status,
 * so it can sum up a crashed run as "all passed"; such a text is never shown.
 */
import type { FilterName } from "../../model/index.ts";

/** Signs of a failure in each format; a count of zero is none. */
const FAILURE: Readonly<Record<FilterName, RegExp | null>> = {
  "cargo-test": /\b[1-9]\d* failed\b|\bFAILED\b|\bpanicked at\b|^error(?:\[E\d{4}\])?:/m,
  pytest: /\b[1-9]\d* (?:failed|errors?)\b|^(?:FAILED|ERROR)\b|^E {3,}\S|\b\w+Error\b/m,
  "go-test": /--- FAIL|^FAIL\b|\bpanic:|\b[1-9]\d* failed\b|\[build failed\]/m,
  "ruff-check": /\b[A-Z]{1,4}\d{3,4}\b/,
  // Without an error these two end with 0 (grep with 1 when nothing matched, and then it is silent).
  "git-diff": null,
  grep: null,
};

/** Whether `text` can be shown for a run that ended with `exitCode`; null is a run whose end is not known. */
export function agreesWithExit(filter: FilterName, text: string, exitCode: number | null): boolean {
  if (exitCode === 0) return true;
  const failure = FAILURE[filter];
  return failure !== null && failure.test(text);
}
