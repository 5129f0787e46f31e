/**
 * Waits until a run listens on a TCP port. On Linux the kernel says which socket listens (proc(5),
 * /proc/net/tcp) and which process holds it (/proc/PID/fd), so that a stranger's server on the same port
 * is no answer. Elsewhere a connection that is accepted has to do.
 */
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { errnoOf } from "../model/index.ts";
import type { RunView, SessionApi } from "../model/index.ts";
import { processTable } from "../os/index.ts";

/** How often it is looked, in milliseconds. */
const LOOK_MS = 100;
/** The state LISTEN in /proc/net/tcp (include/net/tcp_states.h). */
const LISTEN = "0A";
/** No chain of parents is longer: the bound is for one that changes while it is walked. */
const MAX_PARENTS = 1000;

/** Waits until a process of the run listens on `port`, it no longer can, or the signal fires. */
export async function waitForPort(
  session: SessionApi,
  id: string,
  port: number,
  signal: AbortSignal,
): Promise<{ matched: boolean; over: boolean; run: RunView }> {
  for (;;) {
    const run = await session.status(id);
    if (await listens(run, port)) return { matched: true, over: false, run };
    // What lives on after its command ended may still open the port.
    if (run.state === "ended" && run.leftovers.length === 0) return { matched: false, over: true, run };
    if (signal.aborted) return { matched: false, over: false, run };
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function listens(run: RunView, port: number): Promise<boolean> {
  if (process.platform !== "linux") return (await accepts("127.0.0.1", port)) || (await accepts("::1", port));
  const sockets = listeningSockets(port);
  return sockets.size > 0 && holders(sockets).some((pid) => belongs(pid, run));
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
    socket.setTimeout(1000, () => finish(false));
  });
}

/** Reads something of /proc that may be gone or not ours to see. */
function look<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return otherwise;
  }
}

/** The inodes of the sockets that listen on a port, as /proc/PID/fd names them. */
function listeningSockets(port: number): Set<string> {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  const found = new Set<string>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of look(() => readFileSync(table, "latin1"), "")
      .split("\n")
      .slice(1)) {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state === LISTEN && local.endsWith(`:${wanted}`)) found.add(`socket:[${inode}]`);
    }
  }
  return found;
}

/** The processes that hold one of the sockets. */
function holders(sockets: ReadonlySet<string>): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => {
      const fds = look(() => readdirSync(`/proc/${pid}/fd`), []);
      return fds.some((fd) => sockets.has(look(() => readlinkSync(`/proc/${pid}/fd/${fd}`), "")));
    })
    .map(Number);
}

/** Whether a process, or one that it descends from, carries the run's mark or is its launcher. */
function belongs(pid: number, run: RunView): boolean {
  const table = processTable();
  const runs = [run, ...(run.stages ?? [])];
  let at = pid;
  for (let i = 0; at > 1 && i < MAX_PARENTS; i++) {
    if (runs.some(({ id }) => table.environmentHas(at, `PROCTOR_RUN_ID=${id}`))) return true;
    const line = table.commandLine(at) ?? "";
    if (runs.some(({ log }) => line.includes(`launcher.pl ${dirname(log.path)}`))) return true;
    const stat = look(() => readFileSync(`/proc/${at}/stat`, "latin1"), "");
    at = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
  }
  return false;
}
