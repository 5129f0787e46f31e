/**
 * Keys by name, as the bytes that a terminal of the xterm family sends for them. Names are tmux's (`C-c`, `M-x`,
 * `Up`, `BTab`, `F5`; tmux(1), KEY BINDINGS), also written `ctrl-c`, `alt-x`, `shift-up` and `^C`.
 */
import { ProctorError } from "../model/index.ts";

const ESC = "\x1b";

/** Keys with a final letter: `CSI A`, `SS3 A` in application mode, `CSI 1 ; m A` with modifiers. */
const LETTERED: Readonly<Record<string, string>> = { up: "A", down: "B", right: "C", left: "D", home: "H", end: "F" };
/** The first four function keys: `SS3 P`, `CSI 1 ; m P` with modifiers. */
const FUNCTION_LETTERED: Readonly<Record<string, string>> = { f1: "P", f2: "Q", f3: "R", f4: "S" };
/** Keys with a number: `CSI n ~`, `CSI n ; m ~` with modifiers. */
const NUMBERED: Readonly<Record<string, number>> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};
/** Keys that are one character. */
const PLAIN: Readonly<Record<string, string>> = { enter: "\r", escape: ESC, space: " ", tab: "\t", bspace: "\x7f" };
const ALIASES: Readonly<Record<string, string>> = {
  ic: "insert",
  dc: "delete",
  del: "delete",
  ppage: "pageup",
  pgup: "pageup",
  npage: "pagedown",
  pgdn: "pagedown",
  return: "enter",
  cr: "enter",
  esc: "escape",
  backspace: "bspace",
};

interface Modifiers {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly control: boolean;
}

/** Takes the modifiers off a name: "C-M-x" is x with two. */
function modifiersOf(name: string): { readonly modifiers: Modifiers; readonly key: string } {
  let shift = false;
  let alt = false;
  let control = false;
  let key = name;
  for (;;) {
    const match = /^(?:(C|ctrl|control|\^)|(M|alt|meta)|(S|shift))[-+](?=.)/i.exec(key) ?? /^(\^)(?=[^-+])/.exec(key);
    if (match === null) return { modifiers: { shift, alt, control }, key };
    control ||= match[1] !== undefined;
    alt ||= match[2] !== undefined;
    shift ||= match[3] !== undefined;
    key = key.slice(match[0].length);
  }
}

/** The control character of a key: C-a is 1, C-Space is NUL, C-? is DEL. */
function controlCharacter(character: string): string | null {
  if (character === " ") return "\0";
  if (character === "?") return "\x7f";
  const code = character.toUpperCase().codePointAt(0) ?? 0;
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : null;
}

function refuse(name: string): never {
  throw new ProctorError(
    "ERR_INPUT_KEY",
    `key: "${name}" is no key. Accepted: one character, Enter, Escape, Tab, BTab, Space, BSpace, Up, Down, Left, Right, Home, End, PageUp, PageDown, Insert, Delete, F1 to F12, ` +
      "each also with C-, M- and S- (or ctrl-, alt-, shift-) in front. Text is typed with text.",
    { details: { field: "key", value: name } },
  );
}

/**
 * The bytes of one key; `applicationCursor` as the program has set it.
 *
 * @throws ProctorError `ERR_INPUT_KEY` for a name that is no key.
 */
export function keyBytes(name: string, applicationCursor: boolean): string {
  const { modifiers, key } = modifiersOf(name);
  const { shift, alt, control } = modifiers;
  const lower = key.toLowerCase();
  const word = ALIASES[lower] ?? lower;
  const weight = 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (control ? 4 : 0);
  const letter = LETTERED[word];
  if (letter !== undefined)
    return weight > 1 ? `${ESC}[1;${weight}${letter}` : `${ESC}${applicationCursor ? "O" : "["}${letter}`;
  const functionLetter = FUNCTION_LETTERED[word];
  if (functionLetter !== undefined)
    return weight > 1 ? `${ESC}[1;${weight}${functionLetter}` : `${ESC}O${functionLetter}`;
  const number = NUMBERED[word];
  if (number !== undefined) return weight > 1 ? `${ESC}[${number};${weight}~` : `${ESC}[${number}~`;
  const front = alt ? ESC : "";
  if (word === "btab" || (word === "tab" && shift)) return `${front}${ESC}[Z`;
  let character = PLAIN[word] ?? (Array.from(key).length === 1 ? key : refuse(name));
  if (shift && PLAIN[word] === undefined) character = character.toUpperCase();
  if (!control) return front + character;
  // Enter, Tab, Escape and Backspace are control characters already: a terminal sends them unchanged.
  const sent = PLAIN[word] !== undefined && word !== "space" ? character : controlCharacter(character);
  return sent === null ? refuse(name) : front + sent;
}
