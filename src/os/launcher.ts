/**
 * Starts launchers and listens to them. The plan goes in and the status lines come out through one
 * socket; the status file has the same lines and is the truth when the socket ends.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { accessSync, chmodSync, constants, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { Socket, createServer } from "node:net";
import type { Server } from "node:net";
import { constants as osConstants } from "node:os";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { errnoOf, messageOf } from "../model/index.ts";
import type { LaunchEvent, Launcher, LaunchPlan, LaunchSubscription, ProcessTable, Rlimit } from "../ports/index.ts";
import { STATUS, STATUS_CANCELLED, STATUS_RESERVED, StatusReader, statusLines } from "./launch-status.ts";

const SCRIPT = fileURLToPath(new URL("../../libexec/launcher.pl", import.meta.url));

/** How often the status file of an adopted run is read, in milliseconds. */
const ADOPTED_POLL_MS = 50;

/** How many launchers are tried that were killed before they took the plan up. */
const ATTEMPTS = 3;

/** What a launcher says whose place in the queue was gone. */
const SLOT_LOST = "slot-lost";

/** System call numbers, from the kernel's tables for each architecture (syscall(2)). */
const SYSCALLS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "linux-x64": { setsid: 112, prctl: 157, setrlimit: 160, clock_gettime: 228, close: 3, mknodat: 259, exit_group: 231 },
  "linux-arm64": {
    setsid: 157,
    prctl: 167,
    setrlimit: 164,
    clock_gettime: 113,
    close: 57,
    mknodat: 33,
    exit_group: 94,
  },
  "darwin-arm64": { setsid: 147 },
  "darwin-x64": { setsid: 147 },
  "linux-riscv64": {
    setsid: 157,
    prctl: 167,
    setrlimit: 164,
    clock_gettime: 113,
    close: 57,
    mknodat: 33,
    exit_group: 94,
  },
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

/** The letters of `ulimit` and its units (sh(1)): file sizes are in blocks of 512 bytes. */
const ULIMITS: Readonly<Record<Rlimit["resource"], readonly [letter: string, unit: number]>> = {
  cpu: ["t", 1],
  fsize: ["f", 512],
  nproc: ["u", 1],
  nofile: ["n", 1],
};

/**
 * A command whose limits a shell sets, for a system whose system call numbers are not ours to know (macOS).
 * A limit that is refused is no start: the shell says why and leaves with 126.
 */
export function withUlimits(argv: readonly string[], rlimits: readonly Rlimit[]): readonly string[] {
  if (rlimits.length === 0) return argv;
  const set = rlimits.flatMap(({ resource, soft, hard }) => {
    const [letter, unit] = ULIMITS[resource];
    // The soft one first: a hard limit below the soft one is refused (setrlimit(2), EINVAL).
    return [`ulimit -S -${letter} ${Math.ceil(soft / unit)}`, `ulimit -H -${letter} ${Math.ceil(hard / unit)}`];
  });
  return ["/bin/sh", "-c", `{ ${set.join(" && ")}; } || exit 126; exec "$@"`, "sh", ...argv];
}

