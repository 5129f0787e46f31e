/** meson: a numbered line for each test, and below that of a failed one what it printed. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of meson's tests. */
export const meson: Recogniser = {
  name: "meson",
  titled: true,
  opens: /^\s*\d+\/\d+ +\S.* (?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS) +\d+\.\d+s/,
  closes: /^\s*\d+\/\d+ +\S|^Summary of Failures:|^Ok: +\d+/,
  says: /^(?!>>>|(?:stdout|stderr|Output):|Listing only the last)\S/,
  drops: /^>>>|^(?:stdout|stderr):$|^Listing only the last/,
  core: /^\d+ (?:errors?|failures?)\b/,
  harmless: /^\s*\d+\/\d+ +\S.* (?:OK|SKIP|EXPECTEDFAIL) +\d+\.\d+s/,
  outcome: /^(?:Ok|Expected Fail|Fail|Unexpected Pass|Skipped|Timeout): +\d+/,
};
