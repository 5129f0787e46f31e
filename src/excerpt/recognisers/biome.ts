/** biome and oxlint: the place and the rule as a title, the message below. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of biome. */
export const biome: Recogniser = {
  name: "biome",
  titled: true,
  opens: /^\S+?(?::\d+:\d+)? (?:lint\/\S+|parse|format|assist\/\S+|suppressions\/\S+)(?: .*)?━{4,}$/,
  closes: /━{8,}$|^(?:Found|Checked) \d/,
  says: /^\s*[×✖!⚠] /,
  rule: / (lint\/\S+|assist\/\S+|format)/,
  harmless: /^\s*i /,
  outcome: /^(?:Found|Checked) \d+ /,
};
