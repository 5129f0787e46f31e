/** Text as a terminal sends it when it is pasted. */

const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/** The bytes of a paste: newlines are the Enter key; several lines are bracketed where the program asked for that. */
export function pastedText(text: string, bracketed: boolean): string {
  const typed = text.replaceAll(/\r\n|\n/g, "\r");
  if (!bracketed || !typed.includes("\r")) return typed;
  // The end marker inside would let the rest pass as typed keys.
  return `${PASTE_BEGIN}${typed.replaceAll(PASTE_END, "")}${PASTE_END}`;
}

/** The longest line of a paste in bytes, without what ends it. */
export function longestLine(typed: Uint8Array): number {
  let longest = 0;
  let start = 0;
  for (let at = 0; at <= typed.length; at++) {
    const byte = typed[at];
    if (byte !== undefined && byte !== 13 && byte !== 10 && byte !== 4) continue;
    longest = Math.max(longest, at - start);
    start = at + 1;
  }
  return longest;
}
