/** The JSON shapes that callers rely on (contract §2 and §3). Fields are added, never renamed. */
import type { SandboxPolicy } from "./sandbox.ts";
import type { Cause, Resource, SignalName } from "./outcome.ts";
import type { ScreenView } from "./terminal.ts";

/** The state of a run as a caller sees it. */
export type ViewState = "queued" | "running" | "stopping" | "ended";

/** A process that lives on. */
export interface ProcessView {
  readonly pid: number;
  readonly command: string;
}

/** A run's log: the raw bytes, complete. `lines` counts an unterminated last line too. */
export interface LogView {
  readonly path: string;
  readonly bytes: number;
  readonly lines: number;
}

/** One run or sequence (contract: RunView). */
export interface RunView {
  readonly id: string;
  readonly kind: "run" | "sequence";
  readonly name: string | null;
  readonly session: string;
  readonly command: string;
  /** A sequence's commands, in order. */
  readonly commands?: readonly string[];
  readonly cwd: string;
  readonly interactive: boolean;
  readonly state: ViewState;
  /** Shell convention (128 + n for a signal); null until ended, and when nothing was started. */
  readonly exitCode: number | null;
  readonly signal: SignalName | null;
  readonly cause: Cause | null;
  readonly resource: Resource | null;
  /** One sentence a person can act on, when the cause is not "completed". */
  readonly message: string | null;
  readonly queuePosition: number | null;
  /** How long it waited in the queue, until now while it waits; null when it was never in it. */
  readonly waitedMs: number | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly durationMs: number | null;
  readonly log: LogView;
  readonly leftovers: readonly ProcessView[];
  /** What the terminal of an interactive run shows; only where a face was asked for one run's status. */
  readonly screen?: ScreenView;
  /** A sequence's stages that were attempted, in order. */
  readonly stages?: readonly RunView[];
  /** The command's own process, once it was started; absent for a sequence. */
  readonly pid?: number | null;
  /** The file of standard error where it is apart from the log. */
  readonly errorLog?: string;
  /** The sandbox's policy, where the run has one. */
  readonly sandbox?: SandboxPolicy;
  /** What kept the run inside its limits and its sandbox, for people. */
  readonly mechanisms?: readonly string[];
  /** Facts about this run that its caller should know: an incomplete log, withheld variables, how members are found. */
  readonly notes: readonly string[];
}

/** What `run --json` and the `bash` tool answer (contract: RunResult). */
export interface RunResult extends RunView {
  /** True: the run goes on in the background and this answer came first. */
  readonly promoted: boolean;
  /** The excerpt: plain text, valid UTF-8, no control characters but \n and \t. */
  readonly output: string;
  readonly truncated: boolean;
  readonly totalLines: number;
  readonly shownLines: number;
}

/** What a stop came to. `confirmed` is true only when no process of the run is left, verified. */
export interface StopReport {
  readonly id: string;
  readonly requested: boolean;
  readonly confirmed: boolean;
  readonly alreadyEnded: boolean;
  readonly signals: readonly SignalName[];
  readonly survivors: readonly ProcessView[];
  readonly run: RunView;
}

/** What typing came to (contract: `input`). */
export interface InputAnswer {
  readonly id: string;
  /** Bytes that went to the terminal; 0 when the run has ended. */
  readonly written: number;
  readonly run: RunView;
  /** What the caller should know: that the run has ended, that its program does not read. */
  readonly notes: readonly string[];
}

/** A part of a log (contract: `logs`). Offsets are bytes; `to` is exclusive. */
export interface LogSlice {
  readonly id: string;
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  readonly lines: number;
  readonly text: string;
  readonly truncated: boolean;
}

/** One session (contract: `sessions`). */
export interface SessionView {
  readonly id: string;
  readonly dir: string;
  readonly owner: { readonly pid: number } | null;
  readonly runs: number;
  readonly startedAt: string;
}

/** What the end of a session came to. */
export interface SessionEndReport {
  readonly ended: boolean;
  readonly stopped: readonly StopReport[];
}

/** One answer of `doctor`. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}
