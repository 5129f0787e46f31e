/** jest: a block for each failed test, opened by a bullet and the path of titles. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of jest. */
export const jest: Recogniser = {
  name: "jest",
  titled: true,
  opens: /^\s*● (?!.*\bConsole$)\S/,
  closes: /^\s*● \S|^(?:PASS|FAIL|Test Suites:|Tests:|Summary of all) ?/,
  heading: /^FAIL \S/,
  core: /^\s*>\s*\d+ \|/,
  outcome: /^(?:Test Suites|Tests|Snapshots|Time):\s+\S/,
};
