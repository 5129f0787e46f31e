/** The processes of macOS, read through ps(1): there is no /proc, and start times have a resolution of one second. */
import { spawnSync } from "node:child_process";
import type { ProcessIdentity } from "../model/index.ts";
import type { ProcessEntry, ProcessTable } from "../ports/index.ts";
import { kill } from "./process-table-linux.ts";

function ps(args: readonly string[]): string {
  const result = spawnSync("/bin/ps", args, { encoding: "utf8", env: { LC_ALL: "C" }, maxBuffer: 64 * 1024 * 1024 });
  return result.stdout ?? "";
}

/** One line of `ps -o pid=,ppid=,pgid=,sess=,stat=,lstart=`; lstart is always five words. */
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+ +\S+ +\d+ +[\d:]+ +\d+)\s*$/;
const COLUMNS = "pid=,ppid=,pgid=,sess=,stat=,lstart=";

function parseLine(line: string, boot: string): ProcessEntry | null {
  const match = LINE.exec(line);
  if (match === null) return null;
  const [, pid, ppid, pgid, sess, stat, start] = match;
  if (stat === undefined || start === undefined || stat.startsWith("Z")) return null;
  return {
    identity: { pid: Number(pid), start: start.replace(/ +/g, " "), boot },
    ppid: Number(ppid),
    pgid: Number(pgid),
    sid: Number.parseInt(sess ?? "0", 16),
    stopped: stat.startsWith("T"),
  };
}

/** Makes the table for this machine. */
export function darwinProcessTable(): ProcessTable {
  const boot =
    spawnSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8" }).stdout?.trim() || "unknown";
  const entry = (pid: number): ProcessEntry | null =>
    parseLine(ps(["-o", COLUMNS, "-p", String(pid)]).split("\n")[0] ?? "", boot);
  const isAlive = (identity: ProcessIdentity): boolean =>
    identity.boot === boot && entry(identity.pid)?.identity.start === identity.start;
  const snapshot = (): readonly ProcessEntry[] =>
    ps(["-axo", COLUMNS])
      .split("\n")
      .map((line) => parseLine(line, boot))
      .filter((one) => one !== null);
  return {
    boot,
    entry,
    identify: (pid) => entry(pid)?.identity ?? null,
    isAlive,
    snapshot,
    children: () => null,
    environmentHas: (pid, wanted) => ps(["-Eww", "-o", "command=", "-p", String(pid)]).includes(` ${wanted}`),
    commandLine: (pid) =>
      ps(["-ww", "-o", "command=", "-p", String(pid)])
        .trim()
        .slice(0, 200) || null,
    usage(pid) {
      const match = /^\s*(\d+)\s+(?:(\d+)-)?(?:(\d+):)?(\d+):([\d.]+)/.exec(
        ps(["-o", "rss=,time=", "-p", String(pid)]),
      );
      if (match === null) return null;
      const [, rss, days = "0", hours = "0", minutes = "0", seconds = "0"] = match;
      const cpuMs = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000;
      return { rssBytes: Number(rss) * 1024, cpuMs };
    },
    signal: (identity, signal) => (isAlive(identity) ? kill(identity.pid, signal) : "gone"),
    signalGroup(leader, _session, signal) {
      if (leader.pid <= 1 || leader.boot !== boot) return "gone";
      // ps prints the session as a kernel address: only the group itself can be compared here.
      const isOurs = isAlive(leader) || snapshot().some((p) => p.pgid === leader.pid);
      return isOurs ? kill(-leader.pid, signal) : "gone";
    },
  };
}
