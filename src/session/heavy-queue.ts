/**
 * The queue of heavy commands as one host uses it: takes tickets, watches the directory while one of its
 * own waits, and tells each when its turn has come. Woken by the directory's changes; a slow look behind
 * them finds the holders that were killed, of which no directory tells.
 */
import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { ProctorError, errnoOf, messageOf } from "../model/index.ts";
import type { ProcessIdentity, QueueEvent } from "../model/index.ts";
import { MAX_WAITING, admission, standings, stepPressure } from "../machine/index.ts";
import type { Admission, Pause, PressureSample } from "../machine/index.ts";
import type { HeavyQueue, ProcessTable, QueueJoin, QueueTicket, TicketEvent } from "../ports/index.ts";
import { QueueDirectory } from "./queue-directory.ts";
import type { Ticket } from "./queue-directory.ts";

/** How often is looked while something waits, in milliseconds: holders that are killed change no directory. */
const LOOK_MS = 100;
/** No chain of parents is longer: the bound is for one that changes while it is walked. */
const MAX_PARENTS = 1000;
/** The same where the system gives no watch on a directory. */
const UNWATCHED_LOOK_MS = 20;

/** How often every ticket is looked at, and not only those in front, in milliseconds. */
const LOOK_AT_ALL_MS = 1000;
/** How old a position may be that is shown, in milliseconds. */
const FRESH_MS = 50;

/** What a queue is made of. */
export interface HeavyQueueParts {
  /** The user's state directory. */
  readonly home: string;
  readonly sessionId: string;
  readonly self: ProcessIdentity;
  readonly table: ProcessTable;
  readonly limit: number;
  readonly pressure: () => PressureSample | null;
  readonly report: (error: unknown) => void;
}

/** One ticket of this host. */
interface OwnTicket {
  number: number;
  readonly runId: string;
  readonly tell: (event: TicketEvent) => void;
  position: number | null;
  isAdmitted: boolean;
  /** Whether it was told that admission is paused. */
  isPaused: boolean;
}

/** Why admission is paused, for people. */
export function pauseText(pause: Pause | null): string | null {
  if (pause === null) return null;
  const resource = pause.resource === "memory" ? "memory" : "I/O";
  return `${resource} pressure is high (${pause.percent.toFixed(0)} % of the last 10 s), so no further heavy command is started`;
}

/** The queue, or its absence with the reason. */
export function heavyQueue(parts: HeavyQueueParts): HeavyQueue {
  return new DirectoryQueue(parts);
}

class DirectoryQueue implements HeavyQueue {
  readonly #parts: HeavyQueueParts;
  readonly #directory: QueueDirectory;
  readonly #own = new Map<number, OwnTicket>();
  readonly #listeners = new Set<(event: QueueEvent) => void>();
  #watcher: FSWatcher | null = null;
  #timer: NodeJS.Timeout | null = null;
  #soon = false;
  #pause: Pause | null = null;
  #last = "";
  #lookedAtAll = 0;
  #isOpen = false;

  constructor(parts: HeavyQueueParts) {
    this.#parts = parts;
    this.#directory = new QueueDirectory(parts.home, parts.table);
  }

