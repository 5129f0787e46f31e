/**
 * Keeps a person's terminal as it was: takes its modes over for a while and gives them back, also when this
 * process is killed. What can't be done after one's own SIGKILL is done by a shell that waits for our end of a
 * pipe to close, as the host's guardian does.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { ProctorError } from "../model/index.ts";
import { UNPAINT } from "./terminal-paint.ts";

/** Saves the modes, says so, and waits: a word means that all is well, the pipe's end that we were killed. */
const SCRIPT = `trap '' HUP INT QUIT TERM TSTP TTOU
saved=$(stty -g <&3) || exit 1
echo ready
read -r word
[ "$word" = bye ] && exit 0
stty "$saved" <&3
printf '%s\\r\\n' "$1" >&3`;

/** A terminal in raw mode, until it is released. */
export class TerminalGuard {
  readonly #shell: ChildProcess;
  #isReleased = false;

  private constructor(shell: ChildProcess) {
    this.#shell = shell;
  }

  /**
   * Puts the terminal of standard input into raw mode.
   *
   * @throws ProctorError `ERR_INPUT_USAGE` when its modes can't be saved.
   */
  static async take(): Promise<TerminalGuard> {
    const shell = spawn("/bin/sh", ["-c", SCRIPT, "sh", UNPAINT], {
      stdio: ["pipe", "pipe", "ignore", process.stdin.fd],
    });
    shell.stdin?.on("error", () => undefined); // it was killed: there is nobody to tell
    const isReady = await new Promise<boolean>((resolve) => {
      shell.stdout?.once("data", () => resolve(true));
      shell.once("error", () => resolve(false));
      shell.once("exit", () => resolve(false));
    });
    if (!isReady)
      throw new ProctorError(
        "ERR_INPUT_USAGE",
        "attach: the modes of this terminal can't be saved (stty), so they could not be restored.",
      );
    shell.unref();
    process.stdin.setRawMode(true);
    return new TerminalGuard(shell);
  }

  /** Gives the terminal back as it was; once. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    process.stdin.setRawMode(false);
    this.#shell.stdin?.end("bye\n");
  }
}
