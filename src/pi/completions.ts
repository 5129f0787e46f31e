/**
 * Tells the agent what ended in the background, each run once: as a message that starts a turn when the agent is idle,
 * otherwise with the end of its present work or with the next turn.
 *
 * Theory: Pi drops messages that wait in its queue when the user interrupts, so nothing is put into that queue. What is
 * not told stays open work of the session, and is told at the next moment that suits. What the agent stopped itself
 * never becomes open work's news: the host knows by the connection.
 */
import type { RunView, SessionApi } from "../model/index.ts";
import { outcomeLine, resultOf, resultText } from "../session/index.ts";
import type { CallSettings } from "../session/index.ts";
import type { CustomMessage } from "./pi-api.ts";
import { oneLine } from "./run-text.ts";
import type { SharedState } from "./shared-state.ts";

/** How often is asked although nothing was heard, in milliseconds: a host may have been replaced meanwhile. */
const LOOK_MS = 1000;
/** So many are shown with their output, and so many named at all. */
const MAX_SHOWN = 3;
const MAX_NAMED = 20;

/** What the hand-over asks of the extension. */
export interface CompletionHost {
  readonly state: SharedState;
  /** The conversation that is open; null once it is over. */
  conversation(): string | null;
  isIdle(): boolean;
  settings(run: RunView): CallSettings;
  /** Starts a turn with this message. */
  wake(message: CustomMessage): void;
  /** Tells the user alone. */
  notify(text: string): void;
  report(error: unknown): void;
}

/** The hand-over of one instance of the extension. */
export class Completions {
  readonly #host: CompletionHost;
  readonly #held = new Set<string>();
  readonly #mentioned = new Set<string>();
  #session: SessionApi | null = null;
  #unsubscribe: () => void = () => undefined;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();

  constructor(host: CompletionHost) {
    this.#host = host;
  }

  /** Listens to a session from now on. */
  attach(session: SessionApi): void {
    this.close();
    this.#session = session;
    this.#unsubscribe = session.onChange((event) => {
      if (event.kind === "ended") this.look();
    });
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
    this.look();
  }

  close(): void {
    this.#unsubscribe();
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#session = null;
  }

  /** Tells what has ended if the agent is idle. */
  look(): void {
    this.#looking = this.#looking.then(async () => {
      try {
        if (this.#host.conversation() === null || !this.#host.isIdle()) return;
        const news = await this.#news();
        if (!news.some(({ id }) => !this.#held.has(id))) return;
        const message = await this.#messageOf(news);
        // Looked at again: work may have begun while the text was made.
        if (this.#host.conversation() === null || !this.#host.isIdle()) return;
        await this.#tell(news, () => this.#host.wake(message));
      } catch (error) {
        this.#host.report(error); // it stays open work, and the next look tells it
      }
    });
  }

  /** The user interrupted: what has ended by now does not wake the agent, and comes with the next turn. */
  async hold(): Promise<void> {
    try {
      for (const { id } of await this.#news()) this.#held.add(id);
    } catch (error) {
      this.#host.report(error); // it may wake the agent after all
    }
  }

  /** Everything that is to be told, as a message that goes out with this call; null when there is nothing. */
  async take(): Promise<CustomMessage | null> {
    await this.#looking;
    try {
      const news = await this.#news();
      if (news.length === 0) return null;
      const message = await this.#messageOf(news);
      await this.#tell(news, () => undefined);
      return message;
    } catch (error) {
      this.#host.report(error);
      return null;
    }
  }

  /** The agent has seen these runs in an answer: their end is no news any more. */
  async seen(runs: readonly RunView[]): Promise<void> {
    const ended = runs.filter((run) => run.state === "ended").map(({ id }) => id);
    if (ended.length === 0 || this.#session === null) return;
    for (const id of ended) this.#host.state.told.add(id);
    try {
      await this.#session.acknowledge(ended);
    } catch (error) {
      this.#host.report(error); // repeated at the next look
    }
  }

  /** What goes on in the background for this conversation. */
  async open(): Promise<readonly RunView[]> {
    const all = (await this.#session?.openWork()) ?? [];
    return all.filter((run) => run.state !== "ended" && this.#isOurs(run));
  }

  #isOurs(run: RunView): boolean {
    const known = this.#host.state.conversations.get(run.id);
    const conversation = this.#host.conversation();
    return known === undefined || (conversation !== null && known.has(conversation));
  }

  async #news(): Promise<readonly RunView[]> {
    const session = this.#session;
    if (session === null) return [];
    const ended = (await session.openWork()).filter((run) => run.state === "ended");
    const { told } = this.#host.state;
    // An acknowledgement that did not arrive is repeated, without telling anything again.
    const again = ended.filter(({ id }) => told.has(id)).map(({ id }) => id);
    if (again.length > 0) await session.acknowledge(again);
    const fresh = ended.filter(({ id }) => !told.has(id));
    for (const run of fresh.filter((one) => !this.#isOurs(one) && !this.#mentioned.has(one.id))) {
      this.#mentioned.add(run.id);
      this.#host.notify(`A run of another conversation has ended: ${oneLine(run.command, 60)}: ${outcomeLine(run)}`);
    }
    return fresh.filter((run) => this.#isOurs(run));
  }

  async #tell(news: readonly RunView[], send: () => void): Promise<void> {
    const ids = news.map(({ id }) => id);
    const { told } = this.#host.state;
    for (const id of ids) told.add(id);
    try {
      send();
    } catch (error) {
      for (const id of ids) told.delete(id);
      throw error;
    }
    for (const id of ids) this.#held.delete(id);
    await this.#session?.acknowledge(ids);
  }

  async #messageOf(news: readonly RunView[]): Promise<CustomMessage> {
    const parts: string[] = [];
    for (const run of news.slice(0, MAX_SHOWN)) {
      const head = `Background run ${run.id} has ended: ${oneLine(run.name ?? run.command, 200)}`;
      parts.push(`${head}\n${resultText(await resultOf(run, false, this.#host.settings(run)))}`);
    }
    for (const run of news.slice(MAX_SHOWN, MAX_NAMED))
      parts.push(`Background run ${run.id} has ended: ${oneLine(run.name ?? run.command, 80)}: ${outcomeLine(run)}`);
    if (news.length > MAX_NAMED) parts.push(`And ${news.length - MAX_NAMED} more; runner_list shows them.`);
    return {
      customType: "proctor-completion",
      content: parts.join("\n\n"),
      display: true,
      details: { ids: news.map(({ id }) => id) },
    };
  }
}
