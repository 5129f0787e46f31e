/** Laws of a sequence, over every order in which things can happen. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { INITIAL_SEQUENCE, stepSequence } from "../../src/machine/index.ts";
import type { SequenceInput, SequenceState } from "../../src/machine/index.ts";

const stop: SequenceInput = {
  kind: "stop",
  decision: { cause: "stopped", resource: null, message: "no longer needed" },
};

test("stages start one after the other, each only after the last one succeeded", () => {
  const inputs = fc.array(
    fc.oneof(
      fc.constant<SequenceInput>({ kind: "begin" }),
      fc.record({ kind: fc.constant("stage-ended" as const), stage: fc.nat(5), ok: fc.boolean() }),
      fc.constant(stop),
    ),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(inputs, fc.integer({ min: 1, max: 5 }), (history, count) => {
      let state: SequenceState = INITIAL_SEQUENCE;
      const started: number[] = [];
      let ends = 0;
      let stopped = false;
      for (const input of history) {
        const before = state;
        const step = stepSequence(state, input, count);
        state = step.state;
        for (const effect of step.effects) {
          if (effect.do === "start-stage") {
            expect(effect.stage).toBe(started.length);
            expect(stopped).toBe(false);
            if (effect.stage > 0) expect(input).toEqual({ kind: "stage-ended", stage: effect.stage - 1, ok: true });
            started.push(effect.stage);
          }
          if (effect.do === "announce-end") ends++;
        }
        if (input.kind === "stop" && before.phase !== "ended") stopped = true;
        if (before.phase === "ended") expect(state).toBe(before);
      }
      expect(started.length).toBeLessThanOrEqual(count);
      expect(ends).toBe(state.phase === "ended" ? 1 : 0);
    }),
    { numRuns: 3000 },
  );
});

test("a stop that comes after the last stage succeeded changes nothing", () => {
  let state = stepSequence(INITIAL_SEQUENCE, { kind: "begin" }, 1).state;
  state = stepSequence(state, stop, 1).state;
  state = stepSequence(state, { kind: "stage-ended", stage: 0, ok: true }, 1).state;
  expect(state).toEqual({ phase: "ended", last: 0, decision: null });
});

test("a sequence that is stopped before its first stage never started", () => {
  const { state } = stepSequence(INITIAL_SEQUENCE, stop, 3);
  expect(state).toMatchObject({ phase: "ended", last: null, decision: { cause: "stopped" } });
});
