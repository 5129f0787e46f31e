/**
 * The status file of a launcher: one line a fact, written into room that was reserved before the
 * launch, so that recording an exit needs no free disk. What lies behind the first NUL is room.
 */
import { signalName } from "../model/index.ts";
import type { ProcessIdentity, WaitStatus } from "../model/index.ts";
import type { LaunchEvent, LaunchStage } from "../ports/index.ts";

/** The file's name until a launcher takes the plan up by renaming it. */
export const STATUS_RESERVED = "status.reserved";
/** The file's name from then on. */
export const STATUS = "status";
/** The file's name when a start was given up before a launcher took it up. */
export const STATUS_CANCELLED = "status.cancelled";
/** Room for every line that a launcher can write, several times over. */
export const STATUS_BYTES = 1024;

const STAGES: readonly string[] = [
  "pipe",
  "terminal",
  "log",
  "fork",
  "cgroup",
  "stdin",
  "stdout",
  "stderr",
  "chdir",
  "rlimit",
  "exec",
];

/** The complete lines of a status file's content. */
export function statusLines(content: string): string[] {
  const end = content.indexOf("\0");
  const lines = (end < 0 ? content : content.slice(0, end)).split("\n");
  lines.pop();
  return lines;
}

/** Turns lines into events, each once, whether they come through the socket or from the file. */
export class StatusReader {
  readonly #identify: (pid: number) => ProcessIdentity | null;
  readonly #boot: string;
  readonly #tell: (event: LaunchEvent) => void;
  readonly #seen = new Set<string>();
  #launcher: ProcessIdentity | null = null;
  #scribe: ProcessIdentity | null = null;
  #subreaper = false;
  #terminal: string | null = null;
  /** Whether the launcher said that nothing is left. */
  done = false;

  constructor(boot: string, identify: (pid: number) => ProcessIdentity | null, tell: (event: LaunchEvent) => void) {
    this.#boot = boot;
    this.#identify = identify;
    this.#tell = tell;
  }

  /** The launcher, once it said who it is. */
  get launcher(): ProcessIdentity | null {
    return this.#launcher;
  }

  /** Takes one line; a line that was taken before is ignored. */
  take(line: string): void {
    const [word = "", ...rest] = line.split(" ");
    if (this.#seen.has(word)) return;
    this.#seen.add(word);
    const [a = "", b = "", c = "", d = ""] = rest;
    switch (word) {
      case "launcher":
        this.#launcher = this.#identity(a, b);
        this.#subreaper = c === "1";
        return;
      case "scribe":
        this.#scribe = this.#identity(a, b);
        return;
      case "terminal":
        this.#terminal = a;
        return;
      case "command": {
        if (this.#launcher === null || this.#scribe === null) return;
        const command = this.#identity(a, b);
        this.#tell({
          kind: "launched",
          processes: {
            launcher: this.#launcher,
            scribe: this.#scribe,
            command,
            subreaper: this.#subreaper,
            terminal: this.#terminal,
            leader: this.#terminal === null ? this.#launcher : command,
          },
          atWallMs: Number(c),
        });
        return;
      }
      case "failed":
        this.#tell({ kind: "failed", stage: STAGES.includes(a) ? (a as LaunchStage) : "launcher", errno: Number(b) });
        return;
      case "exit": {
        const signal = Number(b);
        const wait: WaitStatus =
          signal === 0
            ? { kind: "exited", code: Number(a) }
            : { kind: "signaled", signal: signalName(signal), number: signal };
        this.#tell({ kind: "exited", wait, atWallMs: Number(d) });
        return;
      }
      case "drained":
        this.#tell({ kind: "drained" });
        return;
      case "scribe-exit":
        this.#tell({ kind: "scribe-ended", errno: Number(a), signal: Number(b) });
        return;
      case "done":
        this.done = true;
        this.#tell({ kind: "emptied" });
        return;
      default:
        return; // a newer launcher may say more
    }
  }

  #identity(pid: string, start: string): ProcessIdentity {
    // Where the launcher can't read start times (no /proc) we look ourselves; a process that has
    // gone by then gets a start that no living process has.
    if (start !== "-") return { pid: Number(pid), start, boot: this.#boot };
    return this.#identify(Number(pid)) ?? { pid: Number(pid), start: "gone", boot: this.#boot };
  }
}
