/** What stands on disk about a run. Old records load for ever: fields are added with a default, never changed. */
import type { Cause, Resource, WaitStatus } from "./outcome.ts";
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
}

/** Rewritten whole at each step that must not be forgotten. Times are milliseconds since the epoch. */
export interface RunStateRecord {
  readonly v: 1;
  readonly id: string;
  readonly goal: "up" | "down";
  readonly phase: "starting" | "running" | "stopping" | "ended";
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
  /** A sequence's stages that were attempted. */
  readonly stages: readonly string[];
}
