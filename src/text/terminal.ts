/**
 * Plays a terminal's output out: what a person would have seen on the screen and in its scrollback at
 * the end, as plain rows. Carriage returns, backspaces, cursor movement and erasing are carried out,
 * colours, titles and every other control sequence are dropped.
 *
 * Theory: a row is a string, the cursor a (row, column) pair. Text that has no control character and
 * meets the cursor on a fresh row is the row, so ordinary logs cost one scan. A cleared screen opens
 * a new screen below the old one, since what was printed before may be the evidence.
 * Source: ECMA-48 (control functions), xterm's ctlseqs (OSC, DCS).
 */

/** One visible row, and the raw line (1-based) that wrote to it last. */
export interface PlayedRow {
  readonly text: string;
  readonly line: number;
}

// A redraw of a row longer than this keeps no more of the old text: bounds the work of a flood of frames.
const MAX_OVERLAY = 512;
// Nobody has a wider terminal; a cursor told to go further out stays here.
const MAX_COLUMN = 4096;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject.
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject.
const SEQUENCE =
  /\x1b\[([0-?]*)([ -/]*)([@-~])|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
// What leaves no trace, taken out at once: colours, titles, all characters but backspace, return and escape. NUL too is
// ignored by terminals, inside of a sequence as well.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject.
const PLAIN_SEQUENCE =
  /\x1b\[[0-9;:]*m|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]+/g;

/** Whether `text` holds anything that a terminal would carry out instead of showing. */
export function hasControls(text: string): boolean {
  return CONTROL.test(text);
}

/** Removes control sequences and control characters without carrying them out; keeps `\n` and `\t`. */
export function stripControls(text: string): string {
  return CONTROL.test(text) ? text.replace(SEQUENCE, "") : text;
}

/**
 * Plays out the lines of a piece of a log.
 *
 * @param lines The raw lines, without their `\n`.
 * @param firstLine The number of the first of them in the log, from 1.
 */
export function playOut(lines: readonly string[], firstLine: number): PlayedRow[] {
  const screen = new Screen();
  for (let i = 0; i < lines.length; i++) screen.writeLine(lines[i] ?? "", firstLine + i);
  return screen.finish();
}

class Screen {
  readonly #texts: string[] = [];
  readonly #lines: number[] = [];
  #row = 0;
  #column = 0;
  #top = 0;
  #saved = { row: 0, column: 0 };

  writeLine(raw: string, line: number): void {
    let text = raw;
    while (text.charCodeAt(text.length - 1) === 13) text = text.slice(0, -1);
    if (CONTROL.test(text)) text = text.replace(PLAIN_SEQUENCE, "");
    if (!CONTROL.test(text)) this.#put(text, line);
    else this.#play(text, line);
    // A terminal's driver adds the carriage return, so a new line always starts at the left.
    if (this.#row >= this.#texts.length) this.#put("", line);
    this.#row++;
    this.#column = 0;
  }

  finish(): PlayedRow[] {
    return this.#texts.map((text, i) => ({ text: text.trimEnd(), line: this.#lines[i] ?? 0 }));
  }

  #play(text: string, line: number): void {
    let from = 0;
    SEQUENCE.lastIndex = 0;
    for (let found = SEQUENCE.exec(text); found !== null; found = SEQUENCE.exec(text)) {
      if (found.index > from) this.#put(text.slice(from, found.index), line);
      from = SEQUENCE.lastIndex;
      const final = found[3];
      if (final !== undefined) this.#control(found[1] ?? "", final, line);
      else this.#character(found[0]);
    }
    if (from < text.length) this.#put(text.slice(from), line);
  }

  #put(text: string, line: number): void {
    while (this.#texts.length <= this.#row) {
      this.#texts.push("");
      this.#lines.push(line);
    }
    const old = this.#texts[this.#row] ?? "";
    const end = this.#column + text.length;
    if (text !== "") {
      const before =
        this.#column === 0 ? "" : old.length === this.#column ? old : old.slice(0, this.#column).padEnd(this.#column);
      const after = old.length > end ? old.slice(end, Math.max(end, MAX_OVERLAY)) : "";
      this.#texts[this.#row] = before + text + after;
      this.#lines[this.#row] = line;
    }
    this.#column = end;
  }

  #character(sequence: string): void {
    if (sequence === "\r") this.#column = 0;
    else if (sequence === "\b") this.#column = Math.max(0, this.#column - 1);
    else if (sequence === "\x1b7") this.#saved = { row: this.#row, column: this.#column };
    else if (sequence === "\x1b8") ({ row: this.#row, column: this.#column } = this.#saved);
    else if (sequence === "\x1bM") this.#row = Math.max(this.#top, this.#row - 1);
  }

  #control(parameters: string, final: string, line: number): void {
    const values = parameters.split(";").map((p) => Number.parseInt(p, 10) || 0);
    const first = values[0] ?? 0;
    const by = Math.min(Math.max(1, first), MAX_COLUMN);
    switch (final) {
      case "A":
      case "F":
        this.#row = Math.max(this.#top, this.#row - by);
        if (final === "F") this.#column = 0;
        break;
      case "B":
      case "E":
        this.#down(by, line);
        if (final === "E") this.#column = 0;
        break;
      case "C":
        this.#column = Math.min(MAX_COLUMN, this.#column + by);
        break;
      case "D":
        this.#column = Math.max(0, this.#column - by);
        break;
      case "G":
        this.#column = by - 1;
        break;
      case "H":
      case "f":
        this.#home(by - 1, Math.min(Math.max(1, values[1] ?? 1), MAX_COLUMN) - 1, line);
        break;
      case "J":
        this.#eraseScreen(first);
        break;
      case "K":
        this.#eraseRow(first);
        break;
      case "s":
        this.#saved = { row: this.#row, column: this.#column };
        break;
      case "u":
        ({ row: this.#row, column: this.#column } = this.#saved);
        break;
      default: // Colours, modes and reports leave no trace in the text.
    }
  }

  #down(by: number, line: number): void {
    // A terminal does not scroll on a cursor movement; rows that exist, or one screen, is the most it can mean.
    this.#row = Math.min(this.#row + by, Math.max(this.#texts.length, this.#top + 200));
    while (this.#texts.length < this.#row) {
      this.#texts.push("");
      this.#lines.push(line);
    }
  }

  #home(row: number, column: number, line: number): void {
    // The height is not known: a jump home without a clear starts below what stands there.
    if (this.#top === 0 && this.#texts.length > 0) this.#top = this.#texts.length;
    this.#row = Math.min(this.#top + row, this.#top + 200);
    this.#column = column;
    while (this.#texts.length < this.#row) {
      this.#texts.push("");
      this.#lines.push(line);
    }
  }

  #eraseScreen(what: number): void {
    if (what === 0) {
      this.#eraseRow(0);
      for (let i = this.#row + 1; i < this.#texts.length; i++) this.#texts[i] = "";
    } else if (what === 2 || what === 3) {
      this.#top = this.#texts.length;
      this.#row = this.#top;
    }
  }

  #eraseRow(what: number): void {
    const old = this.#texts[this.#row];
    if (old === undefined) return;
    if (what === 0) this.#texts[this.#row] = old.slice(0, this.#column);
    else if (what === 1)
      this.#texts[this.#row] = " ".repeat(Math.min(old.length, this.#column)) + old.slice(this.#column);
    else this.#texts[this.#row] = "";
  }
}
