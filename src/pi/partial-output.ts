/**
 * What a command has printed so far, for whoever watches: the end of the log that is being written, at most every
 * 100 ms and only when it has grown. It reads the file, so that a slow display slows no command.
 */
import { stat } from "node:fs/promises";
import { errnoOf } from "../model/index.ts";
import type { RunView } from "../model/index.ts";
import { readLog } from "../session/index.ts";
import type { ToolUpdate } from "./pi-api.ts";
import { shownRun } from "./run-text.ts";

/** As often as Pi's own `bash`, in milliseconds. */
const EVERY_MS = 100;
/** How much of the end is shown, in bytes and in lines: a display of a few lines, sent again with each update. */
const MAX_BYTES: number = 16 * 1024;
const MAX_LINES = 200;

/** Reports on one run until it is stopped. */
export class PartialOutput {
  readonly #update: ToolUpdate;
  readonly #status: (id: string) => Promise<RunView>;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  #seen = "";

  constructor(update: ToolUpdate, status: (id: string) => Promise<RunView>) {
    this.#update = update;
    this.#status = status;
  }

  /** Reports from now on. */
  start(run: RunView): void {
    if (this.#isStopped) return;
    this.#update({ content: [], details: undefined });
    this.#again(run);
  }

  /** Nothing is reported after this. */
  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #again(run: RunView): void {
    this.#timer = setTimeout(() => {
      // A log or a host that can't be read at the moment only means that nothing new is shown.
      void this.#look(run)
        .catch(() => undefined)
        .finally(() => {
          if (!this.#isStopped) this.#again(run);
        });
    }, EVERY_MS);
  }

  async #look(run: RunView): Promise<void> {
    // Each stage has a log of its own.
    const shown = run.kind === "run" ? run : shownRun(await this.#status(run.id));
    const size = await stat(shown.log.path).then(
      (found) => found.size,
      (error: unknown) => {
        if (errnoOf(error) === "ENOENT") return 0;
        throw error;
      },
    );
    const seen = `${shown.id} ${size}`;
    if (size === 0 || seen === this.#seen) return;
    this.#seen = seen;
    const slice = await readLog(shown, {
      lines: MAX_LINES,
      from: null,
      fromLine: null,
      grep: null,
      maxBytes: MAX_BYTES,
    });
    if (this.#isStopped) return;
    this.#update({
      content: [{ type: "text", text: slice.text }],
      details: slice.from > 0 ? { fullOutputPath: slice.path } : undefined,
    });
  }
}
