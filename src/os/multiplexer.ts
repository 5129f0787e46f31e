/**
 * A terminal multiplexer with tmux's commands (tmux(1)), on a server of its own behind a private socket. It is
 * probed by what it does, not by its name: other programs are called rmux as well.
 */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { DEFAULT_TERMINAL_SIZE } from "../model/index.ts";

/** How long one command of the multiplexer may take, in milliseconds. */
const COMMAND_MS = 10_000;
/** How long the probe's command may take to end, in milliseconds. */
const PROBE_MS = 5000;
const LOOK_MS = 20;
/** An exit status that nothing gives by accident. */
const PROBE_STATUS = 7;

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

  /** Whether it can do what panes need: run a program, say how it ended, show what it printed. */
  async works(): Promise<boolean> {
    // Not in the first row: tmux scrolls it away when it says that the pane is dead.
    const probe = this.#probe();
    try {
      await probe.#run([
        "start-server",
        ";",
        "set-option",
        "-g",
        "remain-on-exit",
        "on",
        ";",
        "new-session",
        "-d",
        "-s",
        "probe",
        "/bin/sh",
        "-c",
        `printf "\\n\\nshown\\n"; exit ${PROBE_STATUS}`,
      ]);
      const until = performance.now() + PROBE_MS;
      while (performance.now() < until) {
        const state = await probe.#run(["list-panes", "-a", "-F", "#{pane_dead} #{pane_dead_status}"]);
        const shown = await probe.#run(["capture-pane", "-p", "-t", "probe"]);
        if (state.trim() === `1 ${PROBE_STATUS}` && shown.includes("shown")) return true;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
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
