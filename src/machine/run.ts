/**
 * The life of one run as a pure function: `step(state, input) → { state, effects }`. No clock, no
 * process, no disk: whoever carries the effects out has recorded the state first.
 *
 *   queued ─ admitted → starting (a heavy command only; stopped there, nothing was ever started)
 *
 *   starting ─ launched → running ─ exited → draining ─ drained → ended
 *       │                    │ stop             ▲
 *       │ failed             ▼                  │ (the command's own end; what lives on are leftovers)
 *       ▼                 stopping ─ swept + exit known + log drained → ended
 *     ended               vanishing (the launcher was killed) ─ vanished → ended, lost
 *
 * The wait status is what the kernel said, the decision is why; the first decision wins.
 */
import { DEFAULT_GRACE_MS } from "../model/index.ts";
import type { Cause, Resource, SignalName, WaitStatus } from "../model/index.ts";

/** Why a run ends, with a sentence for people. */
export interface Decision {
  readonly cause: Cause;
  readonly resource: Resource | null;
  readonly message: string | null;
}

/** The end of the command's own process. */
export interface CommandExit {
  readonly wait: WaitStatus;
  readonly atWallMs: number;
}

/** How far the log has got: drained, or the scribe's own end. */
export interface LogTail {
  readonly drained: boolean;
  /** null while the scribe lives; errno 0 and signal 0 is the end of the pipe. */
  readonly scribe: { readonly errno: number; readonly signal: number } | null;
}

/** What a stop found: the signals that were needed, and how many members lived on. */
export interface SweepResult {
  readonly signals: readonly SignalName[];
  readonly survivors: number;
}

/** Where a run stands. */
export type RunState =
  /** It waits for a slot of the machine's queue. */
  | { readonly phase: "queued" }
  | { readonly phase: "starting"; readonly decision: Decision | null; readonly graceMs: number; readonly tail: LogTail }
  | { readonly phase: "running"; readonly startedAt: number; readonly tail: LogTail }
  | {
      readonly phase: "stopping";
      readonly startedAt: number | null;
      readonly decision: Decision;
      readonly exit: CommandExit | null;
      readonly swept: SweepResult | null;
      readonly tail: LogTail;
      /** The launcher can tell no exit any more. */
      readonly mute: boolean;
    }
  | {
      readonly phase: "draining";
      readonly startedAt: number;
      readonly exit: CommandExit;
      readonly decision: Decision | null;
      readonly tail: LogTail;
    }
  | { readonly phase: "vanishing"; readonly startedAt: number | null; readonly tail: LogTail }
  | {
      readonly phase: "ended";
      readonly startedAt: number | null;
      readonly endedAt: number;
      readonly exit: CommandExit | null;
      readonly decision: Decision;
      readonly tail: LogTail;
    };

/** What can happen to a run. Wall times are for people; no decision depends on them. */
export type RunInput =
  /** Its turn in the queue has come. */
  | { readonly kind: "admitted" }
  /** The queue gave the slot away before the launcher held it: nothing was started. */
  | { readonly kind: "slot-lost"; readonly atWallMs: number }
  | { readonly kind: "launched"; readonly atWallMs: number }
  | { readonly kind: "failed"; readonly atWallMs: number; readonly message: string }
  /** The start was taken back before a launcher had begun it. */
  | { readonly kind: "cancelled"; readonly atWallMs: number }
  | {
      readonly kind: "exited";
      readonly exit: CommandExit;
      /** What the kernel's counters or the signal say about a limit; decides when nobody decided before. */
      readonly evidence: Decision | null;
    }
  | { readonly kind: "drained"; readonly atWallMs: number }
  | {
      readonly kind: "scribe-ended";
      readonly errno: number;
      readonly signal: number;
      readonly problem: Decision | null;
      readonly atWallMs: number;
    }
  | { readonly kind: "launcher-lost"; readonly atWallMs: number }
  | { readonly kind: "stop"; readonly decision: Decision; readonly graceMs: number; readonly atWallMs: number }
  | { readonly kind: "swept"; readonly result: SweepResult; readonly atWallMs: number }
  | { readonly kind: "vanished"; readonly atWallMs: number }
  /** The bounded wait for the last facts of an end is over. */
  | { readonly kind: "settle-timeout"; readonly atWallMs: number };

/** What is to be done, in order, after the state is on record. */
export type RunEffect =
  | { readonly do: "launch" }
  | { readonly do: "enqueue" }
  | { readonly do: "cancel-launch" }
  | { readonly do: "sweep"; readonly graceMs: number }
  | { readonly do: "hasten"; readonly graceMs: number }
  | { readonly do: "watch-command" }
  | { readonly do: "arm-limits" }
  | { readonly do: "disarm-limits" }
  | { readonly do: "arm-settle" }
  | { readonly do: "announce"; readonly kind: "started" | "changed" | "ended" };