/** The plan as the launcher reads it: NUL-separated fields behind their length in bytes. */
function encodePlan(plan: LaunchPlan): Buffer {
  const isDarwin = process.platform === "darwin";
  const argv = isDarwin ? withUlimits(plan.argv, plan.rlimits) : plan.argv;
  const rlimits = isDarwin ? [] : plan.rlimits;
  const fields = [
    plan.dir,
    plan.cwd,
    plan.umask.toString(8),
    plan.stdin,
    String(plan.logMaxBytes),
    String(plan.terminal?.rows ?? 0),
    String(plan.terminal?.columns ?? 0),
    plan.ticket?.path ?? "",
    plan.ticket?.subject ?? "",
    plan.output ?? "merged",
    ...counted(rlimits.map((l) => `${RLIMITS[l.resource]} ${l.soft} ${l.hard}`)),
    ...counted(plan.cgroupFiles),
    ...counted(argv),
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

/** Where a nursery's launchers report, and the control group that it joins. */
export interface NurseryPlace {
  /** The path of the socket that launchers connect to; its directory is private. Asked again when the socket is gone. */
  readonly socketPath: () => string;
  /** The cgroup.procs of the session's control group, or null. */
  readonly cgroupFile: string | null;
}

/** A launch whose launcher has not connected yet. */
interface Waiting {
  readonly plan: LaunchPlan;
  readonly taken: (socket: Socket) => void;
  readonly failed: (error: unknown) => void;
}

/** What connect(2) says of a socket that nobody listens at any more. */
const SOCKET_LOST: ReadonlySet<string> = new Set(["ENOENT", "ECONNREFUSED"]);

function errnoName(number: number): string {
  return Object.entries(osConstants.errno).find(([, value]) => value === number)?.[0] ?? `errno ${number}`;
}

function errnoError(number: number): Error {
  const name = errnoName(number);
  return Object.assign(new Error(name), { code: name });
}

/** What the nursery is asked for: a launcher for a plan that waits, or one for the next plan. */
const FOR_PLAN = "f";
const FOR_LATER = "s";

/**
 * The process that forks launchers, and the socket that they connect to. Any launcher can carry out any
 * plan, so the first that connects gets the first that waits. One is kept that waits for a plan. A nursery
 * that was killed is replaced.
 */
class Nursery {
  readonly #perl: string;
  readonly #place: NurseryPlace;
  readonly #onDrained: (runId: string) => void;
  readonly #onAsked: (runId: string, from: number) => void;
  readonly #waiting: Waiting[] = [];
  #server: Server | null = null;
  #listening: Promise<void> | null = null;
  #path = "";
  /** Launchers in a row that did not find the socket. */
  #lost = 0;
  #child: ChildProcess | null = null;
  #control: Socket | null = null;
  #isClosed = false;
  /** A launcher without a plan; it leaves when its connection ends. */
  #spare: Socket | null = null;
  #isSpareComing = false;

  constructor(
    perl: string,
    place: NurseryPlace,
    onDrained: (runId: string) => void,
    onAsked: (runId: string, from: number) => void,
  ) {
    this.#perl = perl;
    this.#place = place;
    this.#onDrained = onDrained;
    this.#onAsked = onAsked;
  }

  /** Starts the nursery, if it is not there, and has a launcher forked for the next plan. */
  async prepare(): Promise<void> {
    await this.#ready();
    if (this.#spare !== null || this.#isSpareComing) return;
    this.#isSpareComing = true;
    this.#control?.write(FOR_LATER);
  }

  /** Gives a plan to the launcher that waits for one, or has one forked. */
  request(waiting: Waiting): void {
    const spare = this.#spare;
    if (spare !== null) {
      this.#spare = null;
      spare.ref();
      waiting.taken(spare);
      return;
    }
    this.#waiting.push(waiting);
    this.#ready().then(
      () => {
        this.#control?.write(FOR_PLAN);
        this.#hold();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  async #ready(): Promise<void> {
    this.#listening ??= this.#listen();
    await this.#listening;
    if (this.#control === null && !this.#isClosed) this.#start();
  }

  /** A program that waits for a launch must not run out of things to wait for; one that does not may leave. */
  #hold(): void {
    if (this.#waiting.length > 0) this.#control?.ref();
    else this.#control?.unref();
  }

  close(): void {
    this.#isClosed = true;
    this.#spare?.destroy();
    this.#control?.destroy();
    this.#server?.close();
    if (this.#path !== "") rmSync(this.#path, { force: true });
  }

  async #listen(): Promise<void> {
    const path = this.#place.socketPath();
    this.#path = path;
    rmSync(path, { force: true });
    const server = createServer((socket) => this.#accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, () => {
        server.off("error", reject);
        server.on("error", () => undefined); // one connection that failed is that launch's failure
        resolve();
      });
    });
    chmodSync(path, 0o600);
    server.unref();
    this.#server = server;
  }

  #start(): void {
    const system = SYSCALLS[`${process.platform}-${process.arch}`] ?? {};
    const numbers = Object.entries(system).map(([name, number]) => `${name}=${number}`);
    const child = spawn(this.#perl, [SCRIPT, this.#path, this.#place.cgroupFile ?? "-", numbers.join(",")], {
      cwd: "/",
      // Neither the caller's environment (PERL5OPT) nor the markers: a launcher is no member of its run.
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#child = child;
    // A pipe of Node's is a socket pair: one descriptor carries the requests out and the failures in.
    const control = child.stdout instanceof Socket ? child.stdout : null;
    this.#control = control;
    child.unref();
    control?.unref();
    control?.on("error", () => control.destroy()); // "exit" tells the rest
    let rest = "";
    control?.on("data", (data: Buffer) => {
      const lines = (rest + data.toString("latin1")).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, errno, request] = line.split(" ");
        if (SOCKET_LOST.has(errnoName(Number(errno))) && this.#lost < ATTEMPTS) {
          this.#beginAgain();
          return;
        }
        if (request === FOR_LATER) this.#isSpareComing = false;
        else this.#waiting.shift()?.failed(errnoError(Number(errno)));
      }
      this.#hold();
    });
    child.on("error", (error) => {
      this.#control = null;
      this.#fail(error);
    });
    child.on("exit", () => {
      if (this.#child !== child) return;
      this.#child = null;
      this.#control = null;
      this.#isSpareComing = false;
      // Killed from outside: what it had been asked for and not done is asked of the next.
      if (this.#isClosed || this.#waiting.length === 0) return;
      this.#start();
      (this.#control as Socket | null)?.write(FOR_PLAN.repeat(this.#waiting.length));
      this.#hold();
    });
  }

  /** The socket was tidied away: another one, and a nursery that knows it. */
  #beginAgain(): void {
    this.#lost += 1;
    this.#server?.close(); // removes whatever has its name, so before another has it
    this.#server = null;
    this.#listening = null;
    this.#child = null;
    this.#control?.destroy(); // the former nursery leaves
    this.#control = null;
    this.#isSpareComing = false;
    this.#ready().then(
      () => {
        this.#control?.write(FOR_PLAN.repeat(this.#waiting.length));
        this.#hold();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #fail(error: unknown): void {
    for (const { failed } of this.#waiting.splice(0)) failed(error);
  }

  #accept(socket: Socket): void {
    socket.on("error", () => socket.destroy());
    let text = "";
    const greet = (chunk: Buffer): void => {
      text += chunk.toString("latin1");
      const end = text.indexOf("\n");
      if (end < 0) return;
      socket.off("data", greet);
      const [word, runId, from] = text.slice(0, end).split(" ");
      this.#lost = 0;
      if (word === "drained" && runId !== undefined) {
        this.#onDrained(runId);
        socket.destroy();
        return;
      }
      if (word === "asked" && runId !== undefined) {
        this.#onAsked(runId, Number(from));
        socket.destroy();
        return;
      }
      const waiting = word === "launcher" ? this.#waiting.shift() : undefined;
      this.#hold();
      if (waiting !== undefined) waiting.taken(socket);
      else if (word === "launcher" && this.#spare === null && !this.#isClosed) this.#keep(socket);
      else socket.destroy();
    };
    socket.on("data", greet);
  }

  #keep(socket: Socket): void {
    this.#isSpareComing = false;
    this.#spare = socket;
    socket.unref();
    socket.once("close", () => {
      if (this.#spare === socket) this.#spare = null;
    });
  }
}

/** The launcher that runs on perl, which Debian's base system and macOS have. */
export function perlLauncher(table: ProcessTable, perl: string, place: NurseryPlace): Launcher {
  const drained = new Map<string, () => void>();
  const asked = new Map<string, (event: LaunchEvent) => void>();
  const nursery = new Nursery(
    perl,
    place,
    (runId) => drained.get(runId)?.(),
    (runId, from) => asked.get(runId)?.({ kind: "asked", from }),
  );
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

  const follow = (dir: string, tell: (event: LaunchEvent) => void): LaunchSubscription => {
    let isReleased = false;
    const reader = new StatusReader(
      table.boot,
      (pid) => table.identify(pid),
      (event) => {
        if (!isReleased) tell(event);
      },
    );
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
    asked.set(basename(dir), tell);
    return {
      release() {
        isReleased = true;
        asked.delete(basename(dir));
        if (timer !== null) clearTimeout(timer);
        timer = null;
      },
    };
  };
  const launch = (plan: LaunchPlan, tell: (event: LaunchEvent) => void): LaunchSubscription => {
    let released = false;
    let socket: Socket | null = null;
    let follower: LaunchSubscription | null = null;
    const say = (event: LaunchEvent): void => {
      if (!released) tell(event);
    };
    const reader = new StatusReader(table.boot, (pid) => table.identify(pid), say);
    const failed = (error: unknown): void => {
      say({ kind: "failed", stage: "launcher", errno: errnoNumber(error) });
      say({ kind: "emptied" });
    };
    let attempts = 0;
    const request = (): void => nursery.request({ plan, failed, taken });
    const taken = (connection: Socket): void => {
      attempts += 1;
      if (released) {
        connection.destroy();
        return;
      }
      socket = connection;
      drained.set(plan.runId, () => reader.take("drained"));
      if (plan.terminal !== null) asked.set(plan.runId, say);
      let rest = "";
      let isSlotLost = false;
      connection.setEncoding("latin1");
      connection.on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (line === SLOT_LOST) isSlotLost = true;
          else reader.take(line);
        }
      });
      // The launcher may be killed at any moment: its end is told here, with the file as the truth.
      connection.on("close", () => {
        drained.delete(plan.runId);
        asked.delete(plan.runId);
        if (released) return;
        if (isSlotLost) {
          say({ kind: "slot-lost" });
          return;
        }
        readStatus(plan.dir, reader);
        if (reader.done) return;
        // Another host's launcher had taken the run up: what it does is told from the file.
        if (reader.launcher === null && existsSync(join(plan.dir, STATUS))) follower = follow(plan.dir, say);
        else if (reader.launcher === null && attempts < ATTEMPTS && existsSync(join(plan.dir, STATUS_RESERVED)))
          request(); // killed while it waited for a plan: nothing has begun
        else if (reader.launcher === null)
          failed(Object.assign(new Error("the launcher ended at once"), { code: "ECHILD" }));
        else if (wasTakenUpByAnother()) follower = follow(plan.dir, say);
        else say({ kind: "launcher-lost" });
      });
      connection.write(encodePlan(plan));
    };
    /** Lines of a launcher that lives on although ours has closed its connection. */
    const wasTakenUpByAnother = (): boolean => reader.launcher !== null && table.isAlive(reader.launcher);
    request();
    return {
      release() {
        released = true;
        follower?.release();
        drained.delete(plan.runId);
        asked.delete(plan.runId);
        socket?.destroy();
      },
    };
  };

  return {
    prepare: () => void nursery.prepare().catch(() => undefined), // the first launch meets the same obstacle and reports it
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
    close: () => nursery.close(),
  };
}
