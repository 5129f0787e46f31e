/**
 * Modes of a terminal that a program sets with control sequences (XTerm Control Sequences: DECSET, DECRST, DECSTBM,
 * DECSTR, RIS, OSC 2). A log can be long and a mode be set at its very beginning, so output is scanned once, in
 * stretches, each from where the last one ended.
 */

/** Everything that is followed, in one look: the order of what is found matters. */
const SEQUENCE =
  /\x1b(?:(c)|\[\?([\d;]{1,40})([hl])|\[(\d{0,4};?\d{0,4}r)|\[(!p)|\[4([hl])|([=>])|\]([02];[^\x07\x1b]{0,512})(?:\x07|\x1b\\))/g;
/** The beginning of such a sequence that a stretch ends with. */
const CUT = /\x1b(?:\[[?!\d;]{0,44}|\][02]?;?[^\x07\x1b]{0,512}\x1b?)?$/;

const CURSOR_KEYS = "1";
const BRACKETED_PASTE = "2004";
const ALTERNATE_SCREENS: ReadonlySet<string> = new Set(["47", "1047", "1049"]);
/** Another width or an unfinished frame is of a moment, and a saved cursor of a place that is not known any more. */
const PASSING: ReadonlySet<string> = new Set(["3", "1048", "2026"]);
/** Set on a terminal that was just switched on: wrapping (DECAWM), and the visible cursor (DECTCEM). */
const ON_AT_FIRST: ReadonlySet<string> = new Set(["7", "25"]);
/** What a soft reset (DECSTR) takes back. */
const SOFT: readonly string[] = ["1", "6", "7", "25"];

/** What a terminal was told about its modes, up to some byte of its output. */
export class ModeScan {
  readonly #modes = new Map<string, boolean>();
  #isAlternate = false;
  #insert = false;
  #keypad = false;
  #title = "";
  /** Of the main screen and of the alternate one. */
  #regions: [string, string] = ["", ""];
  #cut = "";

  /** Takes the next stretch of output, one character a byte. */
  take(output: string): void {
    const text = this.#cut + output;
    this.#cut = CUT.exec(text.slice(-560))?.[0] ?? "";
    for (const match of text.matchAll(SEQUENCE)) {
      const [, reset, numbers, action, region, soft, insert, keypad, title] = match;
      if (reset !== undefined) this.#reset();
      else if (numbers !== undefined) for (const one of numbers.split(";")) this.#set(one, action === "h");
      else if (region !== undefined) this.#regions[this.#isAlternate ? 1 : 0] = region;
      else if (soft !== undefined) this.#softReset();
      else if (insert !== undefined) this.#insert = insert === "h";
      else if (keypad !== undefined) this.#keypad = keypad === "=";
      else if (title !== undefined) this.#title = title;
    }
  }

  /** 2004: pasted text is to be told from typed text. */
  get bracketedPaste(): boolean {
    return this.#modes.get(BRACKETED_PASTE) ?? false;
  }

  /** DECCKM: cursor keys send SS3 instead of CSI. */
  get applicationCursor(): boolean {
    return this.#modes.get(CURSOR_KEYS) ?? false;
  }

  /** What brings a terminal that was just switched on to the same modes, one character a byte. */
  restoration(): string {
    let out = this.#title === "" ? "" : `\x1b]${this.#title}\x07`;
    const [main, alternate] = this.#regions;
    if (main !== "") out += `\x1b[${main}`;
    if (this.#isAlternate) out += `\x1b[?1049h${alternate === "" ? "" : `\x1b[${alternate}`}`;
    for (const [mode, isOn] of this.#modes)
      if (isOn !== ON_AT_FIRST.has(mode)) out += `\x1b[?${mode}${isOn ? "h" : "l"}`;
    if (this.#insert) out += "\x1b[4h";
    return this.#keypad ? `${out}\x1b=` : out;
  }

  #set(mode: string, isOn: boolean): void {
    if (ALTERNATE_SCREENS.has(mode)) this.#isAlternate = isOn;
    else if (!PASSING.has(mode)) this.#modes.set(mode, isOn);
  }

  #reset(): void {
    this.#modes.clear();
    this.#isAlternate = false;
    this.#insert = false;
    this.#keypad = false;
    this.#regions = ["", ""];
  }

  #softReset(): void {
    for (const mode of SOFT) this.#modes.delete(mode);
    this.#insert = false;
    this.#keypad = false;
    this.#regions[this.#isAlternate ? 1 : 0] = "";
  }
}
