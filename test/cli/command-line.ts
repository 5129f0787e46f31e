/** The built program as a person or an agent calls it, in a world of its own: home, temporary files, session. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import type { RunResult, RunView, StopReport } from "../../src/model/index.ts";

/** The program. */
export const PROGRAM: string = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** How a call ended. */
export interface Answer {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly bytes: Buffer;
  readonly err: string;
}

export interface CallOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly input?: string | Buffer;
}

/** A call that goes on. */
export interface Call {
  readonly child: ChildProcess;
  readonly ended: Promise<Answer>;
}

/** One test's world. */
export class World {
  readonly root: string = realpathSync(mkdtempSync(join(tmpdir(), "pct-")));
  readonly session: string = join(this.root, "s");
  readonly work: string = join(this.root, "w");
  readonly env: Readonly<Record<string, string | undefined>>;

  constructor() {
    for (const name of ["home", "tmp", "w"]) mkdirSync(join(this.root, name), { mode: 0o700 });
    const kept = Object.entries(process.env).filter(
      ([name]) => !/^(PROCTOR_|XDG_|NO_COLOR$|FORCE_COLOR$|NODE_EXTRA_CA_CERTS$|VITEST)/.test(name),
    );
    this.env = {
      ...Object.fromEntries(kept),
      HOME: join(this.root, "home"),
      TMPDIR: join(this.root, "tmp"),
      LC_ALL: "C.UTF-8",
      PROCTOR_SESSION_DIR: this.session,
    };
  }

  /** Starts the program. */
  start(args: readonly string[], options: CallOptions = {}): Call {
    return this.spawn(process.execPath, [PROGRAM, ...args], options);
  }

  /** Starts any program in this world. */
  spawn(command: string, args: readonly string[], options: CallOptions = {}): Call {
    const child = spawn(command, [...args], {
      cwd: options.cwd ?? this.work,
      env: { ...this.env, ...options.env },
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on("data", (part: Buffer) => out.push(part));
    child.stderr?.on("data", (part: Buffer) => err.push(part));
    if (options.input !== undefined) {
      child.stdin?.on("error", () => undefined); // a program may leave without reading all
      child.stdin?.end(options.input);
    }
    const ended = new Promise<Answer>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => {
        const bytes = Buffer.concat(out);
        resolve({ code, signal, out: bytes.toString("utf8"), bytes, err: Buffer.concat(err).toString("utf8") });
      });
    });
    return { child, ended };
  }

  /** Calls the program and waits for its end. */
  call(args: readonly string[], options: CallOptions = {}): Promise<Answer> {
    return this.start(args, options).ended;
  }

  /** Calls a shell in this world; `$PROCTOR` is the program. */
  shell(text: string, options: CallOptions = {}): Promise<Answer> {
    return this.spawn("bash", ["-c", text], {
      ...options,
      env: { PROCTOR: `${process.execPath} ${PROGRAM}`, ...options.env },
    }).ended;
  }

  /** Calls with --json and reads the one document. */
  async json<T>(args: readonly string[], options: CallOptions = {}): Promise<T & { readonly answer: Answer }> {
    const [command = "", ...rest] = args;
    const answer = await this.call([command, "--json", ...rest], options);
    return { ...(JSON.parse(answer.out) as T), answer };
  }

  run(args: readonly string[], options: CallOptions = {}): Promise<RunResult & { readonly answer: Answer }> {
    return this.json(["run", ...args], options);
  }

  status(id: string): Promise<RunView & { readonly answer: Answer }> {
    return this.json(["status", id]);
  }

  stop(id: string): Promise<StopReport & { readonly answer: Answer }> {
    return this.json(["stop", id]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.call(["session", "end", "--grace", "0"]);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A world that is gone after the test, with everything that ran in it. */
export function newWorld(): World {
  const world = new World();
  worlds.push(world);
  return world;
}

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world[Symbol.asyncDispose]();
});
