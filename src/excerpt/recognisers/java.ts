/** Java stacks: what was thrown, and its last cause. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of java. */
export const java: Recogniser = {
  name: "java",
  opens: /^(?:Exception in thread|Caused by: |Suppressed: )/,
  closes: /^Caused by: |^(?!\s*(?:at |\.\.\. \d+ ))/,
};
