/** The guardian of a host: a process of one megabyte that takes over when the host is killed. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ProcessIdentity } from "../model/index.ts";
import type { ProcessTable } from "../ports/index.ts";

/** The guardian's script. */
export const GUARDIAN_SCRIPT: string = fileURLToPath(new URL("../../libexec/guardian.sh", import.meta.url));
/** The program that serves a session. */
export const HOST_PROGRAM: string = fileURLToPath(new URL("../../dist/session/host-main.js", import.meta.url));
/** The command line, which is what a pane shows a run with. */
export const CLI_PROGRAM: string = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** How soon a guardian that was killed is replaced, in milliseconds; the wait keeps a kill loop from becoming a fork loop. */
const REPLACE_MS = 100;

/** Keeps one guardian alive for as long as the host is. */
export class Guardian {
  readonly #dir: string;
  readonly #table: ProcessTable;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;
  #identity: ProcessIdentity | null = null;
  #dismissed = false;
  #isParent = false;

  constructor(dir: string, table: ProcessTable, env: NodeJS.ProcessEnv) {
    this.#dir = dir;
    this.#table = table;
    this.#env = env;
  }

  /** The guardian's identity, once it was started. */
  get identity(): ProcessIdentity | null {
    return this.#identity;
  }

  /** Takes the parent of this process as the guardian. */
  adoptParent(): void {
    this.#identity = this.#table.identify(process.ppid);
    this.#isParent = true;
  }

  /** Replaces a guardian that was this process's parent and is gone. */
  look(): void {
    if (!this.#isParent || this.#dismissed) return;
    if (this.#identity !== null && process.ppid === this.#identity.pid) return;
    this.#isParent = false;
    this.start();
  }

  /** Starts a guardian that watches this process. */
  start(): void {
    const child = spawn("/bin/sh", [GUARDIAN_SCRIPT, process.execPath, HOST_PROGRAM, this.#dir, "watch"], {
      cwd: "/",
      env: this.#env,
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.#child = child;
    // Nobody holds the pipe's other end but us: its end is ours.
    child.stdin?.on("error", () => undefined);
    child.on("error", () => this.#replace());
    child.on("exit", () => this.#replace());
    child.unref();
    if (child.pid !== undefined) this.#identity = this.#table.identify(child.pid);
  }

  /** Tells the guardian that the host leaves by itself. */
  dismiss(): void {
    this.#dismissed = true;
    this.#child?.stdin?.end("bye\n");
  }

  #replace(): void {
    if (this.#dismissed) return;
    this.#identity = null;
    setTimeout(() => {
      if (!this.#dismissed) this.start();
    }, REPLACE_MS).unref();
  }
}
