/**
 * The queue of heavy commands as one host uses it: takes tickets, watches the directory while one of its
 * own waits, and tells each when its turn has come. Woken by the directory's changes; a slow look behind
 * them finds the holders that were killed, of which no directory tells.
 */
import { existsSync, watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { ProctorError, errnoOf, messageOf } from "../model/index.ts";
import type { ProcessIdentity, QueueEvent } from "../model/index.ts";
import { MAX_WAITING, admission, standings, stepPressure } from "../machine/index.ts";
import type { Admission, Pause, PressureSample } from "../machine/index.ts";
import type { HeavyQueue, ProcessTable, QueueJoin, QueueTicket, TicketEvent } from "../ports/index.ts";
import { QueueDirectory } from "./queue-directory.ts";
import type { Place, Ticket } from "./queue-directory.ts";

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
  /** The process that brings the next host when this one is killed; null while there is none. */
  readonly keeper: () => ProcessIdentity | null;
  readonly pressure: () => PressureSample | null;
  readonly report: (error: unknown) => void;
}

/** One ticket of this host. */
interface OwnTicket {
  /** Its name in the directory. */
  name: string;
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
  readonly #own = new Map<string, OwnTicket>();
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
    return this.#unlessOff(() => {
      const nested = caller === null ? null : this.#besideHolder(runId, caller, tell);
      if (nested !== null) return nested;
      const own = this.#newTicket(this.#draw(runId), runId, tell);
      const next = this.#enter(own);
      if (next.kind === "waiting" && next.position > MAX_WAITING) {
        this.#directory.leave(own.name);
        throw this.#full();
      }
      this.#hold(own);
      return { kind: "ticket", ticket: this.#ticket(own) };
    });
  }

  rejoin(runId: string, caller: ProcessIdentity | null, tell: (event: TicketEvent) => void): QueueJoin {
    const taken = this.#unlessOff((): QueueJoin | null => {
      const former = this.#directory.takeUp(this.#parts.sessionId, runId, this.#parts.self);
      if (former === null) return null;
      const own = this.#newTicket(former, runId, tell);
      this.#enter(own);
      this.#hold(own);
      return { kind: "ticket", ticket: this.#ticket(own) };
    });
    return taken ?? this.join(runId, caller, tell);
  }

  /** Does something with the directory; where it can't be used there is no queue. */
  #unlessOff<T>(use: () => T): T | Extract<QueueJoin, { kind: "off" }> {
    try {
      const off = this.#open();
      return off === null ? use() : { kind: "off", why: off };
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === null || error instanceof ProctorError) throw error;
      return { kind: "off", why: `${this.#directory.path} can't be used (${errno})` };
    }
  }

  #newTicket(
    at: { readonly name: string; readonly number: number },
    runId: string,
    tell: OwnTicket["tell"],
  ): OwnTicket {
    return { ...at, runId, tell, position: null, isAdmitted: false, isPaused: false };
  }

  /** Weighs a ticket that is new here. */
  #enter(own: OwnTicket): Extract<Admission, { kind: "admitted" | "waiting" }> {
    this.#pause = stepPressure(this.#pause, this.#parts.pressure());
    const { next } = this.#weigh(own, this.#directory.list());
    own.isAdmitted = next.kind === "admitted";
    own.position = next.kind === "waiting" ? next.position : null;
    return next;
  }

  #hold(own: OwnTicket): void {
    this.#own.set(own.name, own);
    this.#keep();
    if (!own.isAdmitted || this.#listeners.size > 0) this.#lookSoon();
  }

  /** What waits here lives on with whoever brings the next host. */
  #keep(): void {
    const keeper = this.#own.size === 0 ? null : this.#parts.keeper();
    if (keeper === null) return;
    try {
      this.#directory.keep(this.#parts.sessionId, keeper);
    } catch (error) {
      // Without it a run that waits when this host is killed goes to the end; the queue works all the same.
      if (errnoOf(error) === null) throw error;
    }
  }

  sweep(): void {
    if (existsSync(this.#directory.path))
      this.#unlessOff(() => this.#directory.sweep(this.#parts.sessionId, this.#parts.self));
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
      for (const { name, claim } of this.#directory.list().flatMap(({ tickets }) => tickets)) {
        if (claim?.run === runId && claim.session === this.#parts.sessionId && !this.#own.has(name))
          this.#directory.leave(name);
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
    try {
      this.#directory.letGo(this.#parts.sessionId);
    } catch (error) {
      if (errnoOf(error) === null) throw error; // no queue: nothing stands in it
    }
  }

  /** Opens the directory once; gives why there is no queue, or null. */
  #open(): string | null {
    if (this.#isOpen) return null;
    const why = this.#directory.open(this.#parts.home);
    this.#isOpen = why === null;
    return why;
  }

  #draw(runId: string): { readonly name: string; readonly number: number } {
    const number = this.#directory.take(this.#parts.self, `${this.#parts.sessionId}:${runId}`);
    return { name: String(number), number };
  }

  #full(): ProctorError {
    return new ProctorError(
      "ERR_REFUSED_QUEUE_FULL",
      `${MAX_WAITING} heavy commands wait already, which is the most that may. Try again when some have started; "proctor queue" shows them.`,
      { retryable: true, details: { waiting: MAX_WAITING, limit: this.#parts.limit } },
    );
  }

  /** A ticket beside that of the run which the caller is inside of; null when it is inside of none. */
  #besideHolder(runId: string, caller: ProcessIdentity, tell: OwnTicket["tell"]): QueueJoin | null {
    const holder = this.#holderAbove(caller);
    if (holder === null) return null;
    const name = this.#directory.join(holder.ticket, runId, this.#parts.self, `${this.#parts.sessionId}:${runId}`);
    if (name === null) return null; // the run around it ended meanwhile
    const own = { ...this.#newTicket({ name, number: holder.ticket.number }, runId, tell), isAdmitted: true };
    this.#hold(own);
    return { kind: "nested", under: holder.run, ticket: this.#ticket(own) };
  }

  /** The run that holds a slot and whose launcher the caller descends from: told by the kernel, not by a variable. */
  #holderAbove(caller: ProcessIdentity): { readonly run: string; readonly ticket: Ticket } | null {
    const held = this.#directory.list().flatMap(({ tickets }) => tickets);
    const holders = new Map(held.flatMap((one) => (one.holder === null ? [] : [[one.holder.pid, one] as const])));
    if (holders.size === 0 || !this.#parts.table.isAlive(caller)) return null;
    const { table } = this.#parts;
    let at = table.entry(caller.pid);
    for (let i = 0; at !== null && i < MAX_PARENTS; i++, at = table.entry(at.ppid)) {
      const ticket = holders.get(at.identity.pid);
      const holder = ticket?.holder;
      if (ticket === undefined || holder === null || holder === undefined) continue;
      if (holder.start === at.identity.start || holder.start === "-") return { run: holder.run, ticket };
    }
    return null;
  }

  #ticket(own: OwnTicket): QueueTicket {
    const directory = this.#directory;
    const refresh = (): void => this.#refresh();
    const subject = `${this.#parts.sessionId}:${own.runId}`;
    return {
      get claim() {
        return { path: directory.ticketPath(own.name), subject };
      },
      get position() {
        if (own.isAdmitted) return null;
        refresh();
        return own.position ?? 1;
      },
      leave: () => {
        if (!this.#own.delete(own.name)) return;
        try {
          directory.leave(own.name);
          if (this.#own.size === 0) directory.letGo(this.#parts.sessionId);
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
      const places = standings(this.#directory.list(), this.#parts.limit, this.#pause !== null);
      const positions = new Map(places.map(({ number, position }) => [number, position]));
      for (const own of this.#own.values()) own.position = positions.get(own.number) ?? own.position;
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
      this.#directory.checkWritable();
      this.#keep();
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
    let places = this.#directory.list();
    for (const own of [...this.#own.values()].toSorted((a, b) => a.number - b.number)) {
      if (own.isAdmitted) continue;
      const weighed = this.#weigh(own, places);
      places = weighed.places;
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
    this.#publish(places);
  }

  /** What one of ours is to do; places of the dead that are in its way are removed on the way. */
  #weigh(
    own: OwnTicket,
    listed: readonly Place[],
  ): { readonly next: Extract<Admission, { kind: "admitted" | "waiting" }>; readonly places: readonly Place[] } {
    for (let places = listed; ; places = this.#directory.list()) {
      const isThere = places.some(({ tickets }) => tickets.some(({ name }) => name === own.name));
      const next: Admission = isThere
        ? admission(places, own.number, this.#parts.limit, this.#pause !== null)
        : { kind: "gone" };
      switch (next.kind) {
        case "admitted":
        case "waiting":
          return { next, places };
        case "reap":
          for (const place of places) if (next.numbers.includes(place.number)) this.#directory.reap(place);
          break;
        case "gone": {
          // Somebody removed the ticket, a user who cleaned up: the run waits on, at the end.
          const isKnown = this.#own.delete(own.name);
          Object.assign(own, this.#draw(own.runId));
          if (isKnown) this.#own.set(own.name, own);
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

  #publish(places: readonly Place[]): void {
    if (this.#listeners.size === 0) return;
    const all = standings(places, this.#parts.limit, this.#pause !== null);
    const running = all.filter((s) => s.isRunning).length;
    const event: QueueEvent = { pid: process.pid, running, queued: all.length - running, limit: this.#parts.limit };
    const text = JSON.stringify(event);
    if (text === this.#last) return;
    this.#last = text;
    for (const listener of this.#listeners) listener(event);
  }
}
