/** Laws of the queue: over listings, and over every interleaving of processes that may die between two steps. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { admission, isInOrder, nextTicket, standings, stepPressure } from "../../src/machine/index.ts";
import type { Pause, QueueEntry } from "../../src/machine/index.ts";

const entry = fc.record({ number: fc.integer({ min: 1, max: 40 }), isLive: fc.boolean(), isHeld: fc.boolean() });
const listing = fc.uniqueArray(entry, { selector: (e) => e.number, maxLength: 20 });

describe("a listing", () => {
  test("at most the limit are told to start, and they are the first that live", () => {
    fc.assert(
      fc.property(listing, fc.integer({ min: 1, max: 4 }), (entries, limit) => {
        const living = entries.filter((e) => e.isLive).toSorted((a, b) => a.number - b.number);
        const admitted = living.filter((e) => admission(entries, e.number, limit, false).kind === "admitted");
        expect(admitted.length).toBeLessThanOrEqual(limit);
        expect(living.slice(0, admitted.length)).toEqual(admitted);
      }),
    );
  });

  test("positions count from one, in order, without a gap", () => {
    fc.assert(
      fc.property(listing, fc.integer({ min: 1, max: 4 }), fc.boolean(), (entries, limit, isPaused) => {
        const all = standings(entries, limit, isPaused);
        const positions = all.flatMap(({ position }) => position ?? []);
        expect(positions).toEqual(positions.map((_, i) => i + 1));
        expect(all.map((s) => s.number)).toEqual(all.map((s) => s.number).toSorted((a, b) => a - b));
      }),
    );
  });

  test("a dead ticket is removed before anybody steps over it", () => {
    const entries: QueueEntry[] = [
      { number: 1, isLive: false, isHeld: false },
      { number: 2, isLive: true, isHeld: true },
      { number: 3, isLive: true, isHeld: false },
    ];
    expect(admission(entries, 3, 2, false)).toEqual({ kind: "reap", numbers: [1] });
    expect(admission(entries.slice(1), 3, 2, false)).toEqual({ kind: "admitted" });
    expect(admission(entries, 7, 2, false)).toEqual({ kind: "gone" });
  });

  test("paused admission holds back all but one", () => {
    const first: QueueEntry = { number: 1, isLive: true, isHeld: true };
    const second: QueueEntry = { number: 2, isLive: true, isHeld: false };
    expect(admission([first, second], 2, 4, true)).toEqual({ kind: "waiting", position: 1 });
    expect(admission([second], 2, 4, true)).toEqual({ kind: "admitted" });
  });
});

/** How many histories each law is tried on; `QUEUE_MODEL_RUNS` sets another number. */
const RUNS = Number(process.env["QUEUE_MODEL_RUNS"] ?? "1000");
/** The histories are the same each time; `QUEUE_MODEL_SEED` tries others. */
const SEED = Number(process.env["QUEUE_MODEL_SEED"] ?? "1");

/** A process of the model: a host with one command, a launcher, or a command. Every `yield` is a point at which it can be stopped for good. */
interface Actor {
  readonly pid: number;
  readonly session: number;
  readonly kind: "host" | "launcher" | "command";
  readonly steps: Generator<undefined, void>;
}

/**
 * A model of the protocol: a directory of names, and processes that do one step at a time and may die
 * between any two. What the links do on disk, the maps do here; the decisions are the real functions'.
 */
