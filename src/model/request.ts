/** What a caller asks for when a run is started, resolved: units in names, nothing optional left open. */
import type { Cause } from "./outcome.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import type { SandboxSpec } from "./sandbox.ts";

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

/**
 * How a program likes to be asked to stop, before SIGTERM goes to every process of its run: a signal to its
 * process group, or to its first process alone, and how long it may take to act on it.
 */
export interface PoliteStop {
  readonly signal: "SIGINT" | "SIGTERM";
  readonly to: "process" | "group";
  readonly waitMs: number;
}

/** What a start may ask for beyond a shell command; absent is off. */
export interface StartExtras {
  /** Started instead of the shell: a program and its arguments, as they are. `commands` is what people see. */
  readonly argv?: readonly string[] | undefined;
  /** "split": stdout is the log itself, stderr a file beside it (stderr.log). Absent is "merged". */
  readonly output?: "merged" | "split" | undefined;
  /** The run is stopped as `owner_lost` when this process dies, whatever becomes of its session. */
  readonly owner?: ProcessIdentity | undefined;
  readonly polite?: PoliteStop | undefined;
  /**
   * The command's environment is `env` and nothing more: without the markers by which a member is found whose
   * every other tie is cut.
   */
  readonly unmarked?: boolean | undefined;
  readonly sandbox?: SandboxSpec | undefined;
}

/** A start as it travels to the session host: one or more commands, one environment, one place. */
export interface StartRequest extends StartExtras {
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

/**
 * Whether a command takes a slot of the machine's queue. One that `&` puts in the background keeps its slot
 * until no process of it is left; any other until its run has ended, whatever it leaves behind (a build
 * tool's own daemon may stay for hours).
 */
export type Heaviness = "light" | "heavy" | "heavy-in-background";

/** See `StartRequest.rules`. */
export interface HeavyRules {
  readonly heavy: readonly string[];
  readonly light: readonly string[];
}

/** How to stop: the reason is recorded, the grace period lies between SIGTERM and SIGKILL. */
export interface StopRequest {
  readonly reason: string | null;
  readonly graceMs: number;
  /** Why, when it is a supervisor that stops the run; absent is `stopped`. `reason` is the message then. */
  readonly cause?: SupervisorCause | undefined;
  /** Leave out the polite step that the run was started with. */
  readonly blunt?: boolean | undefined;
  /** Asked by whoever is told of completions: set by the host from the connection, never by the caller. */
  readonly isOwn?: boolean;
}

/** Causes that a supervisor outside the engine may decide. */
export type SupervisorCause = Extract<Cause, "timeout" | "idle_timeout" | "watchdog_kill">;

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
