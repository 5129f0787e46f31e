/**
 * A terminal multiplexer with tmux's commands (tmux(1)), on a server of its own behind a private socket. It is
 * probed by what it does, not by its name: other programs are called rmux as well.
 */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { DEFAULT_TERMINAL_SIZE, errnoOf } from "../model/index.ts";

/** How long one command of the multiplexer may take, in milliseconds. */
const COMMAND_MS = 10_000;
/** How long a probe may take, in milliseconds; one that works takes 200. */
const PROBE_MS = 3000;
const LOOK_MS = 20;
/** Stays until it is typed to: tmux 3.3 can lose what a program prints that ends at once, and how it ended. */
const PROBE_SCRIPT = 'echo ready; read -r word; echo "got $word"; read -r word';

/** How soon a server is looked for again whose connection ended, in milliseconds. */
const AGAIN_MS = 100;

/** An eye on a server. */
export interface ServerWatch {
  release(): void;
}

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
    const command = [
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
    ];
    // A server that is just ending, since its last pane has closed, refuses; the next try starts another.
    await this.#run(command).catch(() => this.#run(command));
  }

  /** The names of the sessions that the server has; none when there is no server. */
  async sessions(): Promise<readonly string[]> {
    const names = await this.#run(["list-sessions", "-F", "#{session_name}"]).catch(() => "");
    return names.split("\n").filter((name) => name !== "");
  }

  /**
   * Tells once when the server has ended, within milliseconds and without looking: a connection is held that says
   * nothing, and ends with the server. While it is held the server does not end with its last pane (tmux(1),
   * exit-empty: not while it has clients), so an end is somebody's doing. A program that waits for nothing else may leave.
   */
  watch(gone: () => void): ServerWatch {
    let socket: Socket | null = null;
    let timer: NodeJS.Timeout | null = null;
    let isReleased = false;
    const again = (): void => {
      socket?.destroy();
      socket = null;
      if (!isReleased) timer = setTimeout(look, AGAIN_MS).unref();
    };
    const look = (): void => {
      const one = connect(this.#socket);
      socket = one;
      one.unref();
      let isGone = false;
      one.on("error", (error) => {
        const errno = errnoOf(error);
        isGone = errno === "ECONNREFUSED" || errno === "ENOENT";
      });
      // A server speaks only to say that it leaves, and waits for us; whatever has happened, look whether it is there.
      one.on("data", () => one.destroy());
      one.on("close", () => {
        if (isReleased) return;
        if (isGone) gone();
        else again();
      });
    };
    look();
    return {
      release() {
        isReleased = true;
        if (timer !== null) clearTimeout(timer);
        socket?.destroy();
      },
    };
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
