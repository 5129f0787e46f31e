/**
 * What happens to an agent run, in order: each attempt begins with `process.started` and ends with
 * `process.exited`; the last event of a run that was started is exactly one `process.exited` or
 * `process.timeout`, with the final cause.
 */
import type { AgentCause } from "../machine/index.ts";
import type { Resource } from "../model/index.ts";
import type { ProviderEvent } from "../providers/index.ts";

/** How an attempt ended. */
export interface ExitPayload {
  /** -1 when a signal ended it. */
  readonly exit_code: number;
  /** The signal's number; 0 when none did. */
  readonly signal: number;
  /** Whether it was SIGKILL. */
  readonly killed: boolean;
  readonly cause: AgentCause;
  /** One sentence; null when it left with 0. */
  readonly error: string | null;
}

interface Payloads {
  readonly "process.started": {
    readonly pid: number;
    readonly binary: string;
    readonly args: readonly string[];
    readonly run_id: string;
  };
  readonly "provider.event": { readonly event: ProviderEvent; readonly is_turn_complete: boolean };
  readonly "process.stdin_closed": { readonly error: string };
  readonly "process.exited": ExitPayload;
  readonly "process.timeout": {
    readonly error: string;
    readonly exit_code: number;
    readonly signal: number;
    readonly killed: boolean;
    readonly cause: AgentCause;
  };
  readonly "supervisor.restart": {
    readonly attempt: number;
    readonly prev_exit: ExitPayload;
    readonly backoff_for_ms: number;
  };
  readonly "supervisor.idle_kill": { readonly idle_for_ms: number };
  readonly "supervisor.watchdog": { readonly no_activity_for_ms: number };
  readonly "supervisor.resource_limit": { readonly resource: Resource };
}

/** One event. `at` is ISO 8601, `attempt` counts from 1. */
export type AgentEvent = {
  [K in keyof Payloads]: {
    readonly kind: K;
    readonly at: string;
    readonly attempt: number;
    readonly payload: Payloads[K];
  };
}[keyof Payloads];

/** An event before it has its time. */
export type NewEvent = {
  [K in keyof Payloads]: { readonly kind: K; readonly attempt: number; readonly payload: Payloads[K] };
}[keyof Payloads];
