/** ava and tape-like reporters: marks in front of titles, details behind a rule. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of ava. */
export const ava: Recogniser = {
  name: "ava",
  harmless: /^\s*[✔✓] /,
  outcome: /^\s*\d+ (?:tests? (?:failed|passed|skipped)|known failures?|unhandled rejections?|uncaught exceptions?)/,
};
