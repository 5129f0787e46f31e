/** What a caller asks for when a run is started, resolved: units in names, nothing optional left open. */

import type { ProcessIdentity } from "./process-identity.ts";

/** Limits on one run; null is off. All sizes in bytes, all times in milliseconds. */
export interface Limits {
  /** Over the run's whole life, promoted or not. */
  readonly timeoutMs: number | null;
  /** Without a byte of output. */
  readonly idleTimeoutMs: number | null;
  readonly memoryBytes: number | null;
  readonly cpuTimeMs: number | null;
  readonly openFiles: number | null;
  readonly processes: number | null;
  readonly fileSizeBytes: number | null;
  readonly logMaxBytes: number;
}

/** A start as it travels to the session host: one or more commands, one environment, one place. */
export interface StartRequest {
  /**
   * Chosen by the caller, so that asking again after a lost connection starts nothing twice: a start with
   * an id that is known gives the run that has it.
   */
  readonly id: string;
  readonly commands: readonly string[];
  readonly name: string | null;
  /** Absolute; checked before anything is recorded. */
  readonly cwd: string;
  /** The command's whole environment (the markers apart). */
  readonly env: Readonly<Record<string, string>>;
  /** Names in `env` whose values must not be recorded on disk. */
  readonly unrecorded: readonly string[];
  /** Names of the caller's variables that were withheld because they look like secrets. */
  readonly withheld: readonly string[];
  /** The caller's umask, which the command gets; the host's own is 077. */
  readonly umask: number;
  /** A file that the command reads as its standard input; null is /dev/null. */
  readonly stdin: string | null;
  readonly interactive: boolean;
  readonly limits: Limits;
  /** The process that asks: under a run that holds a slot of the queue, a heavy command needs no second one. */
  readonly caller?: ProcessIdentity | null | undefined;
  /** Commands that the caller's settings name as heavy, or as never heavy, by their first words. */
  readonly rules?: HeavyRules | undefined;
}

/** See `StartRequest.rules`. */
export interface HeavyRules {
  readonly heavy: readonly string[];
  readonly light: readonly string[];
}

/** How to stop: the reason is recorded, the grace period lies between SIGTERM and SIGKILL. */
export interface StopRequest {
  readonly reason: string | null;
  readonly graceMs: number;
  /** Asked by whoever is told of completions: set by the host from the connection, never by the caller. */
  readonly isOwn?: boolean;
}

/** The grace period between SIGTERM and SIGKILL where none was given. */
export const DEFAULT_GRACE_MS = 5000;
/** The cap on a log where none was given: 1 GiB. */
export const DEFAULT_LOG_MAX_BYTES: number = 1024 ** 3;
/** Foreground to background where no threshold was given. */
export const DEFAULT_PROMOTE_AFTER_MS = 60_000;
/** No limit but the log's. */
export const NO_LIMITS: Limits = {
  timeoutMs: null,
  idleTimeoutMs: null,
  memoryBytes: null,
  cpuTimeMs: null,
  openFiles: null,
  processes: null,
  fileSizeBytes: null,
  logMaxBytes: DEFAULT_LOG_MAX_BYTES,
};
