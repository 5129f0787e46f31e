/** A person at a terminal, scripted inside tmux: joins a run from two terminals, types, resizes, detaches, stops. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { eventually, livingProcesses } from "../session/processes.ts";
import { PROGRAM, newWorld } from "./command-line.ts";
import type { World } from "./command-line.ts";

/** Terminals of one size on a tmux server of the test's own, each with a shell. */
class Person {
  readonly #socket: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(world: World) {
    this.#socket = join(world.root, "person");
    this.#env = {
      ...world.env,
      PS1: "shell$ ",
      proctor: `${process.execPath} ${PROGRAM}`,
      TERM: "xterm-256color",
    };
    servers.push(this);
  }

  #tmux(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync("tmux", ["-S", this.#socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: this.#env,
    });
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  }

  /** Opens a terminal and waits for its shell. */
  async opens(name: string, columns = 100, rows = 30): Promise<void> {
    this.#tmux("new-session", "-d", "-s", name, "-x", `${columns}`, "-y", `${rows}`, "bash", "--norc", "--noprofile");
    this.#tmux("set-option", "-t", `=${name}:`, "status", "off");
    await this.sees(name, /^shell\$/);
  }

  types(name: string, text: string, ...keys: string[]): void {
    if (text !== "") this.#tmux("send-keys", "-t", `=${name}:`, "-l", "--", text);
    if (keys.length > 0) this.#tmux("send-keys", "-t", `=${name}:`, ...keys);
  }

  resizes(name: string, columns: number, rows: number): void {
    this.#tmux("resize-window", "-t", `=${name}:`, "-x", `${columns}`, "-y", `${rows}`);
  }

  screen(name: string): string {
    return this.#tmux("capture-pane", "-p", "-t", `=${name}:`).trimEnd();
  }

  async sees(name: string, what: RegExp): Promise<string> {
    try {
      return await eventually(`terminal ${name} to show ${what}`, () => {
        const screen = this.screen(name);
        return what.test(screen) ? screen : null;
      });
    } catch (error) {
      throw new Error(`${String(error)}; it shows:\n${this.screen(name)}`, { cause: error });
    }
  }

  leaves(): void {
    spawnSync("tmux", ["-S", this.#socket, "kill-server"], { env: this.#env });
  }
}

const servers: Person[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.leaves();
});

it("without a terminal device an interactive run is refused by name of what is missing, and other runs go on", async () => {
  const world = newWorld();
  const inside = ["--dev-bind", "/", "/", "--bind", "/dev/null", "/dev/ptmx", process.execPath, PROGRAM];
  const refused = await world.spawn("bwrap", [...inside, "run", "-i", "--json", "true"]).ended;
  expect(JSON.parse(refused.out)).toMatchObject({
    state: "ended",
    cause: "spawn_failed",
    exitCode: null,
    message: expect.stringMatching(/No terminal could be opened.*\/dev\/ptmx.*devpts/) as string,
  });
  expect(refused.code).toBe(125);
  const plain = await world.spawn("bwrap", [...inside, "run", "--json", "echo fine"]).ended;
  expect(JSON.parse(plain.out)).toMatchObject({ exitCode: 0, output: "fine" });
});

