/** ctest, GoogleTest, Catch2, Boost.Test, Unity. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of ctest. */
export const ctest: Recogniser = {
  name: "ctest",
  opens: /^\[ +FAILED +\] \S+\.\S+ \(|\*\*\*(?:Failed|Exception|Timeout|Not Run)|^\S+:\d+: FAILED:|^\S+:\d+:\w+:FAIL/,
  closes: /^\[ +(?:FAILED|OK|RUN) |^$|^\s*Start +\d+|^=====|^\.\.\.\.\./,
  core: /^\s*(?:Value of:|Expected|Which is:|Actual|with expansion:|To be equal)/,
  harmless:
    /^(?:\d+: )?Test(?:ing "| timeout computed)|^\s*\d+\/\d+ Test .* Passed|^\[ +(?:OK|RUN|PASSED|-+|=+) +\]|:PASS$/,
  follows: /^The following tests FAILED|^Errors while running CTest|^\[ +FAILED +\] \d+ tests?/,
  outcome:
    /^\d+% tests passed|^Total Test time|^\[ +(?:PASSED|FAILED) +\] \d+ test|^All tests passed|^test cases: |^\d+ Tests \d+ Failures/,
};

/** The layout of gtest: a place, the values, and the test's name around them. */
export const gtest: Recogniser = {
  name: "gtest",
  titled: true,
  opens: /^\S+:\d+: Failure$/,
  closes: /^\S+:\d+: Failure$|^\[ +(?:FAILED|OK|RUN|SKIPPED) /,
  core: /^ {2}\S|^ {4}Which is: /,
};
