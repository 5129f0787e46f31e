/** What is said about a run: what went wrong in words that name the thing and what to do. Pure. */
import { constants as osConstants } from "node:os";
import { formatDuration, formatSize } from "../model/index.ts";
import type { RunRecord } from "../model/index.ts";
import type { Decision, RetentionLimits } from "../machine/index.ts";

/** What the command did not get. */
export function withheldNote(names: readonly string[]): string {
  return `Withheld from the command because they look like secrets: ${names.join(", ")} (pass them with --env-all or --env).`;
}

/** Why a log is gone. */
export function expiryNote(why: "age" | "size", bytes: number, limits: RetentionLimits): string {
  return why === "age"
    ? `Its log (${formatSize(bytes)}) was removed: it was kept for ${formatDuration(limits.ttlMs)} (PROCTOR_LOG_TTL_MS).`
    : `Its log (${formatSize(bytes)}) was removed: the logs of this session's ended runs had more than ${formatSize(limits.totalBytes)}.`;
}

/** What is lost with a damaged record, and what is not. */
export function damageNote(path: string, problem: string, isSalvaged: boolean): string {
  const lost = isSalvaged
    ? "its name, directory, environment and limits are not known; its log, its processes and its end are."
    : "what had been decided about it is not known; its log, its processes and its end are.";
  return `${path} is damaged (${problem}): ${lost}`;
}

/** The message of a launch that failed: the stage, what it was about, and what to do. */
export function launchFailure(stage: string, errno: number | string, record: RunRecord): string {
  const name = typeof errno === "string" ? errno : errnoName(errno);
  switch (stage) {
    case "chdir":
      return `The working directory ${record.cwd} could not be entered (${name}): it vanished, or may not be entered.`;
    case "terminal":
      return `No terminal could be opened for the interactive run (${name}): it needs /dev/ptmx and a mounted devpts (in a container: run it with a tty, or mount devpts on /dev/pts). Commands without --interactive need none.`;
    case "stdin":
      return `The file for standard input, ${record.stdin ?? "/dev/null"}, could not be opened (${name}).`;
    case "log":
      return `The log could not be opened (${name}); the disk may be full or read-only.`;
    case "exec":
      return name === "E2BIG"
        ? "The environment and arguments are larger than the system allows (E2BIG); pass less with --env."
        : record.argv === undefined
          ? `The shell could not be started (${name}).`
          : `${record.argv[0] ?? "The program"} could not be started (${name}).`;
    case "cgroup":
      return `The command could not join its control group (${name}).`;
    case "rlimit":
      return `A limit could not be set (${name}); it may be above what this user is allowed.`;
    default:
      return `The command could not be started: ${stage} failed (${name}).`;
  }
}

function errnoName(errno: number): string {
  return Object.entries(osConstants.errno).find(([, number]) => number === errno)?.[0] ?? `errno ${errno}`;
}

/** What the end of the scribe means: a note for a log that is no more than a prefix, a reason to stop the run, or nothing. */
export function scribeEnd(
  errno: number,
  signal: number,
  logBytes: number,
  logMaxBytes: number,
): { readonly note: string | null; readonly problem: Decision | null } {
  if (signal !== 0) {
    return {
      note: "The log is incomplete: the process that writes it was killed from outside. What it holds is a true prefix of the output.",
      problem: null,
    };
  }
  if (errno === 0) return { note: null, problem: null };
  const bytes = formatSize(logBytes);
  const full = (message: string): Decision => ({ cause: "log_limit", resource: null, message });
  if (errno === osConstants.errno.EFBIG) {
    return {
      note: null,
      problem: full(
        `The output reached the log's limit of ${formatSize(logMaxBytes)} and the run was stopped; the first ${bytes} are in the log. Raise it with --log-max.`,
      ),
    };
  }
  const what =
    errno === osConstants.errno.ENOSPC
      ? "there is no space left on the disk (ENOSPC)"
      : `the log could not be written (${errnoName(errno)})`;
  return {
    note: `The log is incomplete: ${what} after ${bytes}.`,
    problem: full(
      `The run was stopped because ${what}; the first ${bytes} of its output are in the log. Free some space, or use a session directory on another disk.`,
    ),
  };
}
