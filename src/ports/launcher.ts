/**
 * The seam for starting a command. The launcher is a process of its own that outlives the host: what
 * it reports stands in the run's status file first and is told to whoever listens second, so an
 * adopted run tells the same story as one that was started here.
 */
import type { ProcessIdentity, TerminalSize, WaitStatus } from "../model/index.ts";
import type { TicketClaim } from "./queue.ts";

/** A limit of setrlimit(2) on the command and everything it starts. */
export interface Rlimit {
  readonly resource: "cpu" | "fsize" | "nofile" | "nproc";
  readonly soft: number;
  readonly hard: number;
}

/** Where a command's two output streams go (see `LaunchPlan.output`). */
export type LaunchOutput = "merged" | "files" | "scribed";

/** Everything a launcher needs to know; the command itself stands in a file of the run's directory. */
export interface LaunchPlan {
  readonly runId: string;
  /** The run's directory. */
  readonly dir: string;
  /** Program and arguments, passed on as they are. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly umask: number;
  /** The file that becomes standard input. */
  readonly stdin: string;
  readonly logMaxBytes: number;
  /** The size of the pseudo terminal that takes the place of the pipe; null for none. */
  readonly terminal: TerminalSize | null;
  /**
   * Where the two output streams go; absent is "merged": through one pipe into the log. "files": the command
   * itself writes the log (stdout) and stderr.log, with no process between that a hurried exit could leave
   * undrained. "scribed": as "files", but through pipes, so that RLIMIT_FSIZE does not hit the log.
   */
  readonly output?: LaunchOutput;
  readonly rlimits: readonly Rlimit[];
  /** Files of the kernel's (cgroup.procs, tasks) that a process joins by writing 0. */
  readonly cgroupFiles: readonly string[];
  /** The run's place in the queue of heavy commands, which the launcher holds before it starts anything; null: none. */
  readonly ticket: TicketClaim | null;
}

/** Where a launch failed. */
export type LaunchStage =
  | "launcher"
  | "plan"
  | "pipe"
  | "terminal"
  | "log"
  | "fork"
  | "cgroup"
  | "stdin"
  | "stdout"
  | "stderr"
  | "chdir"
  | "rlimit"
  | "exec";

/** The three processes of a run that proctor itself knows by identity. */
export interface LaunchedProcesses {
  readonly launcher: ProcessIdentity;
  readonly scribe: ProcessIdentity;
  readonly command: ProcessIdentity;
  /** Whether orphans of the command become children of the launcher (Linux). */
  readonly subreaper: boolean;
  /** The command's end of its pseudo terminal; null without one. */
  readonly terminal: string | null;
  /** The leader of the process session that the command is in: the launcher, or the command itself where it has a terminal. */
  readonly leader: ProcessIdentity;
}

/** What a launcher tells, each but `asked` at most once, in this order as far as it comes. */
export type LaunchEvent =
  | { readonly kind: "launched"; readonly processes: LaunchedProcesses; readonly atWallMs: number }
  | { readonly kind: "failed"; readonly stage: LaunchStage; readonly errno: number | string }
  /** The place in the queue was gone when the launcher came to hold it: nothing was started. */
  | { readonly kind: "slot-lost" }
  | { readonly kind: "exited"; readonly wait: WaitStatus; readonly atWallMs: number }
  /** The program has asked its terminal something, in the log from byte `from` on; not told again before it was answered. */
  | { readonly kind: "asked"; readonly from: number }
  /** Everything that was written before the command's exit is in the log. */
  | { readonly kind: "drained" }
  /** The scribe's end: 0 at the pipe's end, an errno when the log could not be written, a signal when it was killed. */
  | { readonly kind: "scribe-ended"; readonly errno: number; readonly signal: number }
  /** The launcher has no child left: with a subreaper, no process of the run lives. */
  | { readonly kind: "emptied" }
  /** The launcher was killed: nothing more will be told. */
  | { readonly kind: "launcher-lost" };

/** Stops the telling; the processes go on. */
export interface LaunchSubscription {
  release(): void;
}

/** Starts launchers, and listens to those that a former host started. */
export interface Launcher {
  /** Gets ready for the next launch, so that it is faster; a launch without it works all the same. */
  prepare(): void;
  /** Lets go of what `prepare` made. Launched commands go on. */
  close(): void;
  /** Starts the plan. `tell` is never called before `launch` returned. */
  launch(plan: LaunchPlan, tell: (event: LaunchEvent) => void): LaunchSubscription;
  /**
   * Takes up a run whose launcher was started by somebody else: tells what its status file says, then
   * follows it; what is known already is told before this returns. Gives null when no launcher has taken
   * the run up yet.
   */
  adopt(dir: string, tell: (event: LaunchEvent) => void): LaunchSubscription | null;
  /** Prevents that a launcher takes the run up from now on; false when one has. */
  cancel(dir: string): boolean;
}
