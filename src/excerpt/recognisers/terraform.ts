/** terraform and its kin: errors in a box. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of terraform. */
export const terraform: Recogniser = {
  name: "terraform",
  opens: /^[│|╷]?\s*Error: /,
  closes: /^╵|^╷/,
  core: /^│\s+(?:on \S+ line|with )/,
  drops: /^│\s*$/,
  outcome: /^(?:Apply|Destroy) complete|^Plan: |^No changes\./,
};
