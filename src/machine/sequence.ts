/**
 * A sequence as a pure function: stages strictly one after the other, each only after the last one's
 * process really ended with exit code 0; ended once, with the outcome of the last stage that was tried.
 */
import type { Decision } from "./run.ts";

/** Where a sequence stands. `stage` is the index of the stage that is being run. */
export type SequenceState =
  | { readonly phase: "between"; readonly next: number; readonly decision: Decision | null }
  | { readonly phase: "stage"; readonly stage: number; readonly decision: Decision | null }
  | {
      readonly phase: "ended";
      /** The last stage that was tried; null when none was. */
      readonly last: number | null;
      /** Set when the sequence ended for a reason of its own, not its last stage's. */
      readonly decision: Decision | null;
    };

/** What can happen to a sequence. */
export type SequenceInput =
  | { readonly kind: "begin" }
  | { readonly kind: "stage-ended"; readonly stage: number; readonly ok: boolean }
  | { readonly kind: "stop"; readonly decision: Decision };

/** What follows. */
export type SequenceEffect =
  | { readonly do: "start-stage"; readonly stage: number }
  | { readonly do: "stop-stage"; readonly stage: number; readonly decision: Decision }
  | { readonly do: "announce-end" };

/** A sequence whose record was just written. */
export const INITIAL_SEQUENCE: SequenceState = { phase: "between", next: 0, decision: null };

/** The next state of a sequence of `count` stages, and what follows from it. */
export function stepSequence(
  state: SequenceState,
  input: SequenceInput,
  count: number,
): { readonly state: SequenceState; readonly effects: readonly SequenceEffect[] } {
  switch (state.phase) {
    case "between":
      if (input.kind === "begin") {
        return {
          state: { phase: "stage", stage: state.next, decision: null },
          effects: [{ do: "start-stage", stage: state.next }],
        };
      }
      if (input.kind === "stop") {
        return {
          state: { phase: "ended", last: state.next === 0 ? null : state.next - 1, decision: input.decision },
          effects: [{ do: "announce-end" }],
        };
      }
      return { state, effects: [] };
    case "stage":
      if (input.kind === "stop") {
        return {
          state: { ...state, decision: state.decision ?? input.decision },
          effects: [{ do: "stop-stage", stage: state.stage, decision: input.decision }],
        };
      }
      if (input.kind === "stage-ended" && input.stage === state.stage) {
        const next = state.stage + 1;
        if (input.ok && state.decision === null && next < count) {
          return {
            state: { phase: "stage", stage: next, decision: null },
            effects: [{ do: "start-stage", stage: next }],
          };
        }
        // A stop that came when the last stage had just succeeded stopped nothing: the sequence completed.
        const stopped = input.ok && next < count ? state.decision : null;
        return { state: { phase: "ended", last: state.stage, decision: stopped }, effects: [{ do: "announce-end" }] };
      }
      return { state, effects: [] };
    case "ended":
      return { state, effects: [] };
  }
}