class Model {
  /** By name: the place, the host that stands for it, and whose it is. */
  readonly tickets = new Map<string, { readonly number: number; readonly owner: number; readonly session: number }>();
  readonly held = new Map<string, number | "dead">();
  /** Numbers that somebody drew: the highest of them always stays. */
  readonly drawn = new Set<number>();
  readonly dead = new Set<number>();
  /** Tickets for which the keeper stands, too. */
  readonly kept = new Set<string>();
  /** Sessions whose run is on record. */
  readonly recorded = new Set<number>();
  readonly begunBy = new Map<string, number | "dead">();
  /** Commands that run, and the place that each goes by. */
  readonly running = new Map<number, number>();
  /** Sessions whose command was begun: only one launcher can. */
  readonly begun = new Set<number>();
  /** The place that each session drew first. */
  readonly first = new Map<number, number>();
  /** Tickets whose drawing or joining is over: one that is taken back at once is in nobody's way. */
  readonly counts = new Set<string>();
  /** Places that started although as many as the limit stood in front of them. */
  readonly overtaken: number[] = [];
  /** The places that commands started with, by session. */
  readonly started = new Map<number, number>();
  readonly born: Actor[] = [];
  readonly limit: number;
  readonly isWallClockUsed: boolean;
  clock = 0;
  #pids = 1000;
  constructor(limit: number, isWallClockUsed: boolean) {
    this.limit = limit;
    this.isWallClockUsed = isWallClockUsed;
  }
  newPid(): number {
    this.#pids += 1;
    return this.#pids;
  }
  /** The guardian of a session. */
  keeper(session: number): number {
    return -session;
  }
  numbers(): number[] {
    return [...this.tickets.keys(), ...this.drawn].map((name) => Number.parseInt(String(name), 10));
  }
  list(): (QueueEntry & { readonly names: readonly string[] })[] {
    const places = new Map<number, { isHeld: boolean; isLive: boolean; names: string[] }>();
    for (const [name, { number, owner, session }] of this.tickets) {
      const holder = this.held.get(name);
      const isHeld = holder !== undefined && holder !== "dead";
      const command = this.begunBy.get(name);
      const isKept =
        this.kept.has(name) && holder === undefined && command === undefined && !this.dead.has(this.keeper(session));
      const isLive = !this.dead.has(owner) || this.lives(holder) || this.lives(command) || isKept;
      const place = places.get(number) ?? { isHeld: false, isLive: false, names: [] };
      places.set(number, {
        isHeld: place.isHeld || isHeld,
        isLive: place.isLive || isLive,
        names: [...place.names, name],
      });
    }
    return [...places].map(([number, place]) => ({ number, ...place }));
  }
  lives(pid: number | "dead" | undefined): boolean {
    return pid !== undefined && pid !== "dead" && !this.dead.has(pid);
  }
  addHost(session: number, isNext: boolean): void {
    const pid = this.newPid();
    this.born.push({ pid, session, kind: "host", steps: this.host(pid, session, isNext) });
  }
  *host(me: number, session: number, isNext: boolean): Generator<undefined, void> {
    const isKnown = this.recorded.has(session);
    let name = isNext && isKnown && !this.begun.has(session) ? yield* this.takeUp(me, session) : null;
    if (isNext) yield* this.sweep(me, session);
    // One that runs is only looked after, and one that was never recorded is nobody's.
    if (isNext && (!isKnown || this.begun.has(session))) return;
    for (;;) {
      name ??= yield* this.draw(me, session);
      this.recorded.add(session);
      const mine = name;
      const next = admission(this.list(), Number.parseInt(mine, 10), this.limit, false);
      yield;
      if (next.kind === "admitted") break;
      if (next.kind === "gone") return;
      if (next.kind === "reap") {
        for (const place of this.list().filter(({ number }) => next.numbers.includes(number)))
          for (const one of place.names) yield* this.reap(one);
      }
    }
    // The plan is with the launcher: from here on the host may die and the command still starts, or not.
    const launcher = this.addLauncher(name, session);
    // It looks after the run, and removes the ticket when nothing of it is left.
    while (!this.dead.has(launcher) || this.lives(this.begunBy.get(name))) yield;
    yield* this.leave(name);
  }
  *draw(me: number, session: number): Generator<undefined, string> {
    for (;;) {
      const before = this.numbers();
      yield;
      this.clock += 1;
      const number = nextTicket(before, this.isWallClockUsed ? this.clock : 0);
      const name = String(number);
      if (this.drawn.has(number)) continue;
      this.drawn.add(number);
      yield;
      if (this.tickets.has(name)) continue;
      this.tickets.set(name, { number, owner: me, session });
      yield;
      if (isInOrder(this.numbers(), number)) {
        this.counts.add(name);
        yield;
        this.kept.add(name);
        yield;
        for (const one of this.drawn) if (one < number) this.drawn.delete(one);
        if (!this.first.has(session)) this.first.set(session, number);
        return name;
      }
      this.tickets.delete(name);
      yield;
    }
  }
  *reap(name: string): Generator<undefined, void> {
    if (yield* this.seal(name)) yield* this.leave(name);
  }
  /** No launcher and no command comes to hold it any more; false when one does. */
  *seal(name: string): Generator<undefined, boolean> {
    for (const beside of [this.held, this.begunBy]) {
      const holder = beside.get(name);
      if (holder === undefined) beside.set(name, "dead");
      else if (this.lives(holder)) return false;
      yield;
    }
    return true;
  }
  *leave(name: string): Generator<undefined, void> {
    this.tickets.delete(name);
    this.counts.delete(name);
    yield;
    this.kept.delete(name);
    this.held.delete(name);
    yield;
    this.begunBy.delete(name);
  }
  /** A ticket beside another, with its place. */
  *join(me: number, session: number, beside: string): Generator<undefined, string | null> {
    const number = Number.parseInt(beside, 10);
    const name = `${number}-${me}`;
    this.tickets.set(name, { number, owner: me, session });
    yield;
    if (this.tickets.has(beside)) {
      this.counts.add(name);
      yield;
      this.kept.add(name);
      return name;
    }
    this.tickets.delete(name);
    return null;
  }
  *takeUp(me: number, session: number): Generator<undefined, string | null> {
    const former = [...this.tickets]
      .filter(([name, ticket]) => this.kept.has(name) && ticket.session === session)
      .map(([name]) => name);
    const [beside] = former;
    yield;
    if (beside === undefined) return null;
    const name = yield* this.join(me, session, beside);
    if (name === null) return null;
    yield;
    for (const one of former) {
      if (!(yield* this.seal(one))) {
        yield* this.leave(name);
        return null;
      }
      yield* this.leave(one);
    }
    return name;
  }
  *sweep(me: number, session: number): Generator<undefined, void> {
    for (const [name, ticket] of this.tickets)
      if (ticket.session === session && ticket.owner !== me) yield* this.reap(name);
  }
  addLauncher(name: string, session: number): number {
    const pid = this.newPid();
    this.born.push({ pid, session, kind: "launcher", steps: this.launch(pid, name, session) });
    return pid;
  }
  *launch(me: number, name: string, session: number): Generator<undefined, void> {
    yield;
    if (this.held.has(name)) return;
    this.held.set(name, me);
    yield;
    if (this.tickets.get(name)?.session !== session) {
      this.held.delete(name);
      return;
    }
    yield;
    if (this.begun.has(session)) {
      yield* this.leave(name);
      return;
    }
    this.begun.add(session);
    const command = this.newPid();
    this.born.push({ pid: command, session, kind: "command", steps: this.run(command, name, session) });
    while (!this.dead.has(command)) yield;
    yield* this.leave(name);
  }
  *run(me: number, name: string, session: number): Generator<undefined, void> {
    yield;
    if (this.begunBy.has(name)) return;
    this.begunBy.set(name, me);
    yield;
    if (this.tickets.get(name)?.session !== session) {
      this.begunBy.delete(name);
      return;
    }
    yield;
    const mine = Number.parseInt(name, 10);
    this.running.set(me, mine);
    this.started.set(session, mine);
    const inFront = this.list().filter((e) => e.isLive && e.number < mine && e.names.some((n) => this.counts.has(n)));
    if (inFront.length >= this.limit) this.overtaken.push(mine);
    yield;
    // A command inside of this one, in a session of its own: it shares the place, and may outlive it.
    if (session % 3 === 0) {
      const pid = this.newPid();
      const inner = session + 100_000;
      this.born.push({ pid, session: inner, kind: "host", steps: this.nested(pid, inner, name) });
    }
    yield;
    this.running.delete(me);
  }
  *nested(me: number, session: number, around: string): Generator<undefined, void> {
    const holder = this.held.get(around);
    const name = holder === undefined || holder === "dead" ? null : yield* this.join(me, session, around);
    yield;
    if (name === null) {
      this.addHost(session, false);
      return;
    }
    const launcher = this.addLauncher(name, session);
    while (!this.dead.has(launcher) || this.lives(this.begunBy.get(name))) yield;
    yield* this.leave(name);
  }
  /** The slots that are taken by commands that run. */
  get taken(): number {
    return new Set(this.running.values()).size;
  }
}

