/** wget: what is fetched above what became of it. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of wget. */
export const wget: Recogniser = {
  name: "wget",
  opens: /^ERROR \d{3}: |^(?:failed|Connecting to .* failed|Resolving .* failed): /,
  closes: /^/,
  heading: /^--\d{4}-\d\d-\d\d \d\d:\d\d:\d\d-- +\w+:\/\//,
  outcome: /^FINISHED --|^Downloaded: \d+ files?|saved \[\d+/,
};
