/**
 * Receives completions, each once. The session tells by events that something ended; what has ended and was
 * not admitted is asked for, so that an event that was lost or came twice makes no difference. An
 * acknowledgement that did not arrive is repeated without admitting anything again.
 */
import type { RunView, SessionApi } from "../model/index.ts";

/** How often is asked although nothing was heard, in milliseconds: a host may have been replaced meanwhile. */
const LOOK_MS = 1000;

/** What a receiver asks of a session. */
export type CompletionSource = Pick<SessionApi, "openWork" | "acknowledge" | "onChange">;

/** The hand-over to one receiver. */
export class CompletionReceiver {
  readonly #source: CompletionSource;
  readonly #admit: (runs: readonly RunView[]) => Promise<void>;
  readonly #admitted: Set<string>;
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #looking = false;
  #again = false;
  #isClosed = false;

  /** `admitted` are the ids that an earlier receiver admitted, as far as it could tell. */
  constructor(
    source: CompletionSource,
    admit: (runs: readonly RunView[]) => Promise<void>,
    admitted: Iterable<string> = [],
  ) {
    this.#source = source;
    this.#admit = admit;
    this.#admitted = new Set(admitted);
    this.#unsubscribe = source.onChange((event) => {
      if (event.kind === "ended") this.look();
    });
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
    this.look();
  }

  /** Looks for completions now; one look at a time, and what comes meanwhile is looked for after it. */
  look(): void {
    if (this.#isClosed) return;
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    void this.#handOver()
      // A host that can't be asked, or a receiver that did not admit: both are asked again at the next look.
      .catch(() => undefined)
      .finally(() => {
        this.#looking = false;
        if (!this.#again) return;
        this.#again = false;
        this.look();
      });
  }

  /** Ends the hand-over; what was not admitted stays open. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
  }

  async #handOver(): Promise<void> {
    const ended = (await this.#source.openWork()).filter((run) => run.state === "ended");
    if (ended.length === 0 || this.#isClosed) return;
    const news = ended.filter(({ id }) => !this.#admitted.has(id));
    if (news.length > 0) {
      await this.#admit(news);
      for (const { id } of news) this.#admitted.add(id);
    }
    await this.#source.acknowledge(ended.map(({ id }) => id));
  }
}
