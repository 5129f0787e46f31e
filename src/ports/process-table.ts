/** The seam for the system's processes. Nothing here acts on a bare pid: a pid is looked up, compared, then used. */
import type { ProcessIdentity, SignalName } from "../model/index.ts";

/** One living process (zombies and dead ones are left out). */
export interface ProcessEntry {
  readonly identity: ProcessIdentity;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  /** Stopped by a signal (state T or t). */
  readonly stopped: boolean;
}

/** What became of a signal. */
export type SignalOutcome = "sent" | "gone" | "denied";

/** The processes of this machine, as far as this user may look. */
export interface ProcessTable {
  /** This boot: part of every identity. */
  readonly boot: string;
  /** The living process with this pid, with its ties, or null. */
  entry(pid: number): ProcessEntry | null;
  /** The living process with this pid, or null. */
  identify(pid: number): ProcessIdentity | null;
  /** Whether this very process lives: not another with its pid, not a zombie. */
  isAlive(identity: ProcessIdentity): boolean;
  /** Every living process. */
  snapshot(): readonly ProcessEntry[];
  /** The pids of the children of a process and of all its threads; null when it is gone, or the system can't tell cheaply. */
  children(pid: number): readonly number[] | null;
  /** Whether the environment that the process was started with has `entry` ("NAME=value"); false when it may not be read. */
  environmentHas(pid: number, entry: string): boolean;
  /** The command line for people, cut at 200 characters; null when the process is gone. */
  commandLine(pid: number): string | null;
  /** Resident memory and CPU time, children that were waited for included; null when the process is gone. */
  usage(pid: number): { readonly rssBytes: number; readonly cpuMs: number } | null;
  /** Signals this very process. */
  signal(identity: ProcessIdentity, signal: SignalName): SignalOutcome;
  /** Signals the process group that this very process leads, or led while a member of it still lives in its session. */
  signalGroup(leader: ProcessIdentity, session: number, signal: SignalName): SignalOutcome;
}
