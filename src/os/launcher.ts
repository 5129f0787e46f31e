/**
 * Starts launchers and listens to them. The plan goes in and the status lines come out through one
 * socket; the status file has the same lines and is the truth when the socket ends.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, renameSync } from "node:fs";
import { Socket } from "node:net";
import { constants as osConstants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { errnoOf, messageOf } from "../model/index.ts";
import type { LaunchEvent, Launcher, LaunchPlan, LaunchSubscription, ProcessTable, Rlimit } from "../ports/index.ts";
import { STATUS, STATUS_CANCELLED, STATUS_RESERVED, StatusReader, statusLines } from "./launch-status.ts";

const SCRIPT = fileURLToPath(new URL("../../libexec/launcher.pl", import.meta.url));

/** How often the status file of an adopted run is read, in milliseconds. */
const ADOPTED_POLL_MS = 50;

/** The exit status of a launcher that found the run taken up by another (see launcher.pl). */
const TAKEN_UP_ALREADY = 72;
/** The exit status of a launcher whose place in the queue was gone (see launcher.pl). */
const SLOT_LOST = 74;

/** System call numbers, from the kernel's tables for each architecture (syscall(2)). */
const SYSCALLS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "linux-x64": { prctl: 157, setrlimit: 160, clock_gettime: 228, close: 3 },
  "linux-arm64": { prctl: 167, setrlimit: 164, clock_gettime: 113, close: 57 },
  "linux-riscv64": { prctl: 167, setrlimit: 164, clock_gettime: 113, close: 57 },
};

/** Resource numbers of setrlimit(2) on Linux. */
const RLIMITS: Readonly<Record<Rlimit["resource"], number>> = { cpu: 0, fsize: 1, nproc: 6, nofile: 7 };

/** Finds a program on PATH, or null. */
export function findProgram(name: string, path: string = process.env["PATH"] ?? ""): string | null {
  for (const dir of [...path.split(delimiter), "/usr/bin", "/bin", "/usr/local/bin"]) {
    if (!dir.startsWith("/")) continue;
    const file = join(dir, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not here: the next folder.
    }
  }
  return null;
}

function counted(items: readonly string[]): string[] {
  return [String(items.length), ...items];
}

/** The plan as the launcher reads it: NUL-separated fields behind their length in bytes. */
export function encodePlan(plan: LaunchPlan): Buffer {
  const system = SYSCALLS[`${process.platform}-${process.arch}`] ?? {};
  const fields = [
    plan.dir,
    plan.cwd,
    plan.umask.toString(8),
    plan.stdin,
    String(plan.logMaxBytes),
    plan.ticket?.path ?? "",
    plan.ticket?.subject ?? "",
    ...counted(Object.entries(system).flatMap(([name, number]) => [name, String(number)])),
    ...counted(plan.rlimits.map((l) => `${RLIMITS[l.resource]} ${l.soft} ${l.hard}`)),
    ...counted(plan.cgroupFiles),
    ...counted(plan.argv),
    ...counted(Object.entries(plan.env).map(([name, value]) => `${name}=${value}`)),
  ];
  const body = Buffer.from(fields.map((f) => `${f}\0`).join(""), "utf8");
  return Buffer.concat([Buffer.from(`${body.length}\n`), body]);
}

/** What a spawn error of Node's means as an errno; 0 when it has none. */
function errnoNumber(error: unknown): number | string {
  const name = errnoOf(error);
  if (name === null) return messageOf(error);
  return (osConstants.errno as Readonly<Record<string, number>>)[name] ?? name;
}

/** A launcher that was started and waits for its plan. */
interface WaitingLauncher {
  readonly child: ChildProcess;
  /** null when the system refused to start one: the child's "error" event says why. */
  readonly socket: Socket | null;
}

function startWaiting(perl: string, cgroupBase: string | null): WaitingLauncher {
  const child = spawn(perl, [SCRIPT, cgroupBase ?? "-"], {
    cwd: "/",
    // Neither the caller's environment (PERL5OPT) nor the markers: the launcher is no member of the run.
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    detached: true,
    // A pipe of Node's is a socket pair: one descriptor carries the plan in and the lines out.
    stdio: ["ignore", "pipe", "ignore"],
  });
  const stream = child.stdout;
  const socket = stream instanceof Socket ? stream : null;
  socket?.on("error", () => socket.destroy()); // the other end is gone: "exit" tells the rest
  return { child, socket };
}

