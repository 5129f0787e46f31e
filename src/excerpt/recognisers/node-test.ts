/** node:test with its own reporters: a cross, the title, the error below. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of node:test. */
export const nodeTest: Recogniser = {
  name: "node:test",
  titled: true,
  opens: /^\s*✖ (?!failing tests:)\S/,
  closes: /^\s*(?:✖|✔|▶|ℹ|﹣) ?\S|^test at /,
  drops: /^\s*(?:generatedMessage|code: .ERR_ASSERTION|operator:|diff:|\}$)/,
  harmless: /^\s*✖ failing tests:/,
  outcome: /^ℹ (?:tests|pass|fail) +\d+/,
};
