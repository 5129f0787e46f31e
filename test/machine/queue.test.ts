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

/**
 * A model of the protocol: a directory of names, and processes that do one step at a time and may die
 * between any two. What the links do on disk, the maps do here; the decisions are the real functions'.
 */
class Model {
  readonly tickets = new Map<number, number>();
  readonly held = new Map<number, number | "dead">();
  readonly dead = new Set<number>();
  readonly running = new Map<number, number>();
  /** Tickets whose drawing is over. */
  readonly counts = new Set<number>();
  /** Tickets that started although as many as the limit stood in front of them. */
  readonly overtaken: number[] = [];
  readonly limit: number;
  readonly isWallClockUsed: boolean;
  clock = 0;
  constructor(limit: number, isWallClockUsed: boolean) {
    this.limit = limit;
    this.isWallClockUsed = isWallClockUsed;
  }
  numbers(): number[] {
    return [...this.tickets.keys(), ...this.held.keys()];
  }
  list(): QueueEntry[] {
    return [...this.tickets].map(([number, owner]) => {
      const holder = this.held.get(number);
      const isHeld = holder !== undefined && holder !== "dead";
      return { number, isHeld, isLive: !this.dead.has(owner) || (isHeld && !this.dead.has(holder)) };
    });
  }
  /** One session's host with one command; every `yield` is a point at which it can be stopped for good. */
  *host(me: number, launcher: number): Generator<undefined, void> {
    let mine: number;
    for (;;) {
      const before = this.numbers();
      yield;
      this.clock += 1;
      mine = nextTicket(before, this.isWallClockUsed ? this.clock : 0);
      if (this.tickets.has(mine)) continue;
      this.tickets.set(mine, me);
      yield;
      if (isInOrder(this.numbers(), mine)) {
        this.counts.add(mine);
        break;
      }
      this.tickets.delete(mine);
      yield;
    }
    for (;;) {
      const next = admission(this.list(), mine, this.limit, false);
      yield;
      if (next.kind === "admitted") break;
      if (next.kind === "gone") return;
      if (next.kind === "reap") {
        for (const number of next.numbers) {
          const holder = this.held.get(number);
          if (holder === undefined) this.held.set(number, "dead");
          else if (holder !== "dead" && !this.dead.has(holder)) continue;
          yield;
          this.tickets.delete(number);
          yield;
          this.held.delete(number);
        }
      }
    }
    // The plan is with the launcher: from here on the host may die and the command still starts, or not.
    this.launches.push(this.launch(mine, launcher));
    yield;
  }
  readonly launches: Generator<undefined, void>[] = [];
  *launch(mine: number, launcher: number): Generator<undefined, void> {
    yield;
    if (this.held.has(mine)) return;
    this.held.set(mine, launcher);
    yield;
    if (!this.tickets.has(mine)) {
      this.held.delete(mine);
      return;
    }
    yield;
    this.running.set(launcher, mine);
    const inFront = this.list().filter((e) => e.isLive && e.number < mine && this.counts.has(e.number));
    if (inFront.length >= this.limit) this.overtaken.push(mine);
    yield;
    this.running.delete(launcher);
    yield;
    this.tickets.delete(mine);
    yield;
    this.held.delete(mine);
  }
}

describe("the protocol", () => {
  test.each([true, false])(
    "never runs more than the limit, whatever happens between two steps (numbers from the clock: %s)",
    (isWallClockUsed) => {
      const step = fc.record({ who: fc.nat(30), kill: fc.integer({ min: 0, max: 30 }).map((n) => n === 0) });
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 3 }),
          fc.array(step, { minLength: 50, maxLength: 400 }),
          (limit, steps) => {
            const model = new Model(limit, isWallClockUsed);
            const actors: { pid: number; steps: Generator<undefined, void> }[] = [];
            const add = (pid: number): void => void actors.push({ pid, steps: model.host(pid, pid + 1000) });
            for (let pid = 1; pid <= 6; pid++) add(pid);
            let taken = 0;
            for (const { who, kill } of steps) {
              const actor = actors[who % actors.length];
              if (actor === undefined) break;
              if (kill) {
                // A command dies with its launcher here; that it may live on is the run's matter, not the queue's.
                model.dead.add(actor.pid);
                model.running.delete(actor.pid);
              }
              if (model.dead.has(actor.pid) || actor.steps.next().done === true) {
                actors.splice(actors.indexOf(actor), 1);
                add(++taken + 10);
              }
              for (const launch of model.launches.splice(0)) actors.push({ pid: actor.pid + 1000, steps: launch });
              expect(model.running.size).toBeLessThanOrEqual(limit);
              expect(model.overtaken).toEqual([]);
            }
          },
        ),
        { numRuns: 500 },
      );
    },
  );
});

test("one that slept between looking and drawing does not come in front of others", () => {
  const model = new Model(1, false);
  const run = (actor: Generator<undefined, void>, steps: number): void => {
    for (let i = 0; i < steps; i++) actor.next();
  };
  const sleeper = model.host(1, 1001);
  run(sleeper, 1); // it saw an empty queue: its number would be the first
  const first = model.host(2, 1002);
  run(first, 10);
  const second = model.host(3, 1003);
  run(second, 3);
  for (const launch of model.launches.splice(0)) run(launch, 10); // the first ran and left
  run(second, 3);
  const [launch] = model.launches.splice(0);
  run(sleeper, 10);
  expect(launch).toBeDefined();
  expect(Math.min(...model.tickets.keys())).toBe([...model.tickets].find(([, owner]) => owner === 3)?.[0]);
  expect(model.launches).toHaveLength(0);
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
