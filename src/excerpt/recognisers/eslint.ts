/** Linters that print findings under the name of their file: eslint, stylelint, yamllint, standard. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of findings under a file. */
export const eslint: Recogniser = {
  name: "findings under a file",
  opens: /^\s+\d+:\d+\s+(?:error|✖|✘)\s/,
  closes: /^/,
  heading: /^(?:\.{0,2}\/|[A-Za-z]:\\|\w)\S*\.\w+$|^\S+\/\S+$/,
  rule: /\s(@?[\w-]+(?:\/[\w@-]+)*)$/,
  outcome: /^\s*✖ \d+ problems?|^\d+ (?:problems?|errors?|warnings?) /,
};
