/** tsc, plain and pretty. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of tsc. */
export const tsc: Recogniser = {
  name: "tsc",
  opens: /\berror TS\d+: /,
  closes: /^\S/,
  rule: /\b(TS\d+)\b/,
  outcome: /^Found \d+ errors?|^\d+:\d+:\d+.* Found \d+ errors?/,
};
