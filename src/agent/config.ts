/** What `run` is told, as types. Times in milliseconds, sizes in bytes. */
import type { ProviderAdapter } from "../providers/index.ts";
import type { AgentEvent } from "./events.ts";

/** What is done about silence and crashes; absent is off. */
export interface SupervisorOptions {
  /** Ends an agent that printed nothing, on stdout or stderr, for this long: SIGTERM, a grace period, SIGKILL. */
  readonly idleKillMs?: number;
  /** The grace period of the idle kill. Default 5,000. */
  readonly idleKillGraceMs?: number;
  /** How many times, over the whole run, an agent that crashed is started again. Default 0. */
  readonly restartOnCrash?: number;
  /** The longest backoff; it begins at 1,000 and doubles. Default 30,000. */
  readonly maxRestartBackoffMs?: number;
  /** SIGKILL at once to an agent that was not heard of for this long. */
  readonly watchdogMs?: number;
  /** What feeds the watchdog: output and `control.activity()`, or the latter alone. Default "any". */
  readonly watchdogResetBy?: "any" | "activity";
}

/** Limits on everything that the agent starts; absent is off. */
export interface LimitOptions {
  /** Of all processes together. */
  readonly cpuTimeMs?: number;
  /** Of all processes together, swap included. */
  readonly memoryBytes?: number;
  /** Of each process. */
  readonly openFiles?: number;
  /** Of all processes together, where a pids controller can be written. */
  readonly processes?: number;
  /** Of each file that is written; the agent's own log is not concerned. */
  readonly fileSizeBytes?: number;
}

/** Where standard input comes from; absent is /dev/null, since some agents wait for ever on an open pipe. */
export type StdinOption =
  /** Open, written with `control.write`, ended with `control.endInput`. */
  "stream" | { readonly file: string } | { readonly text: string };

/** Takes standard error as it comes, besides its file. */
export type StderrOption = NodeJS.WritableStream | ((bytes: Uint8Array) => void);

/** What an event's handler can do. */
export interface AgentControl {
  /** Feeds the watchdog. */
  readonly activity: () => void;
  /** Writes to standard input, with `stdin: "stream"`; false when it is not open. */
  readonly write: (text: string) => boolean;
  /** Ends standard input. */
  readonly endInput: () => void;
}

/** One agent run. */
export interface RunConfig {
  /** `claude`, `codex`, `gemini`, `opencode`, `pi`, `qwen`, `copilot`, `lines`, or an adapter of your own. */
  readonly provider: string | ProviderAdapter;
  /** The program, instead of the provider's own name on PATH. With `lines`, absent: the first of `args`. */
  readonly binary?: string;
  /** Refuse a program that is older than this, "2.1.0". */
  readonly minVersion?: string;
  /** A sandbox: `read-only`, `workspace-write`, each also with `+network`, or a profile file. Absent: none. */
  readonly profile?: string;
  /** Where the agent runs: an absolute path of a directory. */
  readonly workspace: string;
  readonly args: readonly string[];
  /**
   * Absent: this process's environment, and PROCTOR_RUN_ID and PROCTOR_SESSION, by which processes of the run can
   * be told. `{}`: empty. Otherwise exactly this. A sandbox adds its TMPDIR.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: StdinOption;
  readonly stderr?: StderrOption;
  /** SIGTERM → SIGKILL. Default 5,000. */
  readonly waitDelayMs?: number;
  readonly supervisor?: SupervisorOptions;
  readonly limits?: LimitOptions;
  /** Stops the run: the provider's own way first, then SIGTERM, then SIGKILL. */
  readonly signal?: AbortSignal;
  /** For the whole run, restarts and backoff included. */
  readonly deadlineMs?: number;
  /**
   * Called for one event after the other, in order; the next waits for a promise that it returns, and the
   * agent's output waits in its file. When it throws, the run is stopped as if aborted, and gets no further
   * event but its last. Waiting in it for the run itself never ends.
   */
  readonly onEvent?: (event: AgentEvent, control: AgentControl) => void | Promise<void>;
  /** The directory of the session that the run belongs to. Default: the one that the command line uses. */
  readonly session?: string;
  /** A label for lists. Default: the provider's name. */
  readonly name?: string;
  /** The cap on each of the two logs. Default 1 GiB. */
  readonly logMaxBytes?: number;
  /** Do not stop the run when this process dies. Default false. */
  readonly detached?: boolean;
}
