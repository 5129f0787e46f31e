/** TAP, in every language: a failed point and the YAML or the comments behind it. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of TAP. */
export const tap: Recogniser = {
  name: "TAP",
  titled: true,
  opens: /^\s*not ok\b(?!.*# (?:TODO|SKIP))/i,
  closes: /^\s*(?:(?:not )?ok \d|\.\.\.$|# Subtest|\d+\.\.\d+$)/,
  follows: /subtests? failed|subtestsFailed/,
  core: /^\s*(?:error:|expected:|actual:|found:|wanted:|diff:|at:|operator:|location:)/,
  drops: /^\s*(?:---|duration_ms:|type:|failureType:|code: .ERR_|name: .Assert|stack: \|-|generatedMessage)/,
  outcome: /^(?:# |ℹ )(?:tests|pass|fail|suites) +\d+|^\d+\.\.\d+$/,
};
