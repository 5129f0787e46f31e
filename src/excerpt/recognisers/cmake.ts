/** cmake: messages as paragraphs under a place. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of cmake. */
export const cmake: Recogniser = {
  name: "cmake",
  titled: true,
  opens: /^CMake Error/,
  closes: /^\S/,
  core: /^ {2,}\S/,
  outcome: /^-- (?:Configuring|Generating) (?:done|incomplete)|^-- Build files have been written/,
  harmless: /^-- (?:Could NOT find|Looking for|Performing Test|Check)/,
};