  join(runId: string, caller: ProcessIdentity | null, tell: (event: TicketEvent) => void): QueueJoin {
    try {
      const off = this.#open();
      if (off !== null) return { kind: "off", why: off };
      const under = caller === null ? null : this.#holderAbove(caller);
      if (under !== null) return { kind: "nested", under };
      const own: OwnTicket = {
        number: this.#draw(runId),
        runId,
        tell,
        position: null,
        isAdmitted: false,
        isPaused: false,
      };
      this.#pause = stepPressure(this.#pause, this.#parts.pressure());
      const { next } = this.#weigh(own, this.#directory.list());
      if (next.kind === "waiting" && next.position > MAX_WAITING) {
        this.#directory.leave(own.number);
        throw this.#full();
      }
      own.isAdmitted = next.kind === "admitted";
      own.position = next.kind === "waiting" ? next.position : null;
      this.#own.set(own.number, own);
      if (!own.isAdmitted || this.#listeners.size > 0) this.#lookSoon();
      return { kind: "ticket", ticket: this.#ticket(own) };
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === null || error instanceof ProctorError) throw error;
      return { kind: "off", why: `${this.#directory.path} can't be used (${errno})` };
    }
  }

  refuseWhenFull(): void {
    try {
      if (this.#open() !== null) return;
      const waiting = standings(this.#directory.list(), this.#parts.limit, this.#pause !== null).filter(
        (s) => !s.isRunning,
      );
      if (waiting.length >= MAX_WAITING) throw this.#full();
    } catch (error) {
      if (errnoOf(error) === null || error instanceof ProctorError) throw error; // no queue: nothing is full
    }
  }

  leave(runId: string): void {
    try {
      if (this.#open() !== null) return;
      for (const { number, claim } of this.#directory.list()) {
        if (claim?.run === runId && claim.session === this.#parts.sessionId && !this.#own.has(number))
          this.#directory.leave(number);
      }
    } catch (error) {
      if (errnoOf(error) === null) throw error; // no queue: nothing to leave
    }
  }

  onChange(listener: (event: QueueEvent) => void): () => void {
    this.#listeners.add(listener);
    try {
      if (this.#open() === null) this.#lookSoon();
    } catch (error) {
      if (errnoOf(error) === null) throw error; // no queue, no events
    }
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#own.clear();
    this.#rest();
  }

  /** Opens the directory once; gives why there is no queue, or null. */
  #open(): string | null {
    if (this.#isOpen) return null;
    const why = this.#directory.open(this.#parts.home);
    this.#isOpen = why === null;
    return why;
  }

  #draw(runId: string): number {
    return this.#directory.take(this.#parts.self, `${this.#parts.sessionId}:${runId}`);
  }

  #full(): ProctorError {
    return new ProctorError(
      "ERR_REFUSED_QUEUE_FULL",
      `${MAX_WAITING} heavy commands wait already, which is the most that may. Try again when some have started; "proctor queue" shows them.`,
      { retryable: true, details: { waiting: MAX_WAITING, limit: this.#parts.limit } },
    );
  }

  /** The run that holds a slot and whose launcher the caller descends from: told by the kernel, not by a variable. */
  #holderAbove(caller: ProcessIdentity): string | null {
    const holders = new Map(
      this.#directory.list().flatMap(({ holder }) => (holder === null ? [] : [[holder.pid, holder] as const])),
    );
    if (holders.size === 0 || !this.#parts.table.isAlive(caller)) return null;
    const { table } = this.#parts;
    let at = table.entry(caller.pid);
    for (let i = 0; at !== null && i < MAX_PARENTS; i++, at = table.entry(at.ppid)) {
      const holder = holders.get(at.identity.pid);
      if (holder !== undefined && (holder.start === at.identity.start || holder.start === "-")) return holder.run;
    }
    return null;
  }

  #ticket(own: OwnTicket): QueueTicket {
    const directory = this.#directory;
    const refresh = (): void => this.#refresh();
    const subject = `${this.#parts.sessionId}:${own.runId}`;
    return {
      get claim() {
        return { path: directory.ticketPath(own.number), subject };
      },
      get position() {
        if (own.isAdmitted) return null;
        refresh();
        return own.position ?? 1;
      },
      leave: () => {
        if (!this.#own.delete(own.number)) return;
        try {
          directory.leave(own.number);
        } catch (error) {
          if (errnoOf(error) === null) throw error;
          this.#parts.report(error); // it is dead with this process at the latest
        }
        this.#lookSoon();
      },
    };
  }

  /** Brings the positions that are shown up to date. */
  #refresh(): void {
    if (performance.now() - this.#lookedAtAll < FRESH_MS) return;
    try {
      this.#lookedAtAll = performance.now();
      for (const { number, position } of standings(this.#directory.list(), this.#parts.limit, this.#pause !== null)) {
        const own = this.#own.get(number);
        if (own !== undefined && position !== null) own.position = position;
      }
    } catch (error) {
      if (errnoOf(error) === null) throw error; // the next look tells what it means
    }
  }

  /** Whether nothing can have changed for ours: the first of them is behind as many living ones as may run. */
  #isBehind(): boolean {
    if (this.#listeners.size > 0 || performance.now() - this.#lookedAtAll >= LOOK_AT_ALL_MS) return false;
    let first = Number.POSITIVE_INFINITY;
    for (const own of this.#own.values()) if (!own.isAdmitted) first = Math.min(first, own.number);
    const frontier = this.#directory.frontier(this.#parts.limit);
    return frontier !== null && first > frontier;
  }

  get #isNeeded(): boolean {
    if (this.#listeners.size > 0) return true;
    for (const own of this.#own.values()) if (!own.isAdmitted) return true;
    return false;
  }

  #lookSoon(): void {
    if (this.#soon) return;
    this.#soon = true;
    setImmediate(() => {
      this.#soon = false;
      this.#look();
    });
  }

  #rest(): void {
    this.#watcher?.close();
    this.#watcher = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    if (!this.#isNeeded) {
      this.#rest();
      return;
    }
    try {
      this.#watch();
      if (!this.#isBehind()) {
        this.#pause = stepPressure(this.#pause, this.#parts.pressure());
        this.#decide();
      }
    } catch (error) {
      if (errnoOf(error) === null) this.#parts.report(error);
      this.#letGo(`${this.#directory.path} can't be used any more (${errnoOf(error) ?? messageOf(error)})`);
    }
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#isNeeded) return;
    this.#timer = setTimeout(() => this.#look(), this.#watcher === null ? UNWATCHED_LOOK_MS : LOOK_MS);
    if (this.#own.size === 0) this.#timer.unref();
  }

  #watch(): void {
    if (this.#watcher !== null) return;
    try {
      this.#watcher = watch(this.#directory.path, { persistent: false }, () => this.#lookSoon());
      this.#watcher.on("error", () => {
        this.#watcher?.close();
        this.#watcher = null;
      });
    } catch (error) {
      // ENOSPC, EMFILE: the system's watches are used up; the look is more frequent then.
      if (errnoOf(error) === null) throw error;
    }
  }

  #decide(): void {
    this.#lookedAtAll = performance.now();
    let tickets = this.#directory.list();
    for (const own of [...this.#own.values()].toSorted((a, b) => a.number - b.number)) {
      if (own.isAdmitted) continue;
      const weighed = this.#weigh(own, tickets);
      tickets = weighed.tickets;
      const { next } = weighed;
      if (next.kind === "admitted") {
        own.isAdmitted = true;
        own.tell({ kind: "admitted" });
      } else if (own.position !== next.position || own.isPaused !== (this.#pause !== null)) {
        own.position = next.position;
        own.isPaused = this.#pause !== null;
        own.tell({ kind: "moved", paused: pauseText(this.#pause) });
      }
    }
    this.#publish(tickets);
  }

  /** What one of ours is to do; tickets of the dead that are in its way are removed on the way. */
  #weigh(
    own: OwnTicket,
    listed: readonly Ticket[],
  ): { readonly next: Extract<Admission, { kind: "admitted" | "waiting" }>; readonly tickets: readonly Ticket[] } {
    for (let tickets = listed; ; tickets = this.#directory.list()) {
      const next = admission(tickets, own.number, this.#parts.limit, this.#pause !== null);
      switch (next.kind) {
        case "admitted":
        case "waiting":
          return { next, tickets };
        case "reap":
          for (const number of next.numbers) this.#directory.reap(number);
          break;
        case "gone": {
          // Somebody removed the ticket, a user who cleaned up: the run waits on, at the end.
          const isKnown = this.#own.delete(own.number);
          own.number = this.#draw(own.runId);
          if (isKnown) this.#own.set(own.number, own);
          break;
        }
      }
    }
  }

  /** Without a queue nobody waits for it. */
  #letGo(why: string): void {
    this.#isOpen = false;
    for (const own of this.#own.values()) {
      if (own.isAdmitted) continue;
      own.isAdmitted = true;
      own.tell({ kind: "moved", paused: why });
      own.tell({ kind: "admitted" });
    }
  }

  #publish(tickets: readonly Ticket[]): void {
    if (this.#listeners.size === 0) return;
    const all = standings(tickets, this.#parts.limit, this.#pause !== null);
    const running = all.filter((s) => s.isRunning).length;
    const event: QueueEvent = { pid: process.pid, running, queued: all.length - running, limit: this.#parts.limit };
    const text = JSON.stringify(event);
    if (text === this.#last) return;
    this.#last = text;
    for (const listener of this.#listeners) listener(event);
  }
}
