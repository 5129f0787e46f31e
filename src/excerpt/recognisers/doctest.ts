/** doctest of Python: an example of a docstring, what was expected and what came. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of doctest. */
export const doctest: Recogniser = {
  name: "doctest",
  titled: true,
  opens: /^Failed example:$/,
  closes: /^\*{10,}|^\d+ items? had |^File "/,
  core: /^(?:Expected|Expected nothing|Got|Exception raised):?$/,
  heading: /^File "[^"]+", line \d+, in \S+$/,
  harmless: /^(?:Trying|Expecting|Expecting nothing):?$/,
  outcome: /^\d+ (?:passed and \d+ failed|items? (?:passed all|had failures))|^\*{3}Test Failed\*{3}|^Test passed\.$/,
};
