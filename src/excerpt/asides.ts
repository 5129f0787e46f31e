/**
 * Parts of a log that are about nothing that failed, whatever their words: between the row that opens
 * such a part and the one that follows it no row is evidence.
 */
import type { Finding } from "./finding.ts";
import { RECOGNISERS } from "./recognisers/index.ts";
import type { View } from "./view.ts";

const ASIDES = RECOGNISERS.flatMap((recogniser) => recogniser.aside ?? []);

/** The findings that stand in no aside, in order. */
export function outsideAsides(view: View, evidence: readonly Finding[]): readonly Finding[] {
  const last = evidence.at(-1)?.row ?? -1;
  const asides: { from: number; to: number }[] = [];
  let closes: RegExp | null = null;
  let from = 0;
  for (let row = 0; row < view.length && (row <= last || closes !== null); row++) {
    const text = view.printed(row);
    if (closes !== null) {
      if (closes.test(text)) {
        asides.push({ from, to: row });
        closes = null;
      }
    } else {
      for (const aside of ASIDES) {
        if (!text.startsWith(aside.begins)) continue;
        closes = aside.closes;
        from = row;
        break;
      }
    }
  }
  // One that nothing closes may be a word that means something else.
  if (asides.length === 0) return evidence;
  return evidence.filter(({ row }) => !asides.some((aside) => row >= aside.from && row < aside.to));
}
