/** What a run came to: what a clean exit resolves to, and what `ExitError.report` has. */
import type { AgentCause } from "../machine/index.ts";
import type { ProcessView, SignalName } from "../model/index.ts";
import type { Usage } from "../providers/index.ts";

/** The end of an agent run. */
export interface AgentReport {
  readonly attempts: number;
  readonly durationMs: number;
  /** Of the last attempt; null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: SignalName | null;
  readonly cause: AgentCause;
  /** From the provider's own last word: an exit code alone never tells whether an agent succeeded. */
  readonly turn: "completed" | "failed" | "missing";
  /** What failed, in one sentence; null when nothing did. */
  readonly error: string | null;
  /** The agent's own session, for resuming it. */
  readonly sessionId: string | null;
  /** Tokens of all turns and attempts; null when the provider told none. */
  readonly usage: Usage | null;
  readonly costUsd: number | null;
  /** The files of the last attempt. */
  readonly log: { readonly stdout: string; readonly stderr: string };
  /** Processes that live on. Only a clean exit leaves any: after every other end they are stopped. */
  readonly leftovers: readonly ProcessView[];
  /** The ids of the attempts, as `proctor list`, `logs`, `stop` and `wait` take them. */
  readonly runIds: readonly string[];
  /** The session's directory. */
  readonly session: string;
  /** What enforced the sandbox and each limit. */
  readonly mechanisms: readonly string[];
  /** What else there is to know: a sandbox's refusal, an incomplete log. */
  readonly notes: readonly string[];
}