describe("proctor attach", () => {
  it("a person's path, all of it typed at terminals: start, attach from two, type, detach, stop", async () => {
    const world = newWorld();
    const person = new Person(world);
    await person.opens("one");
    await person.opens("two");
    person.types("one", `$proctor run -i "PS1='run$ ' bash --norc"`, "Enter");
    const [, id = ""] = /id (\w+)/.exec(await person.sees("one", /id \w+\n[\s\S]*shell\$$/)) ?? [];
    for (const name of ["one", "two"]) {
      person.types(name, `clear; $proctor attach ${id}`, "Enter");
      await person.sees(name, /run\$$/);
    }
    person.types("one", "echo $((40 + 2)) from one", "Enter");
    await person.sees("two", /^42 from one\nrun\$$/m);
    person.types("two", "echo $((40 + 3)) from two", "Enter");
    await person.sees("one", /^42 from one\n[^\n]*\n43 from two\nrun\$$/m);
    person.types("one", "", "C-]");
    await person.sees("one", new RegExp(`\\[detached from ${id}\\]\\s+shell\\$$`));
    person.types("one", `clear; $proctor stop ${id}`, "Enter");
    await person.sees("one", new RegExp(`^${id} stopped \\(SIGTERM, SIGHUP\\)[^\\n]*\\nshell\\$$`, "m"));
    await person.sees("two", new RegExp(`\\[${id} has ended with exit status \\d+[^\\n]*stopped\\]\\s+shell\\$$`));
    person.types("one", `clear; $proctor list`, "Enter");
    await person.sees("one", new RegExp(`${id}[\\s\\S]*shell\\$$`));
    expect(await world.status(id)).toMatchObject({ state: "ended", cause: "stopped", leftovers: [] });
  });

  it("two terminals join one run: both see, one types, the size follows, one detaches, the other sees the stop", async () => {
    const world = newWorld();
    const person = new Person(world);
    const run = await world.run(["-i", "PS1='run$ ' bash --norc"], { env: { PROCTOR_TERMINAL: "built-in" } });
    expect(run).toMatchObject({ interactive: true, state: "running" });
    await person.opens("one");
    await person.opens("two", 90, 25);
    person.types("one", "before=$(stty -g)", "Enter");
    person.types("one", `$proctor attach ${run.id}`, "Enter");
    await person.sees("one", /run\$$/);
    person.types("two", `$proctor attach ${run.id} --read-only`, "Enter");
    await person.sees("two", /run\$$/);
    person.types("one", "stty size; echo $((40 + 2))", "Enter");
    await person.sees("one", /^30 100\n42\nrun\$$/m);
    await person.sees("two", /^30 100\n42\nrun\$$/m);
    person.types("two", "echo not-typed", "Enter");
    person.resizes("one", 70, 20);
    await eventually(
      "the size to follow",
      async () => (await world.json<{ columns: number; rows: number }>(["logs", run.id, "--screen"])).columns === 70,
    );
    person.types("one", "stty size", "Enter");
    const screen = await person.sees("one", /^20 70$/m);
    expect(screen).not.toContain("not-typed");
    person.types("one", "", "C-]");
    await person.sees("one", new RegExp(`\\[detached from ${run.id}\\]\\s+shell\\$$`));
    person.types("one", 'test "$before" = "$(stty -g)" && echo as it w""as', "Enter");
    await person.sees("one", /^as it was$/m);
    expect((await world.status(run.id)).state).toBe("running");
    expect((await world.stop(run.id)).confirmed).toBe(true);
    await person.sees("two", new RegExp(`\\[${run.id} has ended with exit status \\d+.*stopped\\]\\s+shell\\$$`));
  });

  it("a full-screen program is there as it stands, and the person's own screen comes back", async () => {
    const world = newWorld();
    const person = new Person(world);
    writeFileSync(join(world.work, "t.txt"), Array.from({ length: 200 }, (_, i) => `row ${i + 1}\n`).join(""));
    const run = await world.run(["-i", "LESS= less t.txt"]);
    await person.opens("one");
    person.types("one", "echo my own scr''een", "Enter");
    await person.sees("one", /my own screen/);
    person.types("one", `$proctor attach ${run.id}`, "Enter");
    await person.sees("one", /^row 29\n.*t\.txt|^row 29\n:/m);
    person.types("one", "G");
    await person.sees("one", /^row 200$/m);
    person.types("one", "q");
    const screen = await person.sees("one", /has ended with exit status 0\]\s+shell\$$/);
    expect(screen).not.toContain("row 200");
  });

  it("gives the terminal back when it is killed", async () => {
    const world = newWorld();
    const person = new Person(world);
    const run = await world.run(["-i", "read x"], { env: { PROCTOR_TERMINAL: "built-in" } });
    await person.opens("one");
    person.types("one", "before=$(stty -g)", "Enter");
    person.types("one", `$proctor attach ${run.id}`, "Enter");
    const attached = await eventually("the attachment", () =>
      livingProcesses().find((p) => p.command.includes(`attach ${run.id}`)),
    );
    const children = (): string[] =>
      readFileSync(`/proc/${attached.pid}/task/${attached.pid}/children`, "latin1").trim().split(" ");
    const [restorer = ""] = await eventually("the restorer", () => (children()[0] === "" ? null : children()));
    await eventually("raw mode", () =>
      spawnSync("stty", ["-F", readlinkSync(`/proc/${attached.pid}/fd/0`), "-a"], { encoding: "utf8" }).stdout.includes(
        "-icanon",
      ),
    );
    process.kill(attached.pid, "SIGKILL");
    await person.sees("one", /Killed/);
    await eventually("the restorer's end", () => !livingProcesses().some((p) => p.pid === Number(restorer)));
    person.types("one", 'test "$before" = "$(stty -g)" && echo as it w""as', "Enter");
    await person.sees("one", /^as it was$/m);
    expect((await world.status(run.id)).state).toBe("running");
  });

  it("the log of an interactive run is raw, its screen is what a person saw", async () => {
    const world = newWorld();
    const run = await world.run(["-i", "printf 'load 1%%\\rload 100%%\\n'; printf '\\033[1mbold\\033[0m\\n'; exit 3"]);
    const ended = await world.json<{ exitCode: number }>(["wait", run.id]);
    expect(ended.exitCode).toBe(3);
    expect((await world.call(["logs", run.id, "--raw"])).out).toBe("load 1%\rload 100%\r\n\x1b[1mbold\x1b[0m\r\n");
    expect((await world.call(["logs", run.id, "--screen"])).out).toBe("load 100%\nbold\n");
    expect(await world.json(["status", run.id])).toMatchObject({
      screen: { text: "load 100%\nbold", waiting: { reads: false, evidence: ["the run has ended"] } },
    });
    const typed = await world.call(["input", run.id, "--text", "late", "--enter"]);
    expect([typed.code, typed.out]).toEqual([
      0,
      `Nothing was typed: the run ${run.id} has ended with exit status 3.\n`,
    ]);
    const plain = await world.run(["true"]);
    expect((await world.call(["logs", plain.id, "--screen"])).code).toBe(125);
  });
});

