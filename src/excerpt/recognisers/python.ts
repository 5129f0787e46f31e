/** Python tracebacks: the exception is the message, the last own frame the place. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of python. */
export const python: Recogniser = {
  name: "python",
  harmless: /^(?:During handling of the above|The above exception was)|^Traceback \(most recent/,
  drops: /^\s*[\^~]+\s*$/,
};
