/** JUnit by maven, gradle, ant and sbt. */
import type { Recogniser } from "./recogniser.ts";

export const junit: Recogniser = {
  name: "JUnit",
  opens: /<<< (?:FAILURE|ERROR)!|^\S+ > .* FAILED$|^\[ERROR\]\s+(?:\S+\.)?\w+(?:Test|Tests|IT)\w*[.:]\S*:?\d* /,
  closes: /<<< (?:FAILURE|ERROR)!|^\S+ > .* (?:FAILED|PASSED)$|^\[INFO\]|^$/,
  follows: /^\[ERROR\]\s*$|^\[ERROR\] (?:To see the full|Re-run Maven|For more information|\[Help \d\]|After correcting|-> \[Help)|^\* (?:Try|Get more help|What went wrong):|^> Run with --|^BUILD FAILED|There are test failures|Please refer to/,
  outcome: /^(?:\[\w+\] )?(?:Tests run: \d+, Failures|BUILD (?:SUCCESS|FAILURE|SUCCESSFUL|FAILED)|Total time:)|^\d+ tests? completed/,
  harmless: /^(?:\[\w+\] )?Tests run: \d+, Failures: 0, Errors: 0/,
};