/** A new state and what follows from it. */
export interface RunStep {
  readonly state: RunState;
  readonly effects: readonly RunEffect[];
}

const OPEN_TAIL: LogTail = { drained: false, scribe: null };

/** A run whose record was just written. */
export const INITIAL_RUN: RunState = { phase: "starting", decision: null, graceMs: 0, tail: OPEN_TAIL };

/** A run whose record was just written and that takes a place in the queue first. */
export const QUEUED_RUN: RunState = { phase: "queued" };

const COMPLETED: Decision = { cause: "completed", resource: null, message: null };

const LOST: Decision = {
  cause: "lost",
  resource: null,
  message: "The process that waited for this command was killed from outside, so how the command ended is not known.",
};

function ended(
  from: { startedAt: number | null; tail: LogTail },
  endedAt: number,
  exit: CommandExit | null,
  decision: Decision,
): RunStep {
  return {
    state: { phase: "ended", startedAt: from.startedAt, endedAt, exit, decision, tail: from.tail },
    effects: [{ do: "disarm-limits" }, { do: "announce", kind: "ended" }],
  };
}

/** Cancelled before anything was started: that is the cause, and who cancelled is in the message. */
function neverStarted(decision: Decision): Decision {
  return {
    cause: "never_started",
    resource: null,
    message: `It was cancelled while it waited in the queue; nothing was started. ${decision.message ?? ""}`.trimEnd(),
  };
}

function isDrained(tail: LogTail): boolean {
  return tail.drained || tail.scribe !== null;
}

/** Ends a stop once the members are swept, the exit is known and the log is complete, or never will be. */
function settleStopping(state: Extract<RunState, { phase: "stopping" }>, atWallMs: number): RunStep {
  const known = state.exit !== null || state.mute;
  if (state.swept === null || !known || !(isDrained(state.tail) || state.mute)) {
    const effects: RunEffect[] = state.swept === null ? [] : [{ do: "arm-settle" }];
    return { state, effects };
  }
  return ended(state, state.exit?.atWallMs ?? atWallMs, state.exit, state.decision);
}

function settleDraining(state: Extract<RunState, { phase: "draining" }>): RunStep {
  if (!isDrained(state.tail)) return { state, effects: [{ do: "disarm-limits" }, { do: "arm-settle" }] };
  return ended(state, state.exit.atWallMs, state.exit, state.decision ?? COMPLETED);
}

function stopping(
  from: { startedAt: number | null; tail: LogTail },
  decision: Decision,
  graceMs: number,
  facts: { exit?: CommandExit; mute?: boolean } = {},
): RunStep {
  return {
    state: {
      phase: "stopping",
      startedAt: from.startedAt,
      decision,
      exit: facts.exit ?? null,
      swept: null,
      tail: from.tail,
      mute: facts.mute ?? false,
    },
    effects: [{ do: "disarm-limits" }, { do: "announce", kind: "changed" }, { do: "sweep", graceMs }],
  };
}

