/** pytest: a section for each failure, the reason marked with E; a line for each in the summary. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of pytest. */
export const pytest: Recogniser = {
  name: "pytest",
  titled: true,
  opens: /^_{3,} .+ _{3,}$/,
  closes: /^(?:_{3,} .+ _{3,}|={3,} ?.*)$|^-{3,} Captured/,
  says: /^E  /,
  core: /^(?:E  |>  |\S+\.py:\d+: )/,
  // Which characters of the row above differ.
  drops: /^E\s+\? *[-+^ ]+$/,
  harmless:
    /^=+ (?:FAILURES|ERRORS|short test summary info|warnings summary) =+$| (?:PASSED|SKIPPED|XFAIL|XPASS)\b.*\[ *\d+%\]$|^={3,} test session starts|^(?:\S+\.py )?[.sx]+ +\[ *\d+%\]$/,
  outcome:
    /^=* ?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)[, ]*)+.* in [\d.]+s|^=* ?no tests ran/,
};

/** The layout of pytest summary. */
export const pytestSummary: Recogniser = {
  name: "pytest summary",
  repeats: true,
  opens:
    /^(?:FAILED|ERROR) \S+(?:::| - |\.py\b)|^\[gw\d+\] \[ *\d+%\] (?:FAILED|ERROR) |^(?:\[gw\d+\] .*)?\S+::.* ?(?:FAILED|ERROR)\b/,
  closes: /^/,
};
