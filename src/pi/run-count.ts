/** How many runs go on, in Pi's footer; nothing stands there while there are none. */
import type { RunView, SessionApi } from "../model/index.ts";

/** Changes that come together are counted once, in milliseconds. */
const TOGETHER_MS = 100;

/** The footer's text; undefined takes it away. */
function countText(runs: readonly RunView[]): string | undefined {
  const running = runs.filter(({ state }) => state === "running" || state === "stopping").length;
  const queued = runs.filter(({ state }) => state === "queued").length;
  const parts = [...(running > 0 ? [`${running} running`] : []), ...(queued > 0 ? [`${queued} queued`] : [])];
  return parts.length === 0 ? undefined : `runs: ${parts.join(", ")} (/runs)`;
}

/** Keeps the count up to date. */
export class RunCount {
  readonly #show: (text: string | undefined) => void;
  #session: SessionApi | null = null;
  #unsubscribe: () => void = () => undefined;
  #timer: NodeJS.Timeout | null = null;
  #shown: string | undefined;

  constructor(show: (text: string | undefined) => void) {
    this.#show = show;
  }

  /** Counts a session's runs from now on. */
  attach(session: SessionApi): void {
    this.close();
    this.#session = session;
    this.#unsubscribe = session.onChange(() => this.#soon());
    this.#soon();
  }

  close(): void {
    this.#unsubscribe();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#session = null;
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#count();
    }, TOGETHER_MS);
  }

  async #count(): Promise<void> {
    const session = this.#session;
    // A host that can't be asked is being replaced: the next change counts again.
    const runs = await session?.list().catch(() => null);
    if (runs === undefined || runs === null || session !== this.#session) return;
    const text = countText(runs);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#show(text);
  }
}
