/** The processes of Linux, read from proc(5). Nothing is cached but the boot id. */
import { readdirSync, readFileSync } from "node:fs";
import { errnoOf } from "../model/index.ts";
import type { ProcessIdentity, SignalName } from "../model/index.ts";
import type { ProcessEntry, ProcessTable, SignalOutcome } from "../ports/index.ts";

/** sysconf(_SC_CLK_TCK) is 100 on every Linux that Node runs on. */
const TICK_MS = 10;
/** The page size of x86-64 and of most arm64 kernels; with larger pages memory is read as less than it is. */
const PAGE_BYTES = 4096;

/** Reads a file of /proc; null when the process is gone or may not be looked at. */
function readProc(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "ESRCH" || errno === "EACCES" || errno === "EPERM") return null;
    throw error;
  }
}

/** Field 22 and its neighbours of /proc/PID/stat; the name in parentheses may itself hold parentheses and spaces. */
function parseStat(pid: number, text: string, boot: string): ProcessEntry | null {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, ppid, pgid, sid] = fields;
  const start = fields[19];
  if (state === undefined || start === undefined || state === "Z" || state === "X" || state === "x") return null;
  return {
    identity: { pid, start, boot },
    ppid: Number(ppid),
    pgid: Number(pgid),
    sid: Number(sid),
    stopped: state === "T" || state === "t",
  };
}

function isPid(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 49 && first <= 57;
}

/** Sends a signal with kill(2). */
export function kill(pid: number, signal: SignalName): SignalOutcome {
  try {
    // A name that Node does not know (SIGRTMIN+3) never gets here: proctor sends named signals only.
    process.kill(pid, signal);
    return "sent";
  } catch (error) {
    if (errnoOf(error) === "ESRCH") return "gone";
    if (errnoOf(error) === "EPERM") return "denied";
    throw error;
  }
}

/** Makes the table for this machine. */
export function linuxProcessTable(): ProcessTable {
  const boot = (readProc("/proc/sys/kernel/random/boot_id") ?? "unknown").trim();
  const entry = (pid: number): ProcessEntry | null => {
    const text = readProc(`/proc/${pid}/stat`);
    return text === null ? null : parseStat(pid, text, boot);
  };
  const isAlive = (identity: ProcessIdentity): boolean =>
    identity.boot === boot && entry(identity.pid)?.identity.start === identity.start;

  const snapshot = (): readonly ProcessEntry[] => {
    const found: ProcessEntry[] = [];
    for (const name of readdirSync("/proc")) {
      if (!isPid(name)) continue;
      const one = entry(Number(name));
      if (one !== null) found.push(one);
    }
    return found;
  };

  return {
    boot,
    entry,
    identify: (pid) => entry(pid)?.identity ?? null,
    isAlive,
    snapshot,
    children(pid) {
      let tasks: string[];
      try {
        tasks = readdirSync(`/proc/${pid}/task`);
      } catch {
        return null; // gone
      }
      // A child belongs to the thread that forked it (proc(5)).
      const pids: number[] = [];
      for (const task of tasks) {
        const text = readProc(`/proc/${pid}/task/${task}/children`);
        if (text === null && tasks.length === 1) return null;
        for (const child of (text ?? "").split(" ")) if (child !== "") pids.push(Number(child));
      }
      return pids;
    },
    environmentHas(pid, wanted) {
      const text = readProc(`/proc/${pid}/environ`);
      return text !== null && (text.startsWith(`${wanted}\0`) || text.includes(`\0${wanted}\0`));
    },
    commandLine(pid) {
      const text = readProc(`/proc/${pid}/cmdline`);
      if (text === null) return null;
      const words = text.replace(/\0+$/, "").replaceAll("\0", " ");
      if (words !== "") return Buffer.from(words, "latin1").toString("utf8").slice(0, 200);
      const name = readProc(`/proc/${pid}/comm`);
      return name === null ? null : `[${name.trim()}]`;
    },
    usage(pid) {
      const text = readProc(`/proc/${pid}/stat`);
      if (text === null) return null;
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      // utime, stime, cutime, cstime (ticks of 10 ms) and rss (pages of 4 KiB): fields 14 to 17 and 24.
      const ticks = [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0);
      return { rssBytes: Number(fields[21]) * PAGE_BYTES, cpuMs: ticks * TICK_MS };
    },
    signal: (identity, signal) => (isAlive(identity) ? kill(identity.pid, signal) : "gone"),
    signalGroup(leader, session, signal) {
      if (leader.pid <= 1 || leader.boot !== boot) return "gone";
      // A group's id stays taken while a member lives, but a stranger may lead a group of that number later:
      // only a member in the launcher's own session proves that it is still the run's.
      const isOurs = isAlive(leader) || snapshot().some((p) => p.pgid === leader.pid && p.sid === session);
      return isOurs ? kill(-leader.pid, signal) : "gone";
    },
  };
}
