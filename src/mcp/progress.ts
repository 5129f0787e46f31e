/**
 * Signs of life for one request. A client that named a progress token is told every few seconds how long it
 * has been and what the command said last; one that did not is told nothing.
 */

/** When the first sign is given, and how often from then on, in milliseconds. */
const FIRST_MS = 1000;
const EVERY_MS = 3000;

/** The parameters of `notifications/progress`. */
export interface ProgressParams {
  [key: string]: unknown;
  progressToken: string | number;
  progress: number;
  message: string;
}

/** Reports on one request until it is answered. */
export class ProgressReporter {
  /** When the request came, on the monotonic clock. */
  readonly beganAt: number = performance.now();
  readonly #token: string | number | undefined;
  readonly #notify: (params: ProgressParams) => Promise<void>;
  #timer: NodeJS.Timeout | null = null;
  #last = 0;
  #isStopped = false;

  constructor(token: string | number | undefined, notify: (params: ProgressParams) => Promise<void>) {
    this.#token = token;
    this.#notify = notify;
  }

  /** Whether the client asked to be told. */
  get isWanted(): boolean {
    return this.#token !== undefined;
  }

  /** Reports what `describe` gives from now on, until `stop`. */
  start(describe: () => Promise<string>): void {
    if (!this.isWanted || this.#isStopped || this.#timer !== null) return;
    this.#again(FIRST_MS, describe);
  }

  /** No report goes out after this: none may follow the answer. */
  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #again(ms: number, describe: () => Promise<string>): void {
    this.#timer = setTimeout(() => void this.#report(describe), ms);
  }

  async #report(describe: () => Promise<string>): Promise<void> {
    // A run that can't be asked at the moment is no reason to keep silent: the time alone is a sign.
    const text = await describe().catch(() => "");
    if (this.#isStopped || this.#token === undefined) return;
    const seconds = (performance.now() - this.beganAt) / 1000;
    // The protocol wants the number to increase, whatever the clock's resolution.
    this.#last = Math.max(this.#last + 0.001, Math.round(seconds * 1000) / 1000);
    // The next one waits until this one is out: a client that does not read is not buried in reports.
    await this.#notify({
      progressToken: this.#token,
      progress: this.#last,
      message: `${seconds.toFixed(0)} s${text === "" ? "" : `: ${text}`}`,
    }).catch(() => undefined);
    if (!this.#isStopped) this.#again(EVERY_MS, describe);
  }
}