describe("the protocol", () => {
  test.each([true, false])(
    "never runs more than the limit, and keeps the order, whatever happens between two steps (numbers from the clock: %s)",
    (isWallClockUsed) => {
      const step = fc.record({
        who: fc.nat(30),
        kill: fc.integer({ min: 0, max: 40 }).map((n) => (n < 2 ? "process" : n === 2 ? "keeper" : null)),
      });
      let nested = 0;
      let resumed = 0;
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 3 }),
          fc.array(step, { minLength: 100, maxLength: 600 }),
          (limit, steps) => {
            const model = new Model(limit, isWallClockUsed);
            const actors: Actor[] = [];
            let sessions = 0;
            /** Sessions whose place may be lost: guardian, or launcher, was killed. */
            const exposed = new Set<number>();
            const followed = new Set<number>();
            for (let i = 0; i < 4; i++) model.addHost(++sessions, false);
            for (const { who, kill } of steps) {
              actors.push(...model.born.splice(0));
              const actor = actors[who % actors.length];
              if (actor === undefined) break;
              const { pid, session, kind } = actor;
              if (kill === "keeper") {
                model.dead.add(model.keeper(session));
                exposed.add(session);
              }
              if (kill === "process") {
                model.dead.add(pid);
                model.running.delete(pid);
                if (kind === "launcher") exposed.add(session);
              }
              const isOver = !model.dead.has(pid) && actor.steps.next().done === true;
              // A host goes on with other things; the others end.
              if (isOver && kind !== "host") model.dead.add(pid);
              if (isOver || model.dead.has(pid)) {
                actors.splice(actors.indexOf(actor), 1);
                const isKept = !model.dead.has(model.keeper(session));
                if (model.dead.has(pid) && kind === "host" && isKept) {
                  model.addHost(session, true);
                  followed.add(session);
                } else if (session < 100_000 && kind === "host") model.addHost(++sessions, false);
              }
              expect(model.taken).toBeLessThanOrEqual(limit);
              expect(model.overtaken).toEqual([]);
            }
            for (const [session, place] of model.started) {
              const first = model.first.get(session);
              if (first === undefined) nested += 1;
              else if (!exposed.has(session)) {
                expect(place).toBe(first);
                if (followed.has(session)) resumed += 1;
              }
            }
          },
        ),
        { numRuns: RUNS, seed: SEED },
      );
      // What was to be shown did happen.
      expect(nested).toBeGreaterThan(0);
      expect(resumed).toBeGreaterThan(0);
    },
  );
});

