/** pytest: a section for each failure, the reason marked with E. */
import type { Recogniser } from "./recogniser.ts";

export const pytest: Recogniser = {
  name: "pytest",
  opens: /^_{3,} .+ _{3,}$|^(?:FAILED|ERROR) \S+(?:::| - |\.py\b)/,
  closes: /^(?:_{3,} .+ _{3,}|={3,} ?.*|(?:FAILED|ERROR) \S+)$|^-{3,} Captured/,
  core: /^(?:E  |>  |\S+\.py:\d+: )/,
  harmless: /^=+ (?:FAILURES|ERRORS|short test summary info|warnings summary) =+$| PASSED +\[ *\d+%\]|^={3,} test session starts/,
  outcome: /^=* ?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)[, ]*)+.* in [\d.]+s|^=* ?no tests ran/,
};
