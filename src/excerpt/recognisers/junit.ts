/** JUnit by maven, gradle, ant and sbt. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of JUnit. */
export const junit: Recogniser = {
  name: "JUnit",
  titled: true,
  opens: /<<< (?:FAILURE|ERROR)!|^\S+ > .* FAILED$/,
  closes: /<<< (?:FAILURE|ERROR)!|^\S+ > .* (?:FAILED|PASSED)$|^\[(?:INFO|ERROR)\]|^\d+ tests? completed/,
  follows:
    /^\[ERROR\]\s*$|^\[ERROR\] (?:To see the full|Re-run Maven|For more information|\[Help \d\]|After correcting|-> \[Help)|^\* (?:Try|Get more help|What went wrong):|^> Run with --|^BUILD FAILED|There are test failures|Please refer to/,
  outcome:
    /^(?:\[\w+\] )?(?:Tests run: \d+, Failures|BUILD (?:SUCCESS|FAILURE|SUCCESSFUL|FAILED)|Total time:)|^\d+ tests? completed/,
  harmless: /^(?:\[\w+\] )?Tests run: \d+, Failures: 0, Errors: 0/,
};

/** The list of failures that maven repeats below the blocks. */
export const junitSummary: Recogniser = {
  name: "JUnit summary",
  repeats: true,
  opens: /^\[ERROR\]\s+(?:\S+\.)?\w+(?:Test|Tests|IT)\w*[.:]\S*:?\d* /,
  closes: /^/,
};
