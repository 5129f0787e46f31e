/**
 * Events to one handler, one at a time and in order. A handler that returns a promise makes the next event
 * wait; the sender learns it and stops reading, so that nothing piles up. A handler that throws gets one
 * more event, the last.
 */
import { messageOf } from "../model/index.ts";
import type { AgentControl } from "./config.ts";
import type { AgentEvent, NewEvent } from "./events.ts";

/** The handler's queue. */
export class EventQueue {
  readonly #handler: ((event: AgentEvent, control: AgentControl) => void | Promise<void>) | undefined;
  readonly #control: AgentControl;
  readonly #onFailure: (message: string) => void;
  #tail: Promise<void> | null = null;
  #isInside = false;
  #hasFailed = false;

  constructor(
    handler: ((event: AgentEvent, control: AgentControl) => void | Promise<void>) | undefined,
    control: AgentControl,
    onFailure: (message: string) => void,
  ) {
    this.#handler = handler;
    this.#control = control;
    this.#onFailure = onFailure;
  }

  /** Delivers an event; null when that is done already, otherwise when it will be. `isLast` comes through in any case. */
  send(event: NewEvent, isLast: boolean = false): Promise<void> | null {
    if (this.#handler === undefined) return null;
    const dated: AgentEvent = { ...event, at: new Date().toISOString() };
    if (this.#tail === null && !this.#isInside) {
      const pending = this.#call(dated, isLast);
      if (pending !== null) this.#wait(pending);
      return pending;
    }
    // A handler that makes an event happen (an abort) is not called again inside itself.
    const before = this.#tail ?? Promise.resolve();
    const pending = before.then(() => this.#call(dated, isLast) ?? undefined);
    this.#wait(pending);
    return pending;
  }

  /** Resolves when everything that was sent is delivered. */
  async drained(): Promise<void> {
    while (this.#tail !== null) await this.#tail;
  }

  #wait(pending: Promise<void>): void {
    const tail = pending.finally(() => {
      if (this.#tail === tail) this.#tail = null;
    });
    this.#tail = tail;
  }

  #call(event: AgentEvent, isLast: boolean): Promise<void> | null {
    if (this.#hasFailed && !isLast) return null;
    this.#isInside = true;
    try {
      const answer: unknown = this.#handler?.(event, this.#control);
      if (!isThenable(answer)) return null;
      return Promise.resolve(answer).then(
        () => undefined,
        (error: unknown) => this.#failed(error),
      );
    } catch (error) {
      this.#failed(error);
      return null;
    } finally {
      this.#isInside = false;
    }
  }

  #failed(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#onFailure(`onEvent threw: ${messageOf(error)}`);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
