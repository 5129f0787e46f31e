/** make and ninja: what they say follows from what a command said. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of make. */
export const make: Recogniser = {
  name: "make",
  opens:
    /^(?:\S*make)(?:\[\d+\])?: \*\*\* (?:No rule|missing separator|multiple target|commands commence)|^\S*[Mm]akefile\S*:\d+: \*\*\*|^ninja: error:/,
  follows:
    /^(?:\S*make)(?:\[\d+\])?: (?:\*\*\* \[|\*\*\* Waiting|Target .* not remade|Leaving|Entering)|^ninja: build stopped|^FAILED: /,
  closes: /^/,
};
