/** The laws of supervision, without a process and without a clock. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  LOOK_MS,
  RESTART_WINDOW_MS,
  SLEEP_GAP_MS,
  nextLook,
  runningFrom,
  stepSupervisor,
} from "../../src/machine/index.ts";
import type { SupervisorEffect, SupervisorInput, SupervisorPolicy, SupervisorState } from "../../src/machine/index.ts";

const OFF: SupervisorPolicy = {
  idleKillMs: null,
  watchdogMs: null,
  watchdogResetBy: "any",
  restartOnCrash: 0,
  maxRestartBackoffMs: 30_000,
};
const CRASH = { isClean: false, cause: "" } as const;

/** Goes through inputs; gives the last state and every effect. */
function through(
  policy: SupervisorPolicy,
  inputs: readonly SupervisorInput[],
  from: SupervisorState = runningFrom(1, 0),
): { state: SupervisorState; effects: SupervisorEffect[] } {
  let state = from;
  const effects: SupervisorEffect[] = [];
  for (const input of inputs) {
    const step = stepSupervisor(state, input, policy);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

/** Looks every `LOOK_MS` up to a time. */
function looks(to: number, from: number = 0): SupervisorInput[] {
  const inputs: SupervisorInput[] = [];
  for (let at = from + LOOK_MS; at <= to; at += LOOK_MS) inputs.push({ kind: "look", at });
  return inputs;
}

describe("silence", () => {
  test("an idle agent is told of, then stopped", () => {
    const { effects } = through({ ...OFF, idleKillMs: 1000 }, looks(1000));
    expect(effects).toEqual([
      { do: "tell-idle", idleForMs: 1000 },
      { do: "stop", cause: "idle_timeout" },
    ]);
  });

  test("output moves it", () => {
    expect(
      through({ ...OFF, idleKillMs: 1000 }, [...looks(750), { kind: "output", at: 800 }, ...looks(1750, 750)]).effects,
    ).toEqual([]);
  });

  test("the watchdog hears output, unless only activity counts", () => {
    const inputs: SupervisorInput[] = [...looks(750), { kind: "output", at: 800 }, ...looks(1000, 750)];
    expect(through({ ...OFF, watchdogMs: 1000 }, inputs).effects).toEqual([]);
    expect(through({ ...OFF, watchdogMs: 1000, watchdogResetBy: "activity" }, inputs).effects).toEqual([
      { do: "tell-watchdog", noActivityForMs: 1000 },
      { do: "stop", cause: "watchdog_kill" },
    ]);
    expect(
      through({ ...OFF, watchdogMs: 1000, watchdogResetBy: "activity" }, [
        { kind: "activity", at: 800 },
        ...looks(1000),
      ]).effects,
    ).toEqual([]);
  });

  test("the machine's sleep is no silence of the agent's", () => {
    const policy = { ...OFF, idleKillMs: 60_000, watchdogMs: 60_000 };
    const { state, effects } = through(policy, [...looks(1000), { kind: "look", at: 3_600_000 }]);
    expect(effects).toEqual([]);
    expect(through(policy, looks(3_600_000 + 58_500, 3_600_000), state).effects).not.toContainEqual({
      do: "stop",
      cause: "watchdog_kill",
    });
    expect(through(policy, looks(3_600_000 + 61_000, 3_600_000), state).effects).toContainEqual({
      do: "stop",
      cause: "watchdog_kill",
    });
  });

  test("looks come in time, and not at all when nothing depends on time", () => {
    expect(nextLook(runningFrom(1, 0), OFF)).toBeNull();
    expect(nextLook(runningFrom(1, 0), { ...OFF, idleKillMs: 100 })).toBe(100);
    expect(nextLook(runningFrom(1, 0), { ...OFF, idleKillMs: 86_400_000 })).toBe(LOOK_MS);
    expect(LOOK_MS).toBeLessThan(SLEEP_GAP_MS);
  });
});

describe("crashes", () => {
  const policy = { ...OFF, restartOnCrash: 3, maxRestartBackoffMs: 3000 };

  test("are tried again after 1 s, 2 s, and no longer than the cap; then it is given up", () => {
    let at = 0;
    let state = runningFrom(1, 0);
    const backoffs: number[] = [];
    for (;;) {
      const crashed = stepSupervisor(state, { kind: "exited", at, end: CRASH }, policy);
      const [effect] = crashed.effects;
      if (effect?.do === "finish") {
        expect(effect.cause).toBe("restart_exhausted");
        break;
      }
      if (effect?.do !== "tell-restart" || crashed.state.phase !== "backoff") expect.fail("no restart");
      backoffs.push(effect.backoffForMs);
      at = crashed.state.until;
      expect(stepSupervisor(crashed.state, { kind: "look", at: at - 1 }, policy).effects).toEqual([]);
      const again = stepSupervisor(crashed.state, { kind: "look", at }, policy);
      expect(again.effects).toEqual([{ do: "launch" }]);
      state = again.state;
    }
    expect(backoffs).toEqual([1000, 2000, 3000]);
  });

  test("a process that lives a little longer than the backoff can't go on for ever", () => {
    let at = 0;
    let state = runningFrom(1, 0);
    let starts = 1;
    for (let i = 0; i < 100 && state.phase !== "ended"; i++) {
      at += RESTART_WINDOW_MS + 1;
      state = stepSupervisor(state, { kind: "exited", at, end: CRASH }, policy).state;
      if (state.phase !== "backoff") break;
      at = state.until;
      state = stepSupervisor(state, { kind: "look", at }, policy).state;
      starts++;
    }
    expect(starts).toBe(1 + policy.restartOnCrash);
  });

  test("a clean exit, a limit and a stop by somebody else are no crashes", () => {
    for (const end of [
      { isClean: true, cause: "" },
      { isClean: false, cause: "oom_kill" },
      { isClean: false, cause: "aborted" },
    ] as const) {
      const { effects } = through(policy, [{ kind: "exited", at: 5, end }]);
      expect(effects).toEqual([{ do: "finish", cause: end.cause, inBackoff: false }]);
    }
  });

  test("an abort ends the backoff at once", () => {
    const { effects } = through(policy, [
      { kind: "exited", at: 5, end: CRASH },
      { kind: "abort", at: 6 },
    ]);
    expect(effects.at(-1)).toEqual({ do: "finish", cause: "aborted", inBackoff: true });
  });
});

const input: fc.Arbitrary<SupervisorInput> = fc
  .integer({ min: 0, max: 100_000 })
  .chain((at) =>
    fc.constantFrom<SupervisorInput>(
      { kind: "output", at },
      { kind: "activity", at },
      { kind: "look", at },
      { kind: "exited", at, end: CRASH },
      { kind: "exited", at, end: { isClean: true, cause: "" } },
      { kind: "abort", at },
      { kind: "deadline", at },
    ),
  );

test("whatever happens: one end, one stop an attempt, no restart after a stop, and never more restarts than were asked for", () => {
  const policy: SupervisorPolicy = {
    idleKillMs: 900,
    watchdogMs: 1500,
    watchdogResetBy: "any",
    restartOnCrash: 2,
    maxRestartBackoffMs: 2000,
  };
  fc.assert(
    fc.property(fc.array(input, { maxLength: 60 }), (inputs) => {
      const ordered = inputs.toSorted((a, b) => a.at - b.at);
      const { state, effects } = through(policy, ordered);
      const kinds = effects.map((effect) => effect.do);
      expect(kinds.filter((kind) => kind === "finish").length).toBeLessThanOrEqual(1);
      expect(kinds.filter((kind) => kind === "tell-restart").length).toBeLessThanOrEqual(policy.restartOnCrash);
      const stopAt = kinds.indexOf("stop");
      if (stopAt >= 0) {
        expect(kinds.slice(stopAt)).not.toContain("launch");
        const finish = effects.find((effect) => effect.do === "finish");
        const stop = effects[stopAt];
        if (finish?.do === "finish" && stop?.do === "stop") expect(finish.cause).toBe(stop.cause);
      }
      if (state.phase === "ended") expect(kinds.at(-1)).toBe("finish");
    }),
    { numRuns: 500 },
  );
});
