/**
 * The supervision of an agent run as a pure function: what is done about silence, crashes, a deadline and
 * requests to stop. Times are monotonic milliseconds.
 *
 *   running ─ exited, crashed, restarts left → backoff ─ due → running …
 *      │ ▲                                        │
 *      │ └── output, activity                     │ abort, deadline
 *      ▼ idle, watchdog, abort, deadline          ▼
 *   stopping ─ exited ──────────────────────────▶ ended
 *
 * The first cause wins. What was stopped on purpose, by anybody, is never started again. Restarts are
 * counted over the whole run, so a process that lives a little longer than the backoff can't go on for
 * ever; the backoff doubles with each restart of the last ten minutes.
 *
 * A machine that sleeps, or a supervisor that was stopped, makes a hole between two looks: the hole is no
 * silence of the agent's, and every timer is moved by it.
 */

/** What the supervisor was told to do; null is off. */
export interface SupervisorPolicy {
  readonly idleKillMs: number | null;
  readonly watchdogMs: number | null;
  /** What feeds the watchdog: output as well, or `activity` alone. */
  readonly watchdogResetBy: "any" | "activity";
  readonly restartOnCrash: number;
  readonly maxRestartBackoffMs: number;
}

/** Why a run ended, as its caller is told; "" is by itself. */
export type AgentCause =
  | "idle_timeout"
  | "watchdog_kill"
  | "restart_exhausted"
  | "oom_kill"
  | "resource_limit"
  | "timeout"
  | "aborted"
  | "";

/** Causes that the supervisor itself decides. */
export type StopCause = Extract<AgentCause, "idle_timeout" | "watchdog_kill" | "timeout" | "aborted">;

/** How an attempt ended. */
export interface AttemptEnd {
  /** It left by itself with exit code 0. */
  readonly isClean: boolean;
  /** A cause that was decided below: a limit, or a stop by somebody else. */
  readonly cause: AgentCause;
}

/** Where the run stands. */
export type SupervisorState =
  | {
      readonly phase: "running";
      readonly attempt: number;
      readonly lastOutput: number;
      readonly lastActivity: number;
      readonly lastLook: number;
      readonly restarts: readonly number[];
    }
  | {
      readonly phase: "stopping";
      readonly attempt: number;
      readonly cause: StopCause;
      readonly restarts: readonly number[];
    }
  | {
      readonly phase: "backoff";
      readonly attempt: number;
      readonly until: number;
      readonly restarts: readonly number[];
    }
  | { readonly phase: "ended"; readonly attempt: number; readonly cause: AgentCause };

/** What can happen. */
export type SupervisorInput =
  | { readonly kind: "output"; readonly at: number }
  | { readonly kind: "activity"; readonly at: number }
  | { readonly kind: "look"; readonly at: number }
  | { readonly kind: "exited"; readonly at: number; readonly end: AttemptEnd }
  | { readonly kind: "abort"; readonly at: number }
  | { readonly kind: "deadline"; readonly at: number };

/** What is to be done, in order. */
export type SupervisorEffect =
  | { readonly do: "tell-idle"; readonly idleForMs: number }
  | { readonly do: "tell-watchdog"; readonly noActivityForMs: number }
  | { readonly do: "stop"; readonly cause: StopCause }
  | { readonly do: "tell-restart"; readonly attempt: number; readonly backoffForMs: number }
  | { readonly do: "launch" }
  | { readonly do: "finish"; readonly cause: AgentCause; readonly inBackoff: boolean };

/** A new state and what follows. */
export interface SupervisorStep {
  readonly state: SupervisorState;
  readonly effects: readonly SupervisorEffect[];
}

/** The first backoff, doubled with each further restart of the window, in milliseconds. */
const FIRST_BACKOFF_MS = 1000;
/** Restarts within this time make the backoff longer, in milliseconds. */
export const RESTART_WINDOW_MS = 600_000;
/** How often a run with a limit on silence is looked at, at least, in milliseconds. */
export const LOOK_MS = 250;
/** A hole between two looks that is longer than this is the machine's sleep, not the agent's silence. */
export const SLEEP_GAP_MS = 5000;

/** An attempt that was just started. */
export function runningFrom(attempt: number, at: number, restarts: readonly number[] = []): SupervisorState {
  return { phase: "running", attempt, lastOutput: at, lastActivity: at, lastLook: at, restarts };
}