/** The next state, and what follows from it. An input that means nothing in a state changes nothing. */
export function stepRun(state: RunState, input: RunInput): RunStep {
  const same: RunStep = { state, effects: [] };
  switch (state.phase) {
    case "queued":
      switch (input.kind) {
        case "admitted":
          return { state: INITIAL_RUN, effects: [{ do: "announce", kind: "changed" }, { do: "launch" }] };
        case "stop":
          return ended({ startedAt: null, tail: OPEN_TAIL }, input.atWallMs, null, neverStarted(input.decision));
        case "failed":
          return ended({ startedAt: null, tail: OPEN_TAIL }, input.atWallMs, null, {
            cause: "spawn_failed",
            resource: null,
            message: input.message,
          });
        default:
          return same;
      }
    case "starting":
      switch (input.kind) {
        case "slot-lost":
          if (state.decision !== null)
            return ended({ startedAt: null, tail: state.tail }, input.atWallMs, null, state.decision);
          return { state: QUEUED_RUN, effects: [{ do: "enqueue" }, { do: "announce", kind: "changed" }] };
        case "launched": {
          const live = { startedAt: input.atWallMs, tail: state.tail };
          if (state.decision !== null) return stopping(live, state.decision, state.graceMs);
          return {
            state: { phase: "running", ...live },
            effects: [{ do: "arm-limits" }, { do: "announce", kind: "started" }],
          };
        }
        case "failed":
          return ended(
            { startedAt: null, tail: state.tail },
            input.atWallMs,
            null,
            state.decision ?? { cause: "spawn_failed", resource: null, message: input.message },
          );
        case "launcher-lost":
          // A command may have been started in the last instant: whatever carries the run's marker goes.
          return stopping({ startedAt: null, tail: state.tail }, state.decision ?? LOST, 0, { mute: true });
        case "stop":
          return state.decision !== null
            ? { state: { ...state, graceMs: Math.min(state.graceMs, input.graceMs) }, effects: [] }
            : {
                state: { ...state, decision: input.decision, graceMs: input.graceMs },
                effects: [{ do: "announce", kind: "changed" }, { do: "arm-settle" }],
              };
        case "settle-timeout":
          // Neither a start nor a failure came of it: the launcher may hang, and must not begin when it wakes up.
          return state.decision === null ? same : { state, effects: [{ do: "cancel-launch" }] };
        case "cancelled":
          return state.decision === null
            ? same
            : ended({ startedAt: null, tail: state.tail }, input.atWallMs, null, state.decision);
        case "drained":
          return { state: { ...state, tail: { ...state.tail, drained: true } }, effects: [] };
        case "scribe-ended":
          return { state: { ...state, tail: { ...state.tail, scribe: input } }, effects: [] };
        default:
          return same;
      }
    case "running":
      switch (input.kind) {
        case "failed":
          // What came before the command lasted so long that it counted as started.
          return ended({ startedAt: null, tail: state.tail }, input.atWallMs, null, {
            cause: "spawn_failed",
            resource: null,
            message: input.message,
          });
        case "exited":
          return settleDraining({
            phase: "draining",
            startedAt: state.startedAt,
            exit: input.exit,
            decision: input.evidence,
            tail: state.tail,
          });
        case "stop":
          return stopping(state, input.decision, input.graceMs);
        case "drained":
          return { state: { ...state, tail: { ...state.tail, drained: true } }, effects: [] };
        case "scribe-ended": {
          const tail: LogTail = { ...state.tail, scribe: { errno: input.errno, signal: input.signal } };
          // A log that can take no more ends the run; a scribe that was killed leaves a true prefix, and a note.
          if (input.problem !== null) return stopping({ ...state, tail }, input.problem, DEFAULT_GRACE_MS);
          return { state: { ...state, tail }, effects: [{ do: "announce", kind: "changed" }] };
        }
        case "launcher-lost":
          return {
            state: { phase: "vanishing", startedAt: state.startedAt, tail: state.tail },
            effects: [{ do: "watch-command" }],
          };
        default:
          return same;
      }
    case "stopping":
      switch (input.kind) {
        case "exited":
          return settleStopping({ ...state, exit: state.exit ?? input.exit }, input.exit.atWallMs);
        case "swept":
          return settleStopping({ ...state, swept: input.result }, input.atWallMs);
        case "drained":
          return settleStopping({ ...state, tail: { ...state.tail, drained: true } }, input.atWallMs);
        case "scribe-ended":
          return settleStopping(
            { ...state, tail: { ...state.tail, scribe: { errno: input.errno, signal: input.signal } } },
            input.atWallMs,
          );
        case "launcher-lost":
          return settleStopping({ ...state, mute: true }, input.atWallMs);
        case "failed":
          return ended(state, state.exit?.atWallMs ?? input.atWallMs, state.exit, state.decision);
        case "settle-timeout":
          return state.swept === null
            ? same
            : ended(state, state.exit?.atWallMs ?? input.atWallMs, state.exit, state.decision);
        case "stop":
          return { state, effects: [{ do: "hasten", graceMs: input.graceMs }] };
        default:
          return same;
      }
    case "draining":
      switch (input.kind) {
        case "drained":
          return settleDraining({ ...state, tail: { ...state.tail, drained: true } });
        case "scribe-ended":
          return settleDraining({
            ...state,
            decision: state.decision ?? input.problem,
            tail: { ...state.tail, scribe: { errno: input.errno, signal: input.signal } },
          });
        case "launcher-lost":
        case "settle-timeout":
          return ended(state, state.exit.atWallMs, state.exit, state.decision ?? COMPLETED);
        default:
          return same;
      }
    case "vanishing":
      switch (input.kind) {
        case "vanished":
          return ended(state, input.atWallMs, null, LOST);
        case "stop":
          return stopping(state, input.decision, input.graceMs, { mute: true });
        default:
          return same;
      }
    case "ended":
      return same;
  }
}
