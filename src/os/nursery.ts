/**
 * The process that forks launchers, from our side: started once a session, replaced when it is killed, told when a
 * launcher is needed.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { Socket, createServer } from "node:net";
import type { Server } from "node:net";
import { constants as osConstants } from "node:os";
import { fileURLToPath } from "node:url";
import type { LaunchPlan } from "../ports/index.ts";

const SCRIPT = fileURLToPath(new URL("../../libexec/launcher.pl", import.meta.url));

/** System call numbers, from the kernel's tables for each architecture (syscall(2)). */
const SYSCALLS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "linux-x64": {
    setsid: 112,
    prctl: 157,
    setrlimit: 160,
    getrlimit: 97,
    clock_gettime: 228,
    close: 3,
    mknodat: 259,
    exit_group: 231,
    execve: 59,
  },
  "linux-arm64": {
    setsid: 157,
    prctl: 167,
    setrlimit: 164,
    getrlimit: 163,
    clock_gettime: 113,
    close: 57,
    mknodat: 33,
    exit_group: 94,
    execve: 221,
  },
  "darwin-arm64": { setsid: 147 },
  "darwin-x64": { setsid: 147 },
  "linux-riscv64": {
    setsid: 157,
    prctl: 167,
    setrlimit: 164,
    getrlimit: 163,
    clock_gettime: 113,
    close: 57,
    mknodat: 33,
    exit_group: 94,
    execve: 221,
  },
};

/** How many launchers are tried that were killed before they took the plan up. */
export const ATTEMPTS = 3;

/** Scopes of the service manager's in which a nursery can be started (see systemd-scope.ts). */
export interface NurseryScope {
  readonly bases: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  wrap(command: readonly string[]): readonly string[];
  startedBy(starter: () => Promise<number | null>): void;
}

/** Where a nursery's launchers report, and the control group that it joins. */
export interface NurseryPlace {
  /** The path of the socket that launchers connect to; its directory is private. Asked again when the socket is gone. */
  readonly socketPath: () => string;
  /** The cgroup.procs of the session's control group, or null. */
  readonly cgroupFile: string | null;
  /** Where a second nursery is started, for runs whose limits need a scope of the service manager's; absent: nowhere. */
  readonly scope?: NurseryScope | null;
}

/** What launchers and scribes say apart from their own run's connection. */
export interface NurseryListener {
  /** Everything that the command itself printed is in the log. */
  drained(runId: string): void;
  /** A program asked its terminal something, in the log from this byte on. */
  asked(runId: string, from: number): void;
}

/** A launch whose launcher has not connected yet. */
export interface Waiting {
  readonly plan: LaunchPlan;
  /** The connection of a launcher without a plan. Whoever finds it ready for another gives it back by `free`. */
  readonly taken: (socket: Socket, free: () => void) => void;
  readonly failed: (error: unknown) => void;
}

/** How many launchers without a plan are kept at most, and after a rest. */
const MOST_IDLE = 64;
const FEW_IDLE = 2;
/** How long nobody must have asked for a launcher for most of them to be let go, in milliseconds. */
const REST_MS = 3000;

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
 * plan, so the first that connects gets the first that waits, and one that has carried a plan out and is as it was
 * before takes another: as many are kept as were busy at once, for a while. A nursery that was killed is replaced.
 */
export class Nursery {
  readonly #perl: string;
  readonly #place: NurseryPlace;
  readonly #isScoped: boolean;
  readonly #hear: NurseryListener;
  readonly #waiting: Waiting[] = [];
  #server: Server | null = null;
  #listening: Promise<void> | null = null;
  #path = "";
  /** Launchers in a row that did not find the socket. */
  #lost = 0;
  #child: ChildProcess | null = null;
  #control: Socket | null = null;
  #isClosed = false;
  /** Launchers without a plan, the last that was busy at the end; each leaves when its connection ends. */
  readonly #idle: Socket[] = [];
  #isSpareComing = false;
  #rest: NodeJS.Timeout | null = null;

  /** `isScoped`: it is started in the place's scope. */
  constructor(perl: string, place: NurseryPlace, hear: NurseryListener, isScoped: boolean = false) {
    this.#perl = perl;
    this.#place = place;
    this.#hear = hear;
    this.#isScoped = isScoped;
  }

  /** The process that is to fork launchers; null when there is none. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Starts the nursery, if it is not there, and has a launcher forked for the next plan. */
  async prepare(): Promise<void> {
    await this.#ready();
    if (this.#idle.length > 0 || this.#isSpareComing) return;
    this.#isSpareComing = true;
    this.#control?.write(FOR_LATER);
  }

  /** Gives a plan to the launcher that waits for one, or has one forked. */
  request(waiting: Waiting): void {
    this.#rest?.refresh();
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      this.#give(idle, waiting);
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
    if (this.#rest !== null) clearTimeout(this.#rest);
    for (const socket of this.#idle) socket.destroy();
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
    const command = [this.#perl, SCRIPT, this.#path, this.#place.cgroupFile ?? "-", numbers.join(",")] as const;
    const scope = this.#isScoped ? (this.#place.scope ?? null) : null;
    const [program = this.#perl, ...args] = scope === null ? command : scope.wrap(command);
    const child = spawn(program, args, {
      cwd: "/",
      // Neither the caller's environment (PERL5OPT) nor the markers: a launcher is no member of its run.
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", ...scope?.env },
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
        this.#hear.drained(runId);
        socket.destroy();
        return;
      }
      if (word === "asked" && runId !== undefined) {
        this.#hear.asked(runId, Number(from));
        socket.destroy();
        return;
      }
      if (word === "launcher") this.#free(socket);
      else socket.destroy();
    };
    socket.on("data", greet);
    socket.once("close", () => {
      const at = this.#idle.indexOf(socket);
      if (at >= 0) this.#idle.splice(at, 1);
    });
  }

  /** A launcher without a plan: the first that waits gets it, or it is kept. */
  #free(socket: Socket): void {
    const waiting = this.#waiting.shift();
    this.#hold();
    if (waiting !== undefined) {
      this.#give(socket, waiting);
      return;
    }
    this.#isSpareComing = false;
    if (this.#isClosed || socket.destroyed || this.#idle.length >= MOST_IDLE) {
      socket.destroy();
      return;
    }
    this.#idle.push(socket);
    socket.unref();
    this.#rest ??= setTimeout(() => {
      this.#rest = null;
      for (const one of this.#idle.splice(0, this.#idle.length - FEW_IDLE)) one.destroy();
    }, REST_MS).unref();
  }

  #give(socket: Socket, { taken }: Waiting): void {
    socket.ref();
    taken(socket, () => this.#free(socket));
  }
}
