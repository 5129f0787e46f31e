/** Laws of a run's life, over every order in which things can happen. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INITIAL_RUN, QUEUED_RUN, stepRun } from "../../src/machine/index.ts";
import type { Decision, RunInput, RunState } from "../../src/machine/index.ts";

const decision = (cause: Decision["cause"]): Decision => ({ cause, resource: null, message: `because ${cause}` });

const input: fc.Arbitrary<RunInput> = fc.oneof(
  fc.record({ kind: fc.constant("launched" as const), atWallMs: fc.nat() }),
  fc.record({ kind: fc.constant("failed" as const), atWallMs: fc.nat(), message: fc.constant("no shell") }),
  fc.record({
    kind: fc.constant("exited" as const),
    exit: fc.record({
      wait: fc.record({ kind: fc.constant("exited" as const), code: fc.integer({ min: 0, max: 255 }) }),
      atWallMs: fc.nat(),
    }),
    evidence: fc.option(fc.constant(decision("oom_kill"))),
  }),
  fc.record({ kind: fc.constant("drained" as const), atWallMs: fc.nat() }),
  fc.record({
    kind: fc.constant("scribe-ended" as const),
    errno: fc.constantFrom(0, 27, 28),
    signal: fc.constantFrom(0, 9),
    problem: fc.option(fc.constant(decision("log_limit"))),
    atWallMs: fc.nat(),
  }),
  fc.record({ kind: fc.constant("launcher-lost" as const), atWallMs: fc.nat() }),
  fc.record({
    kind: fc.constant("stop" as const),
    decision: fc.constantFrom(decision("stopped"), decision("timeout"), decision("owner_lost")),
    graceMs: fc.nat(5000),
    atWallMs: fc.nat(),
  }),
  fc.record({
    kind: fc.constant("swept" as const),
    result: fc.record({ signals: fc.constant(["SIGTERM" as const]), survivors: fc.nat(1) }),
    atWallMs: fc.nat(),
  }),
  fc.record({ kind: fc.constant("admitted" as const) }),
  fc.record({ kind: fc.constant("slot-lost" as const), atWallMs: fc.nat() }),
  fc.record({ kind: fc.constant("vanished" as const), atWallMs: fc.nat() }),
  fc.record({ kind: fc.constant("cancelled" as const), atWallMs: fc.nat() }),
  fc.record({ kind: fc.constant("settle-timeout" as const), atWallMs: fc.nat() }),
);

function decided(state: RunState): Decision | null {
  switch (state.phase) {
    case "starting":
    case "draining":
    case "stopping":
    case "ended":
      return state.decision;
    case "queued":
    case "running":
    case "vanishing":
      return null;
  }
}

describe("the life of a run", () => {
  test("ends at most once, and nothing follows", () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 30 }), fc.constantFrom(INITIAL_RUN, QUEUED_RUN), (history, first) => {
        let state: RunState = first;
        let ends = 0;
        for (const one of history) {
          const step = stepRun(state, one);
          if (state.phase === "ended") {
            expect(step.state).toBe(state);
            expect(step.effects).toEqual([]);
          }
          ends += step.effects.filter((e) => e.do === "announce" && e.kind === "ended").length;
          expect(ends).toBe(step.state.phase === "ended" ? 1 : 0);
          state = step.state;
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("the first cause wins", () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 30 }), (history) => {
        let state: RunState = INITIAL_RUN;
        let first: Decision | null = null;
        for (const one of history) {
          state = stepRun(state, one).state;
          first ??= decided(state);
          if (first !== null) expect(decided(state)).toBe(first);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("the exit that the kernel reported is kept as it was", () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 30 }), (history) => {
        let state: RunState = INITIAL_RUN;
        let exit: unknown = null;
        for (const one of history) {
          state = stepRun(state, one).state;
          const now =
            state.phase === "draining" || state.phase === "stopping" || state.phase === "ended" ? state.exit : null;
          if (exit !== null) expect(now).toBe(exit);
          exit ??= now;
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("limits are off in every state in which they could only do harm", () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 30 }), (history) => {
        let state: RunState = INITIAL_RUN;
        let armed = false;
        for (const one of history) {
          const step = stepRun(state, one);
          for (const effect of step.effects) {
            if (effect.do === "arm-limits") armed = true;
            if (effect.do === "disarm-limits") armed = false;
          }
          state = step.state;
          if (state.phase === "ended" || state.phase === "stopping" || state.phase === "draining")
            expect(armed).toBe(false);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("a run that was launched, told to stop, swept, and whose exit and log are known has ended", () => {
    const facts: RunInput[] = [
      {
        kind: "exited",
        exit: { wait: { kind: "signaled", signal: "SIGTERM", number: 15 }, atWallMs: 5 },
        evidence: null,
      },
      { kind: "swept", result: { signals: ["SIGTERM"], survivors: 0 }, atWallMs: 6 },
      { kind: "drained", atWallMs: 7 },
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(facts, { minLength: 3 }), (order) => {
        let state: RunState = INITIAL_RUN;
        state = stepRun(state, { kind: "launched", atWallMs: 1 }).state;
        state = stepRun(state, { kind: "stop", decision: decision("stopped"), graceMs: 5000, atWallMs: 2 }).state;
        for (const fact of order) {
          expect(state.phase).toBe("stopping");
          state = stepRun(state, fact).state;
        }
        expect(state.phase).toBe("ended");
        expect(decided(state)?.cause).toBe("stopped");
      }),
    );
  });

  test("a full log ends the run with log_limit even when the command's own end is told first", () => {
    let state = stepRun(INITIAL_RUN, { kind: "launched", atWallMs: 1 }).state;
    state = stepRun(state, {
      kind: "exited",
      exit: { wait: { kind: "signaled", signal: "SIGPIPE", number: 13 }, atWallMs: 2 },
      evidence: null,
    }).state;
    state = stepRun(state, {
      kind: "scribe-ended",
      errno: 27,
      signal: 0,
      problem: decision("log_limit"),
      atWallMs: 3,
    }).state;
    expect(state).toMatchObject({
      phase: "ended",
      decision: { cause: "log_limit" },
      exit: { wait: { signal: "SIGPIPE" } },
    });
  });

  test("a stop that comes while the command is being started is carried out once it has started", () => {
    let state = stepRun(INITIAL_RUN, { kind: "stop", decision: decision("stopped"), graceMs: 100, atWallMs: 1 }).state;
    expect(state.phase).toBe("starting");
    const step = stepRun(state, { kind: "launched", atWallMs: 2 });
    state = step.state;
    expect(state.phase).toBe("stopping");
    expect(step.effects).toContainEqual({ do: "sweep", graceMs: 100 });
  });

  test("a stop whose launcher says nothing takes the start back", () => {
    const { state } = stepRun(INITIAL_RUN, {
      kind: "stop",
      decision: decision("stopped"),
      graceMs: 100,
      atWallMs: 1,
    });
    const late = stepRun(state, { kind: "settle-timeout", atWallMs: 2 });
    expect(late.effects).toEqual([{ do: "cancel-launch" }]);
    expect(stepRun(late.state, { kind: "cancelled", atWallMs: 3 }).state).toMatchObject({
      phase: "ended",
      startedAt: null,
      exit: null,
      decision: { cause: "stopped" },
    });
  });
});

test("a run that waits for its turn starts when it comes, and never when it was stopped before", () => {
  expect(stepRun(QUEUED_RUN, { kind: "admitted" }).effects).toContainEqual({ do: "launch" });
  const stopped = stepRun(QUEUED_RUN, { kind: "stop", decision: decision("stopped"), graceMs: 0, atWallMs: 1 });
  expect(stopped.state).toMatchObject({
    phase: "ended",
    startedAt: null,
    exit: null,
    decision: { cause: "never_started" },
  });
  expect(stopped.effects.map((e) => e.do)).not.toContain("sweep");
  expect(stepRun(stopped.state, { kind: "admitted" }).effects).toEqual([]);
});

test("a slot that was lost before the start is asked for again", () => {
  const step = stepRun(INITIAL_RUN, { kind: "slot-lost", atWallMs: 1 });
  expect(step.state).toEqual(QUEUED_RUN);
  expect(step.effects).toContainEqual({ do: "enqueue" });
});
