/** Modes of a terminal that a program sets with control sequences (XTerm Control Sequences: DECSET, DECRST, RIS). */

/** What a stretch of output says about modes that decide how keys are sent; null where it says nothing. */
export interface SeenModes {
  readonly bracketedPaste: boolean | null;
  readonly applicationCursor: boolean | null;
}

/** The modes of a terminal on which nothing was set. */
export const TERMINAL_MODES_OFF: { readonly bracketedPaste: boolean; readonly applicationCursor: boolean } = {
  bracketedPaste: false,
  applicationCursor: false,
};

/** Bracketed paste, and DECCKM. */
const BRACKETED_PASTE = "2004";
const CURSOR_KEYS = "1";

/** The last settings in a stretch of output, given as one character a byte. */
export function modesAtEnd(output: string): SeenModes {
  let bracketedPaste: boolean | null = null;
  let applicationCursor: boolean | null = null;
  for (const [sequence, numbers, action] of output.matchAll(/\x1b(?:c|\[\?([\d;]{1,40})([hl]))/g)) {
    if (sequence === "\x1bc") {
      ({ bracketedPaste, applicationCursor } = TERMINAL_MODES_OFF); // a full reset
      continue;
    }
    const list = (numbers ?? "").split(";");
    if (list.includes(BRACKETED_PASTE)) bracketedPaste = action === "h";
    if (list.includes(CURSOR_KEYS)) applicationCursor = action === "h";
  }
  return { bracketedPaste, applicationCursor };
}
