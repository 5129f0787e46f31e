/** The state of a run as callers see it, and as it stands on disk. Pure. */
import { shellExitCode } from "../model/index.ts";
import type { RunStateRecord, RunView, ViewState } from "../model/index.ts";
import type { RunState } from "../machine/index.ts";

function viewState(state: RunState): ViewState {
  switch (state.phase) {
    case "queued":
      return "queued";
    case "starting":
      return state.decision === null ? "running" : "stopping";
    case "running":
    case "draining":
    case "vanishing":
      return "running";
    case "stopping":
      return "stopping";
    case "ended":
      return "ended";
  }
}

/** The part of a run's view that its state decides. `now` is milliseconds since the epoch. */
export function viewOf(
  state: RunState,
  now: number,
): Pick<
  RunView,
  "state" | "exitCode" | "signal" | "cause" | "resource" | "message" | "startedAt" | "endedAt" | "durationMs"
> {
  const end = state.phase === "ended" ? state : null;
  const wait = end?.exit?.wait ?? null;
  const startedAt = state.phase === "starting" || state.phase === "queued" ? null : state.startedAt;
  const endedAt = end?.endedAt ?? null;
  return {
    state: viewState(state),
    exitCode: wait === null ? null : shellExitCode(wait),
    signal: wait?.kind === "signaled" ? wait.signal : null,
    cause: end?.decision.cause ?? null,
    resource: end?.decision.resource ?? null,
    message: end?.decision.message ?? null,
    startedAt: startedAt === null ? null : new Date(startedAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    durationMs: startedAt === null ? null : Math.max(0, (endedAt ?? now) - startedAt),
  };
}

/** What is recorded besides the state. */
export interface RecordedFacts {
  readonly goal: "up" | "down";
  readonly notes: readonly string[];
  readonly log: { readonly bytes: number; readonly lines: number } | null;
  readonly emptied: boolean;
  readonly waitedMs: number | null;
}

/** The record of a state. */
export function stateRecord(id: string, state: RunState, facts: RecordedFacts): RunStateRecord {
  const decision =
    state.phase === "stopping" || state.phase === "ended" || state.phase === "starting" ? state.decision : null;
  const exit = state.phase === "stopping" || state.phase === "draining" || state.phase === "ended" ? state.exit : null;
  return {
    v: 1,
    id,
    goal: facts.goal,
    phase: state.phase === "draining" || state.phase === "vanishing" ? "running" : state.phase,
    startedAt: state.phase === "starting" || state.phase === "queued" ? null : state.startedAt,
    endedAt: state.phase === "ended" ? state.endedAt : null,
    wait: exit?.wait ?? null,
    cause: decision?.cause ?? null,
    resource: decision?.resource ?? null,
    message: decision?.message ?? null,
    notes: facts.notes,
    logBytes: facts.log?.bytes ?? null,
    logLines: facts.log?.lines ?? null,
    emptied: facts.emptied,
    waitedMs: facts.waitedMs,
    stages: [],
  };
}