/** When to look again at the latest; null when nothing depends on time. */
export function nextLook(state: SupervisorState, policy: SupervisorPolicy): number | null {
  switch (state.phase) {
    case "running": {
      const due: number[] = [];
      if (policy.idleKillMs !== null) due.push(state.lastOutput + policy.idleKillMs);
      if (policy.watchdogMs !== null) due.push(state.lastActivity + policy.watchdogMs);
      return due.length === 0 ? null : Math.min(state.lastLook + LOOK_MS, ...due);
    }
    case "backoff":
      return state.until;
    default:
      return null;
  }
}

/** The next state, and what follows from it. */
export function stepSupervisor(
  state: SupervisorState,
  input: SupervisorInput,
  policy: SupervisorPolicy,
): SupervisorStep {
  const same: SupervisorStep = { state, effects: [] };
  switch (state.phase) {
    case "running":
      switch (input.kind) {
        case "output":
          return {
            state: {
              ...state,
              lastOutput: input.at,
              lastActivity: policy.watchdogResetBy === "any" ? input.at : state.lastActivity,
            },
            effects: [],
          };
        case "activity":
          return { state: { ...state, lastActivity: input.at }, effects: [] };
        case "look":
          return look(state, input.at, policy);
        case "exited":
          return exited(state, input.at, input.end, policy);
        case "abort":
          return stopping(state, "aborted", []);
        case "deadline":
          return stopping(state, "timeout", []);
      }
      return input satisfies never;
    case "stopping":
      if (input.kind !== "exited") return same;
      return {
        state: { phase: "ended", attempt: state.attempt, cause: state.cause },
        effects: [{ do: "finish", cause: state.cause, inBackoff: false }],
      };
    case "backoff":
      switch (input.kind) {
        case "look":
          return input.at < state.until
            ? same
            : { state: runningFrom(state.attempt + 1, input.at, state.restarts), effects: [{ do: "launch" }] };
        case "abort":
          return {
            state: { phase: "ended", attempt: state.attempt + 1, cause: "aborted" },
            effects: [{ do: "finish", cause: "aborted", inBackoff: true }],
          };
        case "deadline":
          return {
            state: { phase: "ended", attempt: state.attempt + 1, cause: "timeout" },
            effects: [{ do: "finish", cause: "timeout", inBackoff: true }],
          };
        default:
          return same;
      }
    case "ended":
      return same;
  }
}

type Running = Extract<SupervisorState, { phase: "running" }>;

function stopping(state: Running, cause: StopCause, first: readonly SupervisorEffect[]): SupervisorStep {
  return {
    state: { phase: "stopping", attempt: state.attempt, cause, restarts: state.restarts },
    effects: [...first, { do: "stop", cause }],
  };
}

function look(from: Running, at: number, policy: SupervisorPolicy): SupervisorStep {
  const gap = at - from.lastLook;
  const slept = gap > SLEEP_GAP_MS ? gap : 0;
  const state: Running = {
    ...from,
    lastLook: at,
    lastOutput: from.lastOutput + slept,
    lastActivity: from.lastActivity + slept,
  };
  const quietMs = at - state.lastActivity;
  if (policy.watchdogMs !== null && quietMs >= policy.watchdogMs) {
    return stopping(state, "watchdog_kill", [{ do: "tell-watchdog", noActivityForMs: quietMs }]);
  }
  const idleMs = at - state.lastOutput;
  if (policy.idleKillMs !== null && idleMs >= policy.idleKillMs) {
    return stopping(state, "idle_timeout", [{ do: "tell-idle", idleForMs: idleMs }]);
  }
  return { state, effects: [] };
}

function exited(state: Running, at: number, end: AttemptEnd, policy: SupervisorPolicy): SupervisorStep {
  const finish = (cause: AgentCause): SupervisorStep => ({
    state: { phase: "ended", attempt: state.attempt, cause },
    effects: [{ do: "finish", cause, inBackoff: false }],
  });
  if (end.isClean || end.cause !== "" || policy.restartOnCrash === 0) return finish(end.cause);
  if (state.restarts.length >= policy.restartOnCrash) return finish("restart_exhausted");
  const recent = state.restarts.filter((one) => at - one < RESTART_WINDOW_MS).length;
  const backoffForMs = Math.min(policy.maxRestartBackoffMs, FIRST_BACKOFF_MS * 2 ** recent);
  const restarts = [...state.restarts, at];
  return {
    state: { phase: "backoff", attempt: state.attempt, until: at + backoffForMs, restarts },
    effects: [{ do: "tell-restart", attempt: restarts.length, backoffForMs }],
  };
}
