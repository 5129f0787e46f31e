/**
 * Text in terminal columns. Pi refuses to draw a line that is wider than its terminal, so what is not known to take
 * one column counts as two: a line may end early, and never too late.
 */

/** Code points that surely take one column: Latin to Cyrillic, Greek, punctuation, arrows, mathematics, box drawing, blocks. */
function isNarrow(code: number): boolean {
  if (code < 0x300) return true;
  if (code >= 0x370 && code <= 0x52f) return true;
  if (code >= 0x2010 && code <= 0x2027) return true;
  if (code >= 0x2030 && code <= 0x205e) return true;
  return (code >= 0x2190 && code <= 0x22ff) || (code >= 0x2500 && code <= 0x259f);
}

/** The text on one line of at most `width` columns; tabs become blanks, and nothing that moves the cursor stays. */
export function fitted(text: string, width: number): string {
  let used = 0;
  let line = "";
  for (const character of text.replaceAll("\t", "    ")) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) continue;
    used += isNarrow(code) ? 1 : 2;
    if (used > width) return line;
    line += character;
  }
  return line;
}

/** `\x1b[codepoint;modifiersu`, as terminals report keys in the kitty protocol; the part after ":" tells press from repeat. */
const KITTY_KEY = /^\x1b\[(\d+)(?::\d*)*(?:;(\d+)(?::\d+)?)?(?:;[\d:]*)?u$/;
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;

/**
 * What a key is to a program that knows nothing of the kitty protocol, which Pi turns on and a run's program did not.
 * Source: sw.kovidgoyal.net/kitty/keyboard-protocol, "Legacy text keys".
 */
export function legacyBytes(data: string): string {
  const found = KITTY_KEY.exec(data);
  if (found === null) return data;
  const code = Number(found[1]);
  const modifiers = Number(found[2] ?? "1") - 1;
  let text = String.fromCodePoint(code);
  if ((modifiers & SHIFT) !== 0 && code === 9) text = "\x1b[Z";
  else if ((modifiers & SHIFT) !== 0) text = text.toUpperCase();
  // Control takes the three high bits away: C-a is 1, C-] is 29.
  if ((modifiers & CTRL) !== 0 && code >= 0x40 && code < 0x80) text = String.fromCodePoint(code & 0x1f);
  else if ((modifiers & CTRL) !== 0 && code === 0x20) text = "\0";
  return (modifiers & ALT) !== 0 ? `\x1b${text}` : text;
}
