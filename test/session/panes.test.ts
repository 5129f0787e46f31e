/** Panes of a multiplexer: they show runs and type into them, and their server's death ends what it carried. */
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import type { RunView, Session } from "proctor";
import { describe, expect, test } from "vitest";
import { eventually, killSeen, livingProcesses, processesOf, uniqueSleep } from "./processes.ts";
import type { SeenProcess } from "./processes.ts";
import { terminalSession } from "./terminal-session.ts";
import type { Backend } from "./terminal-session.ts";

/** A server's command line is that of the client which started it. */
const isServer = (p: SeenProcess): boolean => /^(\S*\/)?[rt]mux/.test(p.command);
const rawLog = (run: RunView): string => readFileSync(run.log.path, "latin1");

/** The pane of one run, from the multiplexer's side. */
class Pane {
  readonly #run: RunView;
  readonly #session: Session;
  #socket = "";

  constructor(session: Session, run: RunView) {
    this.#session = session;
    this.#run = run;
  }

  /** Waits until status says how a person gets there; gives that. */
  async isOpen(): Promise<string> {
    const invitation = await eventually("the pane", async () =>
      (await this.#session.status(this.#run.id)).notes.find((note) => note.includes(" attach -t =")),
    );
    this.#socket = / -S (\S+) attach/.exec(invitation)?.[1] ?? "";
    return invitation;
  }

  tmux(...args: string[]): string {
    return spawnSync("tmux", ["-S", this.#socket, ...args], { encoding: "utf8" }).stdout;
  }

  types(...keys: string[]): void {
    this.tmux("send-keys", "-t", `=${this.#run.id}:`, ...keys);
  }

  async shows(text: string): Promise<void> {
    await eventually(`the pane to show ${text}`, () =>
      this.tmux("capture-pane", "-p", "-t", `=${this.#run.id}:`).includes(text),
    );
  }

  server(): SeenProcess {
    const pid = Number(this.tmux("display-message", "-p", "#{pid}"));
    const server = livingProcesses().find((p) => p.pid === pid);
    if (server === undefined) throw new Error("no server");
    return server;
  }
}

describe.each<{ backend: Backend }>([{ backend: "tmux" }, { backend: "rmux" }])("a $backend pane", ({ backend }) => {
  test("shows the run, types into it, and closes with it; a pane that is closed, or a client that leaves, ends nothing", async () => {
    await using world = await terminalSession(backend);
    const { session } = world;
    const run = await session.bash("stty size; cat", { interactive: true });
    const pane = new Pane(session, run);
    expect(await pane.isOpen()).toContain(`/${backend} -S`);
    await pane.shows("32 120");
    pane.types("from the pane", "Enter");
    await eventually("the text", () => rawLog(run).includes("from the pane\r\nfrom the pane\r\n"));

    // A person's own client, in a terminal of another server's, which leaves again.
    const person = (...args: string[]): string =>
      spawnSync("tmux", ["-S", join(world.base, "person"), "-f", "/dev/null", ...args], { encoding: "utf8" }).stdout;
    person("new-session", "-d", "-s", "p", `env -u TMUX ${(await pane.isOpen()).replace(/^.*, or: /, "")}`);
    const clients = (): string => pane.tmux("list-clients", "-F", "#{client_session}");
    await eventually("the client", () => clients().includes(run.id));
    pane.tmux("detach-client", "-s", `=${run.id}`);
    await eventually("the client to be gone", () => clients().trim() === "");
    person("kill-server");
    expect(await session.status(run.id)).toMatchObject({ state: "running" });

    pane.tmux("kill-session", "-t", `=${run.id}`);
    await eventually("the pane's own program is gone", () =>
      livingProcesses().every((p) => !p.command.includes(`main.js attach ${run.id}`) || isServer(p)),
    );
    await session.input(run.id, { text: "still here", enter: true, eof: true });
    expect((await session.wait(run.id, { timeoutMs: 20_000 })).run).toMatchObject({ exitCode: 0, cause: "completed" });
    expect(rawLog(run)).toContain("still here\r\nstill here\r\n");
    await eventually("the server is gone with its last pane", () => processesOf(world.base).every((p) => !isServer(p)));
  });

  test("its server is killed: the runs that it carried are ended, accounted for, and nothing of them is left", async () => {
    await using world = await terminalSession(backend);
    const { session } = world;
    const tty = join(world.base, "tty");
    symlinkSync("/dev/tty", tty);
    const start = async (mark: string): Promise<RunView> => {
      const run = await session.bash(
        `trap '' HUP TERM; (setsid sleep ${mark} < /dev/null &); sleep ${mark} & echo up; cat ${tty}`,
        { interactive: true },
      );
      await new Pane(session, run).isOpen();
      return run;
    };
    const marks = [uniqueSleep(), uniqueSleep()];
    const runs: RunView[] = [];
    for (const mark of marks) runs.push(await start(mark));
    const plain = await session.bash(`sleep ${uniqueSleep()}`, { background: true });
    const pane = new Pane(session, runs[0] as RunView);
    await pane.isOpen();
    await pane.shows("up");
    expect(killSeen(pane.server())).toBe(true);
    for (const { id } of runs) {
      const { run } = await session.wait(id, { timeoutMs: 20_000 });
      expect(run).toMatchObject({
        state: "ended",
        cause: "stopped",
        message: `The ${backend} server that carried this run's pane was killed, so the run was stopped.`,
        signal: "SIGKILL",
        leftovers: [],
      });
    }
    await eventually("nothing of them is left", () =>
      livingProcesses().every(
        ({ command }) =>
          !marks.includes(command.replace(/^sleep /, "")) &&
          command !== `cat ${tty}` &&
          !(command.includes("main.js attach ") && command.includes(world.base)),
      ),
    );
    expect(await session.status(plain.id)).toMatchObject({ state: "running" });
    await session.stop(plain.id, { graceMs: 0 });

    const next = await session.bash("read x; exit 3", { interactive: true });
    const nextPane = new Pane(session, next);
    await nextPane.isOpen();
    nextPane.types("Enter");
    expect((await session.wait(next.id, { timeoutMs: 20_000 })).run).toMatchObject({ exitCode: 3, cause: "completed" });
  });

  test("its server is told to end, under another host than the one that opened it: the same", async () => {
    await using world = await terminalSession(backend);
    const { session } = world;
    const run = await session.bash("echo up; cat", { interactive: true });
    const pane = new Pane(session, run);
    await pane.isOpen();
    await pane.shows("up");
    const host = livingProcesses().find(
      (p) => p.command.includes("host-main.js") && !p.command.includes("guardian.sh") && p.command.includes(world.base),
    );
    expect(host !== undefined && killSeen(host)).toBe(true);
    await pane.isOpen();
    pane.tmux("kill-server");
    const { run: end } = await session.wait(run.id, { timeoutMs: 20_000 });
    expect(end).toMatchObject({ cause: "stopped", message: expect.stringContaining("server that carried") as string });
  });
});