/** The launcher that runs on perl, which Debian's base system and macOS have. */
export function perlLauncher(table: ProcessTable, perl: string, cgroupBase: string | null): Launcher {
  const readStatus = (dir: string, reader: StatusReader): void => {
    let content: string;
    try {
      content = readFileSync(join(dir, STATUS), "latin1");
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return;
      throw error;
    }
    for (const line of statusLines(content)) reader.take(line);
  };

  let spare: WaitingLauncher | null = null;
  let isClosed = false;
  const prepare = (): void => {
    if (spare !== null || isClosed) return;
    try {
      const waiting = startWaiting(perl, cgroupBase);
      // The next launch meets the same obstacle and reports it.
      waiting.child.on("error", () => (spare = null));
      if (waiting.socket === null) return;
      waiting.child.unref();
      waiting.socket.unref();
      spare = waiting;
    } catch {
      spare = null;
    }
  };
  const takeWaiting = (): WaitingLauncher => {
    const taken = spare;
    spare = null;
    if (taken === null || taken.child.exitCode !== null || taken.child.signalCode !== null) return startWaiting(perl, cgroupBase);
    taken.child.ref();
    taken.socket?.ref();
    return taken;
  };

  const follow = (dir: string, tell: (event: LaunchEvent) => void): LaunchSubscription => {
    let isReleased = false;
    const reader = new StatusReader(table.boot, (pid) => table.identify(pid), (event) => {
      if (!isReleased) tell(event);
    });
    let timer: NodeJS.Timeout | null = null;
    const look = (): void => {
      if (reader.launcher === null) readStatus(dir, reader);
      const alive = reader.launcher !== null && table.isAlive(reader.launcher);
      // Read after the look at the process: what a dying launcher wrote is there by now.
      readStatus(dir, reader);
      if (reader.done || isReleased) return;
      const isLost = reader.launcher === null ? performance.now() > giveUpAt : !alive;
      if (isLost) {
        tell({ kind: "launcher-lost" });
        return;
      }
      timer = setTimeout(look, ADOPTED_POLL_MS);
    };
    // A launcher that took the plan up and was killed before its first line leaves no name behind.
    const giveUpAt = performance.now() + 2000;
    look();
    return {
      release() {
        isReleased = true;
        if (timer !== null) clearTimeout(timer);
        timer = null;
      },
    };
  };
  const launch = (plan: LaunchPlan, tell: (event: LaunchEvent) => void): LaunchSubscription => {
    let released = false;
    const say = (event: LaunchEvent): void => {
      if (!released) tell(event);
    };
    const reader = new StatusReader(table.boot, (pid) => table.identify(pid), say);
    const failed = (error: unknown): void => {
      say({ kind: "failed", stage: "launcher", errno: errnoNumber(error) });
      say({ kind: "emptied" });
    };
    let waiting: WaitingLauncher;
    try {
      waiting = takeWaiting();
    } catch (error) {
      setImmediate(failed, error);
      return { release: () => (released = true) };
    }
    const { child, socket } = waiting;
    child.removeAllListeners();
    let failedToStart = false;
    let follower: LaunchSubscription | null = null;
    child.on("error", (error) => {
      failedToStart = true;
      failed(error);
    });
    let rest = "";
    socket?.setEncoding("latin1");
    socket?.on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) reader.take(line);
    });
    socket?.write(encodePlan(plan));
    child.on("exit", (code) => {
      if (failedToStart || released) return;
      if (code === TAKEN_UP_ALREADY) {
        socket?.destroy();
        follower = follow(plan.dir, say);
        return;
      }
      if (code === SLOT_LOST) {
        socket?.destroy();
        say({ kind: "slot-lost" });
        return;
      }
      // The launcher may be killed at any moment: its end is told here, with the file as the truth.
      readStatus(plan.dir, reader);
      if (reader.launcher === null) failed(Object.assign(new Error("the launcher ended at once"), { code: "ECHILD" }));
      else if (!reader.done) say({ kind: "launcher-lost" });
      socket?.destroy();
    });
    // The next one starts up while this one works.
    setImmediate(prepare);
    return {
      release() {
        released = true;
        follower?.release();
        child.removeAllListeners();
        child.on("error", () => undefined);
        child.unref();
        socket?.destroy();
      },
    };
  };

  return {
    prepare,
    launch,
    adopt: (dir, tell) => (existsSync(join(dir, STATUS_RESERVED)) ? null : follow(dir, tell)),
    cancel(dir) {
      try {
        renameSync(join(dir, STATUS_RESERVED), join(dir, STATUS_CANCELLED));
        return true;
      } catch (error) {
        if (errnoOf(error) === "ENOENT") return false;
        throw error;
      }
    },
    close() {
      isClosed = true;
      spare?.socket?.destroy();
      spare = null;
    },
  };
}
