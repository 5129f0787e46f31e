/** configure and automake: what is checked for and is not there is no failure. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of autotools. */
export const autotools: Recogniser = {
  name: "autotools",
  harmless: /^(?:configure: )?checking \S.*\.\.\. (?!.*(?:error|failed))/,
};
