/**
 * Typing into one run's terminal: requests one after the other, each whole, at the speed at which the program
 * takes them. What is typed is decided when its turn comes, since it depends on what the program has asked for.
 */
import { ProctorError } from "../model/index.ts";
import type { InputRequest, TerminalSize } from "../model/index.ts";
import { keyBytes, longestLine, pastedText } from "../text/index.ts";
import type { ModeReader, QueryAnswers, Terminals } from "../ports/index.ts";

/** What became of one request. */
export interface TypingReport {
  readonly written: number;
  /** Nobody holds the terminal any more: the run is about to end. */
  readonly isGone: boolean;
  readonly notes: readonly string[];
}

/** A terminal's line discipline keeps 4,095 bytes of a line in canonical mode, and drops the rest (termios(3)); macOS keeps 1,023. */
const CANONICAL_LINE_BYTES = process.platform === "darwin" ? 1023 : 4095;
/**
 * Between a text and Enter, in milliseconds. A program in raw mode that gets both in one read(2) takes the
 * Enter for a part of a paste.
 */
const ENTER_PAUSE_MS = 30;
const EOT = "\x04";

/** The queue of what is typed into one run. */
export class RunTyping {
  readonly #terminals: Terminals;
  readonly #dir: string;
  readonly #logPath: string;
  readonly #openAnswers: (logPath: string) => QueryAnswers;
  /** Most runs have no terminal: made when they are first needed. */
  #modes: ModeReader | null = null;
  #answers: QueryAnswers | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(terminals: Terminals, answers: (logPath: string) => QueryAnswers, dir: string, logPath: string) {
    this.#terminals = terminals;
    this.#dir = dir;
    this.#logPath = logPath;
    this.#openAnswers = answers;
  }

  /**
   * Types what was asked for, after everything that was asked for before.
   *
   * @throws ProctorError `ERR_INPUT_KEY` before anything is typed; `ERR_INPUT_TERMINAL_LINE` when a line is
   *   longer than the terminal can hold.
   */
  type(request: InputRequest, terminal: string | null): Promise<TypingReport> {
    for (const key of request.keys) keyBytes(key, false);
    return this.#inTurn(() => this.#carryOut(request, terminal));
  }

  /** Changes the terminal's size. */
  resize(size: TerminalSize): Promise<boolean> {
    // Not in turn: a person who joins while a long text is typed sees the right size at once.
    return this.#terminals.resize(this.#dir, size);
  }

  /** Types what the terminal answers to what the program has asked it, from byte `from` of the log on. */
  answer(from: number): Promise<unknown> {
    return this.#inTurn(async () => {
      this.#answers ??= this.#openAnswers(this.#logPath);
      const { bytes, to } = await this.#answers.answersFrom(from);
      return this.#terminals.answer(this.#dir, bytes, to);
    });
  }

  /** Has what the program has asked told again: a former host may have been killed before it answered. */
  askAgain(): Promise<unknown> {
    return this.#inTurn(() => this.#terminals.answer(this.#dir, new Uint8Array(), 0));
  }

  /** Nobody types or asks any more: lets go of what was kept, after what is under way. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#answers?.close();
      this.#answers = null;
      this.#modes = null;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #carryOut(request: InputRequest, terminal: string | null): Promise<TypingReport> {
    this.#modes ??= this.#terminals.modes(this.#logPath);
    const modes = await this.#modes.read();
    const parts: Buffer[] = [];
    if (request.data !== null) parts.push(Buffer.from(request.data, "base64"));
    const text = pastedText(request.text ?? "", modes.bracketedPaste);
    if (text !== "") parts.push(Buffer.from(text, "utf8"));
    const keys = request.keys.map((key) => keyBytes(key, modes.applicationCursor)).join("");
    // In the middle of a line the first end-of-file character only hands out what is there (termios(3), VEOF).
    const isMidLine = !request.enter && keys === "" && text !== "" && !text.endsWith("\r");
    const rest = Buffer.from(
      `${request.enter ? "\r" : ""}${keys}${request.eof ? (isMidLine ? EOT + EOT : EOT) : ""}`,
      "utf8",
    );
    if (rest.length > 0) parts.push(rest);
    await this.#checkLines(parts, terminal);
    let written = 0;
    for (const [i, part] of parts.entries()) {
      if (i > 0 && request.enter) await new Promise((resolve) => setTimeout(resolve, ENTER_PAUSE_MS));
      const { bytes, outcome } = await this.#terminals.type(this.#dir, part);
      written += bytes;
      if (outcome === "stuck") {
        const left = parts.reduce((sum, one) => sum + one.length, 0) - written;
        return {
          written,
          isGone: false,
          notes: [`The program has read nothing for 10 s; the last ${left} bytes were not typed.`],
        };
      }
      if (outcome === "gone") return { written, isGone: true, notes: [] };
    }
    return { written, isGone: false, notes: [] };
  }

  async #checkLines(parts: readonly Buffer[], terminal: string | null): Promise<void> {
    const longest = longestLine(Buffer.concat(parts));
    if (longest <= CANONICAL_LINE_BYTES || terminal === null) return;
    if ((await this.#terminals.isCanonical(terminal)) !== true) return;
    throw new ProctorError(
      "ERR_INPUT_TERMINAL_LINE",
      `text: a line of ${longest} bytes can't be typed now: the program reads its terminal line by line (canonical mode), which keeps ${CANONICAL_LINE_BYTES} bytes of a line and drops the rest. ` +
        "Nothing was typed. Type shorter lines, or pass the text in a file.",
      { retryable: true, details: { field: "text", longest, limit: CANONICAL_LINE_BYTES } },
    );
  }
}
