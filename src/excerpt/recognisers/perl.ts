/** perl: Test::More diagnostics, messages with a place at their end, prove. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of perl. */
export const perl: Recogniser = {
  name: "perl",
  titled: true,
  opens: /^\s*#\s+Failed (?:\(TODO\) )?test\b|^(?!\s).* at \S+ line \d+\.?$/,
  closes: /^\s*#\s+(?:Failed|Looks like)|^(?!\s*#)/,
  core: /^\s*#\s+(?:at \S|got:|expected:|\$\S+ = |.*doesn.t match|.*\bis\b)/,
  follows: /# Looks like you (?:failed|planned)|Dubious, test returned|^Failed \d+\/\d+ subtests/,
  outcome: /^(?:Files=\d|Result: |All tests successful)/,
  harmless: /^\S+\.t \.+ (?:ok|skipped)/,
};
