/** One line at the bottom of a terminal while an agent runs: how long, how many tokens, what it cost. */
import { formatDuration } from "../model/index.ts";
import type { AgentView } from "./agent-view.ts";

/** How often the line is drawn again, in milliseconds. */
const DRAW_MS = 500;
/** Back to the beginning of the line, and erase it (ECMA-48, EL). */
const ERASE = "\r\u001B[K";

/** The line; on standard error, so that standard output stays what the agent said. */
export class AgentStatusLine {
  readonly #view: AgentView;
  readonly #began: number = performance.now();
  readonly #timer: NodeJS.Timeout;
  #isDrawn = false;

  private constructor(view: AgentView) {
    this.#view = view;
    this.#timer = setInterval(() => this.draw(), DRAW_MS);
    this.#timer.unref();
  }

  /** A line, or null where standard error is no terminal. */
  static onTerminal(view: AgentView): AgentStatusLine | null {
    return process.stderr.isTTY && process.env["TERM"] !== "dumb" ? new AgentStatusLine(view) : null;
  }

  /** Draws the line; not while text stands there that has no end of line yet. */
  draw(): void {
    if (this.#view.isInLine) return;
    process.stderr.write(`${ERASE}${formatDuration(performance.now() - this.#began)}${this.#view.totals}`);
    this.#isDrawn = true;
  }

  /** Takes it away. */
  clear(): void {
    if (this.#isDrawn) process.stderr.write(ERASE);
    this.#isDrawn = false;
  }

  /** Ends it. */
  close(): void {
    clearInterval(this.#timer);
    this.clear();
  }
}
