/** cmake: messages as paragraphs under a place. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of cmake. */
export const cmake: Recogniser = {
  name: "cmake",
  opens: /^CMake Error/,
  closes: /^\S/,
  core: /^  \S/,
  outcome: /^-- (?:Configuring|Generating) (?:done|incomplete)|^-- Build files have been written/,
  harmless: /^-- (?:Could NOT find|Looking for|Performing Test|Check)/,
};
