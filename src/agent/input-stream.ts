/**
 * Standard input that stays open: a named pipe (fifo(7)), which the launcher opens as it opens any file. It is
 * held open for both directions until the agent has its end, so that neither side blocks; from then on only
 * our end is left, and its end is the agent's end of input.
 */
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errnoOf, messageOf } from "../model/index.ts";
import type { StdinOption } from "./config.ts";

/** What one attempt reads as standard input. */
export class InputStream {
  /** The file for the launcher; null is /dev/null. */
  readonly path: string | null;
  readonly #dir: string | null;
  readonly #isStream: boolean;
  readonly #onClosed: (error: string) => void;
  #holder: number | null = null;
  #socket: Socket | null = null;

  constructor(option: StdinOption | undefined, onClosed: (error: string) => void) {
    this.#onClosed = onClosed;
    this.#isStream = option === "stream";
    if (option === undefined || (typeof option === "object" && "file" in option)) {
      this.#dir = null;
      this.path = option === undefined ? null : option.file;
      return;
    }
    this.#dir = mkdtempSync(join(tmpdir(), "proctor-stdin-"));
    this.path = join(this.#dir, "stdin");
    if (option === "stream") {
      execFileSync("mkfifo", ["-m", "600", this.path]);
      this.#holder = openSync(this.path, constants.O_RDWR | constants.O_NONBLOCK);
    } else {
      writeFileSync(this.path, option.text, { mode: 0o600 });
    }
  }

  /** The agent has its end. */
  opened(): void {
    if (!this.#isStream || this.path === null) return;
    try {
      const fd = openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK);
      const socket = new Socket({ fd, readable: false, writable: true });
      socket.on("error", (error) => this.#lost(errnoOf(error) ?? messageOf(error)));
      this.#socket = socket;
    } catch (error) {
      this.#lost(errnoOf(error) ?? messageOf(error)); // ENXIO: it ended before we came
    } finally {
      this.#letGo();
    }
  }

  /** Writes; false when nothing is open. */
  write(text: string): boolean {
    if (this.#socket === null || !this.#socket.writable) return false;
    this.#socket.write(text);
    return true;
  }

  /** Ends the agent's input. */
  end(): void {
    this.#socket?.end();
  }

  /** The attempt is over. */
  close(): void {
    this.#letGo();
    this.#socket?.destroy();
    this.#socket = null;
    if (this.#dir !== null) rmSync(this.#dir, { recursive: true, force: true });
  }

  #lost(error: string): void {
    this.#socket?.destroy();
    this.#socket = null;
    this.#onClosed(error);
  }

  #letGo(): void {
    if (this.#holder !== null) closeSync(this.#holder);
    this.#holder = null;
  }
}
