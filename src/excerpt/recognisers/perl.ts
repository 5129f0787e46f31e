/** perl: Test::More diagnostics, messages with a place at their end, prove. */
import { GRADE } from "../severity.ts";
import type { Recogniser } from "./recogniser.ts";

/** The layout of Test::More and prove. */
export const perl: Recogniser = {
  name: "perl",
  titled: true,
  opens: /^\s*#\s+Failed (?:\(TODO\) )?test\b/,
  closes: /^\s*#\s+(?:Failed|Looks like)|^(?!\s*#)/,
  core: /^\s*#\s+(?:at \S|got:|expected:|\$\S+ = |.*doesn.t match|.*\bis\b)/,
  follows:
    /# Looks like you (?:failed|planned)|Dubious, test returned|^Failed \d+\/\d+ subtests|^(?:# )?(?:BEGIN failed--compilation aborted|Compilation failed in require) at /,
  outcome: /^(?:Files=\d|Result: |All tests successful)/,
  harmless: /^\S+\.t \.+ (?:ok|skipped)/,
};

/** What perl warns of (perldiag, class W). */
export const perlWarning: Recogniser = {
  name: "perl warning",
  opens:
    /^(?:Use of uninitialized|Argument ".*" isn't|Name ".*" used only once|Odd number of elements|Useless use of|Deep recursion|Subroutine \S+ redefined|Possible |Scalar value|Wide character|Unquoted string|Exiting \w+ via|Statement unlikely|"\S+ \S+" (?:variable|masks)).* at \S+ line \d+[.,]/,
  grade: GRADE.warning,
};

/** What perl dies of. */
export const perlMessage: Recogniser = {
  name: "perl message",
  opens: /^(?!\s|#).* at \S+ line \d+(?:, <\w+> (?:line|chunk) \d+)?\.?$/,
};
