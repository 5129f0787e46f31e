/**
 * A run's place in the queue of heavy commands: taken before the run is recorded, given up when the run has
 * ended. Where there is no queue, or the run needs no place of its own, it goes on at once and says why.
 */
import { messageOf } from "../model/index.ts";
import type { RunRecord } from "../model/index.ts";
import type { QueueTicket, TicketClaim } from "../ports/index.ts";
import type { EngineDependencies } from "./dependencies.ts";
import { isHeavy } from "./launch-plan.ts";

/** What the run is told. */
export interface PlaceListener {
  admitted(): void;
  moved(): void;
  failed(message: string): void;
  note(text: string): void;
}

/** The place of one run. */
export class QueuePlace {
  readonly #record: RunRecord;
  readonly #deps: EngineDependencies;
  readonly #tell: PlaceListener;
  #ticket: QueueTicket | null = null;
  #sinceMono: number | null = null;
  /** What was waited before now: by a former host, or for a place that was lost. */
  #waitedMs: number | null = null;
  #pause: string | null = null;

  constructor(record: RunRecord, deps: EngineDependencies, tell: PlaceListener) {
    this.#record = record;
    this.#deps = deps;
    this.#tell = tell;
  }

  /** For the launcher, which holds the place from the start of the command on. */
  get claim(): TicketClaim | null {
    return this.#ticket?.claim ?? null;
  }

  /** 1-based while it waits. */
  get position(): number | null {
    return this.#ticket?.position ?? null;
  }

  /** Why admission is paused, as far as it is known. */
  get pause(): string | null {
    return this.#pause;
  }

  /** How long the run waited, until now while it waits; null when it takes no place. */
  get waitedMs(): number | null {
    if (this.#sinceMono === null) return this.#waitedMs;
    return Math.round((this.#waitedMs ?? 0) + this.#deps.clock.mono() - this.#sinceMono);
  }

  /**
   * Takes a place if the command is heavy; gives whether the run has to wait to be admitted.
   *
   * @throws ProctorError `ERR_REFUSED_QUEUE_FULL`.
   */
  take(): boolean {
    return this.#enter("join");
  }

  #enter(how: "join" | "rejoin"): boolean {
    if (!isHeavy(this.#record)) return false;
    const join = this.#deps.queue[how](this.#record.id, this.#record.caller ?? null, (event) => {
      if (event.kind === "admitted") {
        this.#waitedMs = this.waitedMs;
        this.#sinceMono = null;
        this.#tell.admitted();
        return;
      }
      if (event.paused !== null && event.paused !== this.#pause)
        this.#tell.note(`Waiting in the queue: ${event.paused}.`);
      this.#pause = event.paused;
      this.#tell.moved();
    });
    switch (join.kind) {
      case "ticket":
        this.#ticket = join.ticket;
        this.#sinceMono = this.#deps.clock.mono();
        if (join.ticket.position !== null) return true;
        this.#waitedMs = this.waitedMs;
        this.#sinceMono = null;
        return false;
      case "nested":
        this.#ticket = join.ticket;
        this.#waitedMs ??= 0;
        this.#tell.note(`Runs inside ${join.under}, which holds a slot of the queue, and needs none of its own.`);
        return false;
      case "off":
        this.#waitedMs ??= 0;
        this.#tell.note(`The queue of heavy commands is off: ${join.why}. The command was started at once.`);
        return false;
    }
  }

  /** Takes another place for a run that is on record already, because its own was given away. */
  takeAgain(): void {
    this.#ticket?.leave();
    this.#ticket = null;
    this.#comeBack("join");
  }

  /** Takes up the place of a run that waited under a former host. */
  takeUp(): void {
    this.#comeBack("rejoin");
  }

  #comeBack(how: "join" | "rejoin"): void {
    try {
      if (!this.#enter(how)) setImmediate(() => this.#tell.admitted());
    } catch (error) {
      this.#tell.failed(`It lost its place in the queue and could not take another: ${messageOf(error)}`);
    }
  }

  /** Takes up what a former host recorded. */
  resumed(waitedMs: number | null): void {
    this.#waitedMs = waitedMs;
  }

  /** Gives the place up, one that a former host took as well. */
  leave(): void {
    this.#waitedMs = this.waitedMs;
    this.#sinceMono = null;
    if (this.#ticket !== null) this.#ticket.leave();
    else if (isHeavy(this.#record)) this.#deps.queue.leave(this.#record.id);
    this.#ticket = null;
  }
}
