/** cmake: messages as paragraphs under a place. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of cmake. */
export const cmake: Recogniser = {
  name: "cmake",
  titled: true,
  opens: /^CMake Error/,
  // What is about no place in a file says it all in its title.
  alone: /^CMake Error: \S/,
  closes: /^\S/,
  core: /^ {2,}\S/,
  outcome:
    /^-- (?:Configuring|Generating) (?:done|incomplete)|^-- Build files have been written|^\[100%\] Built target /,
  // What `--trace` prints of each command.
  harmless: /^-- (?:Could NOT find|Looking for|Performing Test|Check)|^\S+(?:CMakeLists\.txt|\.cmake)\(\d+\): {2}\w+\(/,
};
