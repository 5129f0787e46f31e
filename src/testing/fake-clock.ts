/** A clock that stands still until it is told to go on. */
import type { Clock, Timer } from "../ports/index.ts";

/** Time in a test's hands. */
export class FakeClock implements Clock {
  #now: number;
  #next = 0;
  readonly #timers = new Map<number, { readonly due: number; readonly fire: () => void }>();

  /** Begins at `wallMs`, milliseconds since the epoch. */
  constructor(wallMs = 1_700_000_000_000) {
    this.#now = wallMs;
  }

  mono(): number {
    return this.#now;
  }

  wall(): number {
    return this.#now;
  }

  boot(): number {
    return this.#now;
  }

  after(ms: number, fire: () => void): Timer {
    const id = this.#next++;
    this.#timers.set(id, { due: this.#now + Math.max(0, ms), fire });
    return { cancel: () => this.#timers.delete(id) };
  }

  /** How many timers are armed: none may be left when everything has ended. */
  get armed(): number {
    return this.#timers.size;
  }

  /** Lets `ms` pass: fires what is due, in order, and lets promises settle after each. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settle();
      const due = [...this.#timers.entries()]
        .filter(([, t]) => t.due <= until)
        .toSorted(([a, x], [b, y]) => x.due - y.due || a - b)[0];
      if (due === undefined) break;
      const [id, timer] = due;
      this.#timers.delete(id);
      this.#now = Math.max(this.#now, timer.due);
      timer.fire();
    }
    this.#now = until;
    await settle();
  }
}

/** Lets everything that waits for a promise run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}
