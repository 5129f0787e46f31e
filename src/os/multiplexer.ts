/**
 * A terminal multiplexer with tmux's commands (tmux(1)), on a server of its own behind a private socket. It is
 * probed by what it does, not by its name: other programs are called rmux as well.
 */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { DEFAULT_TERMINAL_SIZE } from "../model/index.ts";

/** How long one command of the multiplexer may take, in milliseconds. */
const COMMAND_MS = 10_000;
/** How long a probe may take, in milliseconds; one that works takes 200. */
const PROBE_MS = 3000;
const LOOK_MS = 20;
/** Stays until it is typed to: tmux 3.3 can lose what a program prints that ends at once, and how it ended. */
const PROBE_SCRIPT = 'echo ready; read -r word; echo "got $word"; read -r word';

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

/** One multiplexer program and the socket of its server. */
export class Multiplexer {
  readonly program: string;
  readonly #socket: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(program: string, socket: string, env: NodeJS.ProcessEnv) {
    this.program = program;
    this.#socket = socket;
    this.#env = env;
  }

  /** What a person types to see the pane of this name. */
  invitation(name: string): string {
    return `${this.program} -S ${this.#socket} attach -t =${name}`;
  }

  /** Opens a pane of the usual size that runs `argv`, in a session of this name; it closes when the program ends. */
  async open(name: string, argv: readonly string[]): Promise<void> {
    const { columns, rows } = DEFAULT_TERMINAL_SIZE;
    // Several arguments are executed as they are, one would be a shell's.
    await this.#run([
      "new-session",
      "-d",
      "-s",
      name,
      "-x",
      `${columns}`,
      "-y",
      `${rows}`,
      ...argv,
      ";",
      "set-option",
      "-t",
      `=${name}:`,
      "status",
      "off",
    ]);
  }

  /** Whether it can do what panes need: run a program, show what it prints, type into it, and end with it. */
  async works(): Promise<boolean> {
    const probe = this.#probe();
    const until = performance.now() + PROBE_MS;
    const shows = async (text: string): Promise<boolean> => {
      while (performance.now() < until) {
        if ((await probe.#run(["capture-pane", "-p", "-t", "=probe:"])).includes(text)) return true;
        await pause();
      }
      return false;
    };
    try {
      await probe.#run(["new-session", "-d", "-s", "probe", "/bin/sh", "-c", PROBE_SCRIPT]);
      if (!(await shows("ready"))) return false;
      await probe.#run(["send-keys", "-t", "=probe:", "word", "Enter"]);
      if (!(await shows("got word"))) return false;
      await probe.#run(["send-keys", "-t", "=probe:", "Enter"]);
      while (performance.now() < until) {
        // With its last program the server ends too; to ask it is an error then.
        const isOver = await probe.#run(["has-session", "-t", "=probe"]).then(
          () => false,
          () => true,
        );
        if (isOver) return true;
        await pause();
      }
      return false;
    } catch {
      return false; // whatever it says: it can't be used
    } finally {
      probe.#killServer();
    }
  }

  /** Ends the server and every pane, if there is one; that of a probe which was cut short, too. */
  kill(): void {
    this.#probe().#killServer();
    this.#killServer();
  }

  #probe(): Multiplexer {
    return new Multiplexer(this.program, `${this.#socket}-probe`, this.#env);
  }

  #killServer(): void {
    if (!existsSync(this.#socket)) return;
    spawnSync(this.program, ["-S", this.#socket, "kill-server"], {
      stdio: "ignore",
      env: this.#env,
      timeout: COMMAND_MS,
    });
    rmSync(this.#socket, { force: true });
  }

  #run(args: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile(
        this.program,
        ["-S", this.#socket, "-f", "/dev/null", ...args],
        { env: this.#env, cwd: "/", timeout: COMMAND_MS, encoding: "utf8" },
        (error, stdout) => {
          if (error === null) resolve(stdout);
          else reject(error);
        },
      );
    });
  }
}
