/** unittest of Python: FAIL and ERROR between rules, a traceback, the count. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of unittest. */
export const unittest: Recogniser = {
  name: "unittest",
  titled: true,
  opens: /^(?:FAIL|ERROR): [\w.]+ \(/,
  closes: /^={10,}|^Ran \d+ tests?/,
  says: /^\w[\w.]*(?:Error|Exception|Warning|Interrupt|Exit|Failure)\b/,
  outcome: /^Ran \d+ tests? in|^(?:OK|FAILED)(?: \(.*\))?$/,
};
