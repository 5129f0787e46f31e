/**
 * Signals to a `run` in the foreground. Ctrl-C goes on to the command, as a terminal would send it; twice
 * within two seconds, or any other request to end, stops the run. Ending this process by SIGKILL needs no
 * care: the run goes on in its session.
 */
import { constants } from "node:os";
import { DEFAULT_GRACE_MS, isProctorError } from "../model/index.ts";
import type { RunResult, RunView, SessionApi } from "../model/index.ts";

/** A second Ctrl-C within this time stops the run, in milliseconds (contract: command line). */
const AGAIN_MS = 2000;

type EndSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Takes the signals while it lives. */
export class ForegroundSignals {
  readonly #session: SessionApi;
  readonly #stop = new AbortController();
  readonly #listeners: readonly (readonly [EndSignal, () => void])[];
  #run: RunView | null = null;
  #received: EndSignal | null = null;
  #lastInterrupt = Number.NEGATIVE_INFINITY;
  #isStopping = false;

  constructor(session: SessionApi) {
    this.#session = session;
    this.#listeners = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => [name, () => this.#take(name)] as const);
    for (const [name, listener] of this.#listeners) process.on(name, listener);
  }

  /** Aborts when the run is to be stopped. */
  get stopSignal(): AbortSignal {
    return this.#stop.signal;
  }

  /** 128 + n once a signal was taken; null before. */
  get exitStatus(): number | null {
    return this.#received === null ? null : 128 + constants.signals[this.#received];
  }

  /** The run is on record: a signal that came before reaches it now. */
  started(run: RunView): void {
    this.#run = run;
    if (this.#received === "SIGINT" && !this.#isStopping) this.#interrupt(run);
  }

  /**
   * The run has ended. What an interrupted command left behind is stopped: a shell's background jobs
   * ignore SIGINT (POSIX, shell command language, 2.11), and nobody waits for them any more.
   */
  async finished(result: RunResult): Promise<RunResult> {
    if (this.#received === null || result.promoted || result.leftovers.length === 0) return result;
    const report = await this.#session.stop(result.id, { reason: null, graceMs: DEFAULT_GRACE_MS });
    return { ...result, leftovers: report.run.leftovers };
  }

  /** Gives the signals back. */
  release(): void {
    for (const [name, listener] of this.#listeners) process.off(name, listener);
  }

  #take(signal: EndSignal): void {
    const now = performance.now();
    const isAgain = now - this.#lastInterrupt <= AGAIN_MS;
    this.#received ??= signal;
    if (signal === "SIGINT" && !isAgain && !this.#isStopping) {
      this.#lastInterrupt = now;
      if (this.#run !== null) this.#interrupt(this.#run);
      return;
    }
    if (this.#isStopping && this.#run !== null) {
      // Asked once more while the grace period runs: no more grace.
      void this.#session.stop(this.#run.id, { reason: null, graceMs: 0 }).catch(ignoreLoss);
      return;
    }
    this.#isStopping = true;
    this.#stop.abort();
  }

  #interrupt(run: RunView): void {
    void this.#session.interrupt(run.id).catch(ignoreLoss);
  }
}

/** The wait for the run tells what became of it; a failed request tells nothing that it would not. */
function ignoreLoss(error: unknown): void {
  if (!isProctorError(error)) throw error;
}
