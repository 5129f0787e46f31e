/** pylint: a message a line; the letter of its number tells errors from what is only a matter of style. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of pylint. */
export const pylint: Recogniser = {
  name: "pylint",
  opens: /^\S+?:\d+(?::\d+)?: [EF]\d{4}: /,
  closes: /^/,
  harmless: /^\*{5,} Module \S+$/,
  outcome: /^Your code has been rated at /,
};
