/**
 * How a run ended: two facts that are never mixed. The *wait status* is what the kernel reported
 * for the command's own process; the *cause* is why it ended, decided once, by whoever decided first.
 */

/** Signal names as the kernel has them, `SIGKILL` and so on; real-time signals are `SIGRTMIN+n`. */
export type SignalName = `SIG${string}`;

/** What `waitpid(2)` reported for the command's own process. */
export type WaitStatus =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signaled"; readonly signal: SignalName; readonly number: number };

/** Why a run ended (contract §2). */
export type Cause =
  | "completed"
  | "timeout"
  | "stopped"
  | "idle_timeout"
  | "watchdog_kill"
  | "restart_exhausted"
  | "oom_kill"
  | "resource_limit"
  | "log_limit"
  | "spawn_failed"
  | "never_started"
  | "owner_lost"
  | "lost";

/** The resource that a limit was set on. */
export type Resource = "cpu_time" | "memory" | "open_files" | "processes" | "file_size";

/** The exit code in the shell's convention: 128 + n for death by signal n (POSIX 2.8.2). */
export function shellExitCode(status: WaitStatus): number {
  return status.kind === "exited" ? status.code : 128 + status.number;
}
