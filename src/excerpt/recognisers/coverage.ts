/** Coverage tables: only their total is an outcome. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of coverage. */
export const coverage: Recogniser = {
  name: "coverage",
  harmless: /^[-|\s]*\S+\s+\|\s+[\d.]+ \|\s+[\d.]+ \|/,
  outcome: /^\s*(?:All files\s*\||TOTAL\s+\d|Statements\s+:|Lines\s+:|Branches\s+:)|^Statements +: |^Coverage: /,
};