it("a sandbox holds an interactive run as any other: its terminal works, Ctrl-C is the program's, and a stop leaves nothing", async () => {
  const world = newWorld();
  const outside = join(world.root, "outside");
  const script = `echo to the terminal > /dev/tty; touch inside; touch ${outside}; trap 'echo interrupted' INT; trap 'stty size' WINCH; while ! read -r x; do :; done; echo "got:$x"; read -r x`;
  const run = await world.run(["-i", "--sandbox", "workspace-write", script]);
  expect(run).toMatchObject({ interactive: true, state: "running", sandbox: { name: "workspace-write" } });
  const screen = async (): Promise<string> => (await world.call(["logs", run.id, "--screen"])).out;
  const shows = (what: RegExp): Promise<unknown> =>
    eventually(`the screen to show ${what}`, async () => what.test(await screen()));
  await shows(/to the terminal\n.*outside.*Read-only file system/);
  await world.call(["input", run.id, "--key", "C-c"]);
  await shows(/interrupted/);
  await world.call(["input", run.id, "--text", "yes", "--enter"]);
  await shows(/got:yes/);
  expect([existsSync(join(world.work, "inside")), existsSync(outside)]).toEqual([true, false]);
  const report = await world.stop(run.id);
  expect(report).toMatchObject({ confirmed: true, survivors: [], run: { cause: "stopped" } });
  await eventually("nothing of it is left", () => livingProcesses().every((p) => !p.command.includes(run.id)));
});
