/** What stands on disk about a run. Old records load for ever: fields are added with a default, never changed. */
import type { Cause, Resource, WaitStatus } from "./outcome.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import type { Limits, StartExtras } from "./request.ts";

/** Written once, before anything is started; the goal of a run is up until its state says otherwise. */
export interface RunRecord extends StartExtras {
  readonly v: 1;
  readonly id: string;
  readonly kind: "run" | "sequence";
  /** Order of creation within the session, from 1. */
  readonly serial: number;
  readonly name: string | null;
  /** One for a run; in order for a sequence. */
  readonly commands: readonly string[];
  /** The sequence that this run is a stage of, with its place in it, from 0. */
  readonly parent: { readonly id: string; readonly index: number } | null;
  readonly cwd: string;
  /** What the command gets, less what looks like a secret. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that the command gets and that are not recorded. */
  readonly unrecorded: readonly string[];
  /** Names of variables that were withheld from the command. */
  readonly withheld: readonly string[];
  readonly umask: number;
  readonly stdin: string | null;
  readonly interactive: boolean;
  readonly limits: Limits;
  readonly createdAt: number;
  /** Which of the commands wait for a slot of the machine's queue, in order; absent in a record is none. */
  readonly heavy?: readonly boolean[];
  /** Which of them keep their slot until no process of theirs is left; absent in a record is none. */
  readonly lingers?: readonly boolean[];
  /** The process that asked for a heavy command, which may itself run under a slot; absent in a record is none. */
  readonly caller?: ProcessIdentity | null;
}

/** Rewritten whole at each step that must not be forgotten. Times are milliseconds since the epoch. */
export interface RunStateRecord {
  readonly v: 1;
  readonly id: string;
  readonly goal: "up" | "down";
  readonly phase: "queued" | "starting" | "running" | "stopping" | "ended";
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly wait: WaitStatus | null;
  /** The first cause that was decided; final once the phase is "ended". */
  readonly cause: Cause | null;
  readonly resource: Resource | null;
  readonly message: string | null;
  readonly notes: readonly string[];
  readonly logBytes: number | null;
  readonly logLines: number | null;
  /** Whether no process of the run was left any more; absent in a record is no. */
  readonly emptied?: boolean;
  /** How long the run waited in the queue, in milliseconds; absent or null when it was never in it. */
  readonly waitedMs?: number | null;
  /** A sequence's stages that were attempted. */
  readonly stages: readonly string[];
}
