/**
 * Joins a run's terminal from the caller's own. Output is read from the log, which is there whoever dies; what is
 * typed goes through the session's host, in turn with everybody else's.
 */
import { constants } from "node:os";
import { ProctorError, errnoOf, isProctorError } from "../model/index.ts";
import type { RunView, SessionApi } from "../model/index.ts";
import { followLog, replay, terminalRun } from "../session/index.ts";
import { QueryFilter } from "../text/index.ts";
import type { Arguments } from "./command-spec.ts";
import { withRun } from "./session-access.ts";
import { OutputClosed, writeError, writeOut } from "./standard-output.ts";
import { TerminalGuard } from "./terminal-guard.ts";
import { UNPAINT, paint } from "./terminal-paint.ts";

/** Ctrl-], as a byte and as programs get it that have asked for more exact keys (kitty's protocol, modifyOtherKeys). */
const DETACH_KEYS: readonly string[] = ["\x1d", "\x1b[93;5u", "\x1b[27;5;93~"];
const INTERRUPT = "\x03";
/** How often output is looked for, in milliseconds: below what a person notices between a key and its echo. */
const LOOK_MS = 15;

/** Carries out `proctor attach`. */
export async function joinRun(args: Arguments): Promise<number> {
  const isReadOnly = args.has("read-only");
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new ProctorError(
      "ERR_INPUT_USAGE",
      "attach: standard input and output are no terminal. Use a terminal, or: proctor logs ID --screen, proctor logs ID --follow, proctor input ID.",
    );
  }
  return withRun(args, async (session, given) => {
    const run = terminalRun(await session.status(given));
    if (run.state === "ended") {
      await writeOut(`${endLine(run)}\n`);
      return 0;
    }
    const detaches = args.has("keep-attached") ? [] : isReadOnly ? [...DETACH_KEYS, INTERRUPT] : DETACH_KEYS;
    if (detaches.length > 0)
      await writeOut(`Attached to ${run.id}${isReadOnly ? ", read-only" : ""}. Ctrl-] detaches; the run goes on.\r\n`);
    const guard = await TerminalGuard.take();
    const attachment = new Attachment(session, run, isReadOnly, detaches);
    const release = (): void => guard.release();
    process.once("exit", release);
    try {
      const last = await attachment.follow();
      guard.release();
      await writeOut(`${UNPAINT}\r\n`);
      await writeOut(`${last}\n`);
      return attachment.exitStatus;
    } catch (error) {
      guard.release();
      if (!(error instanceof OutputClosed)) await writeError(UNPAINT);
      throw error;
    } finally {
      release();
      process.off("exit", release);
      process.stdin.pause();
      process.stdin.unref();
    }
  });
}

function endLine(run: RunView): string {
  const status =
    run.exitCode === null
      ? "without an exit status"
      : `with exit status ${run.exitCode}${run.signal === null ? "" : ` (${run.signal})`}`;
  return `[${run.id} has ended ${status}${run.cause === "completed" || run.cause === null ? "" : `: ${run.cause}`}]`;
}

/** One terminal that has joined a run. */
class Attachment {
  /** 0, or 128 + n when signal n ended the attachment. */
  exitStatus = 0;
  readonly #session: SessionApi;
  readonly #run: RunView;
  readonly #isReadOnly: boolean;
  readonly #detaches: readonly string[];
  readonly #leave = new AbortController();
  #typed: Buffer[] = [];
  #isTyping = false;

  constructor(session: SessionApi, run: RunView, isReadOnly: boolean, detaches: readonly string[]) {
    this.#detaches = detaches;
    this.#session = session;
    this.#run = run;
    this.#isReadOnly = isReadOnly;
  }

  /** Shows and types until the run has ended or the person leaves; gives the line that says which. */
  async follow(): Promise<string> {
    const leave = (): void => this.#leave.abort();
    const onSignal = (signal: NodeJS.Signals): void => {
      this.exitStatus = 128 + constants.signals[signal];
      leave();
    };
    const onKeys = (keys: Buffer): void => this.#take(keys);
    const onResize = (): void => void this.#resize();
    for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
    process.stdin.on("data", onKeys);
    process.stdin.on("end", leave);
    process.stdin.on("error", leave); // EIO: the terminal is gone
    process.stdout.on("resize", onResize);
    try {
      // A pane has the usual size of a run until somebody looks at it: then it is resized.
      if (this.#detaches.length > 0) await this.#resize();
      await this.#show();
      if (this.#leave.signal.aborted) return `[detached from ${this.#run.id}]`;
      return endLine(await this.#session.status(this.#run.id));
    } finally {
      for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
      process.stdin.off("data", onKeys);
      process.stdin.off("end", leave);
      process.stdin.off("error", leave);
      process.stdout.off("resize", onResize);
    }
  }

  async #show(): Promise<void> {
    const { path } = this.#run.log;
    let from = 0;
    try {
      const shown = await replay(path, 0);
      from = shown.to;
      // What stood on the screen scrolls away instead of being painted over.
      await writeOut("\r\n".repeat(process.stdout.rows) + paint(shown));
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
    }
    const until = this.#session.wait({ id: this.#run.id, timeoutMs: null });
    // The run's own terminal answers; this one would answer a second time.
    const filter = new QueryFilter();
    for await (const chunk of followLog(path, { from, until, signal: this.#leave.signal, lookMs: LOOK_MS }))
      await writeOut(filter.take(chunk));
  }

  async #resize(): Promise<void> {
    const { columns, rows } = process.stdout;
    if (this.#isReadOnly || !(columns > 0) || !(rows > 0)) return;
    try {
      await this.#session.resize({ id: this.#run.id, columns, rows });
    } catch (error) {
      this.#complain(error);
    }
  }

  #take(keys: Buffer): void {
    const text = keys.toString("latin1");
    const at = Math.min(
      Number.POSITIVE_INFINITY,
      ...this.#detaches.map((key) => text.indexOf(key)).map((found) => (found < 0 ? Number.POSITIVE_INFINITY : found)),
    );
    const before = keys.subarray(0, Number.isFinite(at) ? at : keys.length);
    if (!this.#isReadOnly && before.length > 0) {
      this.#typed.push(before);
      void this.#type();
    }
    if (Number.isFinite(at)) this.#leave.abort();
  }

  /** One request at a time; what is typed meanwhile goes out in the next. */
  async #type(): Promise<void> {
    if (this.#isTyping) return;
    this.#isTyping = true;
    try {
      while (this.#typed.length > 0) {
        const data = Buffer.concat(this.#typed.splice(0)).toString("base64");
        await this.#session.input({ id: this.#run.id, data, text: null, enter: false, keys: [], eof: false });
      }
    } catch (error) {
      this.#complain(error);
    } finally {
      this.#isTyping = false;
    }
  }

  /** A host that was killed is replaced with the next call; what was not typed is told by the bell. */
  #complain(error: unknown): void {
    if (!isProctorError(error)) throw error;
    process.stdout.write("\x07");
  }
}