test("one that slept between looking and drawing does not come in front of others", () => {
  const model = new Model(1, false);
  const run = (actor: Generator<undefined, void>, steps: number): void => {
    for (let i = 0; i < steps; i++) actor.next();
  };
  const launchers = (): Actor[] => model.born.splice(0);
  const sleeper = model.host(1, 1, false);
  run(sleeper, 1); // it saw an empty queue: its number would be the first
  const first = model.host(2, 2, false);
  run(first, 8); // drawn, admitted, and its launcher made
  const second = model.host(4, 4, false);
  run(second, 6);
  for (const { pid } of launchers()) model.dead.add(pid);
  run(first, 10); // it was over at once, and the first left
  run(second, 3);
  const [launch] = launchers();
  run(sleeper, 10);
  expect(launch).toBeDefined();
  const [foremost] = [...model.tickets.values()].toSorted((a, b) => a.number - b.number);
  expect(foremost?.owner).toBe(4);
  expect(launchers()).toHaveLength(0);
});

describe("pressure", () => {
  const calm = { memorySome: 0, ioFull: 0 };
  test("pauses above the upper mark, goes on below the lower one, and stays as it is between them", () => {
    let pause: Pause | null = stepPressure(null, { ...calm, memorySome: 15 });
    expect(pause).toBeNull();
    pause = stepPressure(pause, { ...calm, memorySome: 25 });
    expect(pause).toEqual({ resource: "memory", percent: 25 });
    pause = stepPressure(pause, { ...calm, memorySome: 15 });
    expect(pause).toEqual({ resource: "memory", percent: 15 });
    pause = stepPressure(pause, { ...calm, memorySome: 9 });
    expect(pause).toBeNull();
    expect(stepPressure(null, { ...calm, ioFull: 41 })).toEqual({ resource: "io", percent: 41 });
  });

  test("a system that does not tell never pauses", () => {
    expect(stepPressure({ resource: "memory", percent: 90 }, null)).toBeNull();
  });
});
