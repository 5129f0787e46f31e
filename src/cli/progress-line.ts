/** One line on a terminal's standard error while a run is waited for: how long, how much, and its last line. */
import { open } from "node:fs/promises";
import { errnoOf, formatDuration, formatSize } from "../model/index.ts";
import type { RunView, SessionApi } from "../model/index.ts";
import { oneLine } from "./one-line.ts";

/** How often the line is drawn anew, in milliseconds. */
const REDRAW_MS = 250;
/** Nothing is drawn for a command that ends before this, in milliseconds. */
const FIRST_MS = 1000;
/** How much of the end of a log is looked at for its last line. */
const TAIL_BYTES = 8192;
const ERASE = "\r\x1b[K";

/** The line; only where standard error is a terminal. */
export class ProgressLine {
  readonly #began = performance.now();
  readonly #unsubscribe: () => void;
  #timer: NodeJS.Timeout | null = null;
  #run: RunView | null = null;
  #isDrawn = false;
  #isDrawing = false;

  readonly #isMasked: boolean;

  private constructor(session: SessionApi, isMasked: boolean) {
    this.#isMasked = isMasked;
    this.#unsubscribe = session.onChange(({ run }) => {
      if (run.id === this.#run?.id) this.#run = run;
    });
  }

  /** A line, or null where standard error is no terminal. `isMasked`: whether secrets in it are masked, as in an excerpt. */
  static onTerminal(session: SessionApi, isMasked: boolean): ProgressLine | null {
    return process.stderr.isTTY && process.env["TERM"] !== "dumb" ? new ProgressLine(session, isMasked) : null;
  }

  /** From now on there is a run to tell about. */
  started(run: RunView): void {
    this.#run = run;
    this.#timer = setInterval(() => {
      if (performance.now() - this.#began >= FIRST_MS) void this.#draw();
    }, REDRAW_MS);
  }

  /** Takes the line away for good. */
  clear(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#unsubscribe();
    if (this.#isDrawn) process.stderr.write(ERASE);
  }

  async #draw(): Promise<void> {
    if (this.#isDrawing || this.#run === null) return;
    this.#isDrawing = true;
    try {
      const run = this.#run;
      const { bytes, line } = await lastLine((run.stages?.at(-1) ?? run).log.path, this.#isMasked);
      if (this.#timer === null) return;
      const stage =
        run.commands === undefined || run.stages === undefined
          ? ""
          : ` stage ${run.stages.length}/${run.commands.length}`;
      const text = `${formatDuration(performance.now() - this.#began)}${stage}  ${formatSize(bytes)}  ${line}`;
      const width = Math.max(20, process.stderr.columns ?? 80);
      process.stderr.write(ERASE + text.slice(0, width - 1));
      this.#isDrawn = true;
    } finally {
      this.#isDrawing = false;
    }
  }
}

async function lastLine(path: string, isMasked: boolean): Promise<{ bytes: number; line: string }> {
  try {
    const handle = await open(path, "r");
    try {
      const { size } = await handle.stat();
      const from = Math.max(0, size - TAIL_BYTES);
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
      const text = buffer.subarray(0, bytesRead).toString("utf8");
      // Loaded only when there is a line to draw: most commands end before.
      const shown = isMasked ? (await import("../text/index.ts")).redact(text) : text;
      const lines = shown
        .split("\n")
        .map(oneLine)
        .filter((l) => l !== "");
      return { bytes: size, line: lines.at(-1) ?? "" };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return { bytes: 0, line: "" }; // not there yet, or gone with its session
  }
}
