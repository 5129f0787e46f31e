/** vitest: failed tests between rules of dashes, with the file, the titles and a diff. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of vitest. */
export const vitest: Recogniser = {
  name: "vitest",
  titled: true,
  opens: /^\s*FAIL\s+\S.*(?: > | \[ \S)/,
  closes: /^\s*(?:FAIL\s|⎯{4,}|Test Files\s)/,
  outcome: /^\s*(?:Test Files|Tests|Snapshots|Type Errors|Duration)\s+\S/,
  harmless: /^\s*Type Errors\s+no errors/,
};
