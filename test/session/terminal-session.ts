/** A session for tests of interactive runs, with the multiplexer that a test asks for. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "proctor";
import type { RunResult, ScreenView, Session } from "proctor";
import { eventually } from "./processes.ts";

export type Backend = "rmux" | "tmux" | "built-in";

/** A session, and where it lives. */
export interface TerminalSession extends AsyncDisposable {
  readonly session: Session;
  readonly base: string;
}

/** Opens a session whose host shows panes by `backend`; `rmux` is a stand-in of that name which is tmux. */
export async function terminalSession(backend: Backend): Promise<TerminalSession> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "ptt-")));
  const bin = join(base, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "rmux"), '#!/bin/sh\nif [ "$1" = -V ]; then echo "rmux 0.10.0"; exit; fi\nexec tmux "$@"\n');
  chmodSync(join(bin, "rmux"), 0o755);
  const { PATH, PROCTOR_TERMINAL } = process.env;
  process.env["PATH"] = `${bin}:${PATH ?? ""}`;
  process.env["PROCTOR_TERMINAL"] = backend;
  try {
    const session = await connect({ dir: join(base, "s") });
    return {
      session,
      base,
      async [Symbol.asyncDispose]() {
        await session.end({ graceMs: 0 });
        rmSync(base, { recursive: true, force: true });
      },
    };
  } finally {
    process.env["PATH"] = PATH;
    if (PROCTOR_TERMINAL === undefined) delete process.env["PROCTOR_TERMINAL"];
    else process.env["PROCTOR_TERMINAL"] = PROCTOR_TERMINAL;
  }
}

/** A program at a terminal, driven as an agent drives one: type, look. */
export class Driven {
  readonly #session: Session;
  readonly run: RunResult;

  private constructor(session: Session, run: RunResult) {
    this.#session = session;
    this.run = run;
  }

  static async start(session: Session, command: string, cwd: string): Promise<Driven> {
    return new Driven(
      session,
      await session.bash(command, { interactive: true, cwd, env: { HOME: cwd, LC_ALL: "C.UTF-8" } }),
    );
  }

  /** Waits until the screen holds what is looked for. */
  async shows(what: string | RegExp): Promise<ScreenView> {
    let screen: ScreenView | null = null;
    try {
      return await eventually(`the screen to show ${String(what)}`, async () => {
        screen = await this.#session.screen(this.run.id);
        return (typeof what === "string" ? screen.text.includes(what) : what.test(screen.text)) ? screen : null;
      });
    } catch (error) {
      throw new Error(`${String(error)}; it shows:\n${(screen as ScreenView | null)?.text ?? ""}`, { cause: error });
    }
  }

  async types(text: string): Promise<void> {
    await this.#session.input(this.run.id, { text });
  }

  async enters(text: string): Promise<void> {
    await this.#session.input(this.run.id, { text, enter: true });
  }

  async presses(...keys: string[]): Promise<void> {
    await this.#session.input(this.run.id, { keys });
  }

  /** Waits for the end; gives the exit code. */
  async ends(): Promise<number | null> {
    const { run } = await this.#session.wait(this.run.id, { timeoutMs: 20_000 });
    return run.exitCode;
  }
}
