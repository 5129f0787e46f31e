/** One contract for interactive runs, whoever shows them to people. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { RunView, Session } from "proctor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, killSeen, livingProcesses, processesOf, uniqueSleep } from "./processes.ts";
import { Driven, terminalSession } from "./terminal-session.ts";
import type { Backend, TerminalSession } from "./terminal-session.ts";

describe.each<{ backend: Backend }>([{ backend: "built-in" }, { backend: "tmux" }, { backend: "rmux" }])(
  "interactive runs, shown by $backend",
  ({ backend }) => {
    let world: TerminalSession;
    let session: Session;
    beforeAll(async () => {
      world = await terminalSession(backend);
      session = world.session;
    });
    afterAll(async () => {
      const { base } = world;
      await world[Symbol.asyncDispose]();
      await eventually("nothing of the session is left", () => processesOf(base).length === 0);
    });
    const start = (command: string | readonly string[], options: Parameters<Session["bash"]>[1] = {}) =>
      session.bash(command, { interactive: true, ...options });
    const ended = async (id: string): Promise<RunView> => (await session.wait(id, { timeoutMs: 20_000 })).run;
    const rawLog = (run: RunView): string => readFileSync(run.log.path, "latin1");

    test("answers when the stage has started, with its id; a question without a newline can be seen and answered", async () => {
      const run = await start('read -p "Project name: " name; echo "got:$name"');
      expect(run).toMatchObject({ kind: "run", interactive: true, state: "running", promoted: true });
      const screen = await eventually("the question", async () => {
        const seen = await session.screen(run.id);
        return seen.text === "Project name:" ? seen : null;
      });
      expect(screen).toMatchObject({
        columns: 120,
        rows: 32,
        cursor: { column: 14, row: 0, visible: true },
        fullScreen: false,
      });
      const waiting = await eventually("the evidence", async () => {
        const { waiting: seen } = await session.screen(run.id);
        return seen.reads === true ? seen : null;
      });
      expect(waiting.evidence.join("; ")).toMatch(/bash \(\d+\), in the foreground, is blocked reading the terminal/);
      const answer = await session.input(run.id, { text: "demo", enter: true });
      expect(answer).toMatchObject({ id: run.id, written: 5, notes: [] });
      expect(await ended(run.id)).toMatchObject({ exitCode: 0, cause: "completed" });
      expect(rawLog(run)).toBe("Project name: demo\r\ngot:demo\r\n");
      expect((await session.screen(run.id)).text).toBe("Project name: demo\ngot:demo");
    });

    test("only the last command of a sequence has the terminal; the sequence's id is refused with the stage's in the message", async () => {
      const stage = await start([
        "test -t 1 && echo terminal || echo none",
        "test -t 1 && echo terminal; read x; exit 4",
      ]);
      expect(stage).toMatchObject({ kind: "run", interactive: true, state: "running" });
      const sequence = (await session.list()).find((one) => one.stages?.some((s) => s.id === stage.id));
      expect(sequence?.stages?.map((s) => s.interactive)).toEqual([false, true]);
      expect(readFileSync(sequence?.stages?.[0]?.log.path ?? "", "utf8")).toBe("none\n");
      await expect(session.input(sequence?.id ?? "", { text: "x", enter: true })).rejects.toMatchObject({
        code: "ERR_INPUT_NOT_INTERACTIVE",
        message: expect.stringContaining(stage.id) as string,
      });
      await session.input(stage.id, { enter: true });
      await ended(stage.id);
      expect(await ended(sequence?.id ?? "")).toMatchObject({ exitCode: 4, cause: "completed" });
      expect(rawLog(stage)).toContain("terminal");
    });

    test("a stage that fails before the interactive one is the answer", async () => {
      expect(await start(["exit 3", "read x"])).toMatchObject({
        kind: "sequence",
        state: "ended",
        exitCode: 3,
        promoted: false,
      });
    });

    test("it has a controlling terminal of the usual size and kind; other runs have none, and nothing that waits for a person", async () => {
      const run = await start(
        'tty; stty size; echo "$TERM ${CI-unset} ${GIT_TERMINAL_PROMPT-unset}"; echo to the terminal > /dev/tty',
        { env: {} },
      );
      await ended(run.id);
      expect(rawLog(run)).toMatch(
        /^\/dev\/(pts\/\d+|ttys\d+)\r\n32 120\r\nxterm-256color \S+ unset\r\nto the terminal\r\n$/,
      );
      const plain = await session.bash(
        'echo "$PAGER $GIT_PAGER $GIT_EDITOR $GIT_TERMINAL_PROMPT $CI"; test -t 0 || test -t 1 || echo none',
        { env: { PAGER: "mine", CI: "theirs" } },
      );
      expect(plain.output).toBe("mine cat true 0 theirs\nnone");
    });

    test("1 MB is typed whole and in order, at the speed of a program that is slow to read", async () => {
      const text = createHash("sha512").update("seed").digest("hex").repeat(7813).slice(0, 1_000_000);
      const run = await start("stty raw -echo; echo ready; sleep 0.3; head -c 1000000 | md5sum");
      await eventually("the program", () => rawLog(run).includes("ready"));
      expect(await session.input(run.id, { text })).toMatchObject({ written: 1_000_000, notes: [] });
      await ended(run.id);
      expect(rawLog(run)).toContain(createHash("md5").update(text).digest("hex"));
    });

    test("requests that come at once are typed one after the other, each whole", async () => {
      const run = await start("stty -echo; echo ready; cat > typed");
      await eventually("the program", () => rawLog(run).includes("ready"));
      const texts = Array.from({ length: 8 }, (_, i) => `${String(i).repeat(300)}\n`.repeat(40));
      await Promise.all(texts.map((text) => session.input(run.id, { text })));
      await session.input(run.id, { eof: true });
      expect(await ended(run.id)).toMatchObject({ exitCode: 0 });
      const typed = readFileSync(join(run.cwd, "typed"), "utf8");
      spawnSync("rm", [join(run.cwd, "typed")]);
      expect(typed.match(/(?:(\d)\1{299}\n)(?:\1{300}\n){39}/g)?.length).toBe(8);
    });

    test("--eof ends the input, also in the middle of a line", async () => {
      const run = await start("cat");
      await session.input(run.id, { text: "no newline", eof: true });
      expect(await ended(run.id)).toMatchObject({ exitCode: 0 });
      expect(rawLog(run)).toContain("no newlineno newline");
    });

    test("a line that is longer than the terminal can hold is refused, and nothing of it is typed", async () => {
      const run = await start("echo go; cat");
      await eventually("the program", () => rawLog(run).includes("go"));
      await expect(session.input(run.id, { text: "y".repeat(5000), enter: true })).rejects.toMatchObject({
        code: "ERR_INPUT_TERMINAL_LINE",
        message: expect.stringMatching(/5000 bytes.*canonical/) as string,
      });
      await session.input(run.id, { text: `${"y".repeat(4000)}\n`, eof: true });
      await ended(run.id);
      expect(rawLog(run).match(/y/g)?.length).toBe(8000);
    });

    test("a key that is none is refused by name, and nothing is typed", async () => {
      const run = await start("cat");
      await expect(session.input(run.id, { text: "abc", keys: ["Enter", "Nope"] })).rejects.toMatchObject({
        code: "ERR_INPUT_KEY",
        message: expect.stringContaining('"Nope"') as string,
      });
      await session.input(run.id, { keys: ["C-c"] });
      expect(await ended(run.id)).toMatchObject({ signal: "SIGINT", exitCode: 130, cause: "completed" });
      expect(rawLog(run)).toBe("^C");
    });

    test("a storm of sizes ends with the last one, and each stands where it belongs", async () => {
      const run = await start("trap 'stty size' WINCH; echo ready; while ! read -t 1 x; do :; done; stty size");
      await eventually("the program", () => rawLog(run).includes("ready"));
      const sizes = Array.from({ length: 100 }, (_, i) => ({ columns: 40 + i, rows: 10 + (i % 30) }));
      await Promise.all(sizes.map((size) => session.resize(run.id, size)));
      await session.resize(run.id, { columns: 77, rows: 22 });
      await eventually("the last size", async () => {
        const { columns, rows } = await session.screen(run.id);
        return columns === 77 && rows === 22;
      });
      await session.input(run.id, { enter: true });
      await ended(run.id);
      expect(rawLog(run)).toMatch(/22 77\r\n$/);
      await expect(session.resize(run.id, { columns: 0, rows: 5 })).rejects.toMatchObject({ code: "ERR_INPUT_PARAMS" });
    });

    test("typing into what has ended writes nothing, and says how it ended", async () => {
      const run = await start("exit 5");
      await ended(run.id);
      expect(await session.input(run.id, { text: "x", enter: true })).toMatchObject({
        written: 0,
        run: { state: "ended", exitCode: 5 },
        notes: ["The run has ended."],
      });
      const plain = await session.bash("sleep 60", { background: true });
      await expect(session.input(plain.id, { text: "x" })).rejects.toMatchObject({
        code: "ERR_INPUT_NOT_INTERACTIVE",
        message: expect.stringContaining("--interactive") as string,
      });
      await session.stop(plain.id, { graceMs: 0 });
    });

    test("an interactive shell is stopped at once with all that it started, confirmed", async () => {
      const shell = await Driven.start(session, "bash --norc", world.base);
      const mark = uniqueSleep();
      await shell.enters(`set -m; sleep ${mark} & (setsid sleep ${mark} &) ; echo st''arted`);
      await shell.shows("started");
      const report = await session.stop(shell.run.id, { graceMs: 20_000 });
      expect(report).toMatchObject({ confirmed: true, survivors: [], run: { cause: "stopped" } });
      expect(report.signals).not.toContain("SIGKILL"); // nobody had to be waited for
      expect(livingProcesses().filter((p) => p.command === `sleep ${mark}`)).toEqual([]);
    });

    test("the limits of any run hold: its time, its log", async () => {
      const slow = await start("read x", { timeoutMs: 300 });
      expect(await ended(slow.id)).toMatchObject({ cause: "timeout", interactive: true });
      const loud = await start("yes", { limits: { logMaxBytes: 100_000 } });
      const run = await ended(loud.id);
      expect(run).toMatchObject({ cause: "log_limit" });
      expect(run.log.bytes).toBe(100_000);
    });

    test("bytes that are no UTF-8 stay as they are in the log, and the screen is text", async () => {
      const run = await start("printf 'a\\377\\376b\\033[31mred\\033[0m\\r\\n\\303'");
      await ended(run.id);
      expect(rawLog(run)).toBe("a\xff\xfeb\x1b[31mred\x1b[0m\r\r\n\xc3");
      const screen = await session.screen(run.id);
      expect(screen.text).toMatch(/^a\ufffd{1,2}bred/);
    });

    const atExit = backend === "built-in" ? 100 : 20;
    test(`a program that prints ${atExit} MB and ends at once leaves all of it`, { timeout: 120_000 }, async () => {
      const run = await start(`head -c ${atExit}000000 /dev/zero | tr '\\0' z; printf END`);
      const { run: end } = await session.wait(run.id, { timeoutMs: 110_000 });
      expect(end).toMatchObject({ exitCode: 0, cause: "completed", log: { bytes: atExit * 1_000_000 + 3 } });
      expect((await session.screen(run.id)).text.endsWith("zEND")).toBe(true);
    });

    test("input that comes while the program ends is answered with its end, never with an error", async () => {
      const run = await start("read -r x; exit 6");
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => session.input(run.id, { text: `line ${i}`, enter: true })),
      );
      for (const { written, run: seen } of answers.filter((one) => one.notes.includes("The run has ended.")))
        expect([written < 9, seen.state, seen.exitCode]).toEqual([true, "ended", 6]);
      expect(answers.at(-1)?.notes).toEqual(["The run has ended."]);
      expect(answers[0]).toMatchObject({ written: 7 });
    });

    test("what was started goes on when the host is killed: it can be seen, typed into, and its end is known", async () => {
      const run = await start('read -p "first: " a; read -p "second: " b; echo "$a-$b"; exit 6');
      await session.input(run.id, { text: "one", enter: true });
      await eventually("the second question", () => rawLog(run).includes("second: "));
      const host = livingProcesses().find(
        (p) =>
          p.command.includes("host-main.js") && !p.command.includes("guardian.sh") && p.command.includes(world.base),
      );
      expect(host !== undefined && killSeen(host)).toBe(true);
      await eventually("another host", async () => (await session.status(run.id)).state === "running");
      await session.input(run.id, { text: "two", enter: true });
      expect(await ended(run.id)).toMatchObject({ exitCode: 6, cause: "completed" });
      expect(rawLog(run)).toContain("one-two");
    });
  },
);

test("a program that does not read takes no more than its terminal holds, and the answer says how much was left", async () => {
  await using world = await terminalSession("built-in");
  const { session } = world;
  const run = await session.bash("stty raw -echo; echo ready; sleep 300", { interactive: true });
  await eventually("the program", () => readFileSync(run.log.path, "latin1").includes("ready"));
  const answer = await session.input(run.id, { text: "z".repeat(1_000_000) });
  expect(answer.written).toBeLessThan(1_000_000);
  expect(answer.notes).toEqual([
    `The program has read nothing for 10 s; the last ${1_000_000 - answer.written} bytes were not typed.`,
  ]);
  expect(await session.stop(run.id, { graceMs: 1000 })).toMatchObject({ confirmed: true });
});

test("eyes that never look hold nothing up: an attachment and a multiplexer that are stopped", async () => {
  await using world = await terminalSession("tmux");
  const { session } = world;
  const run = await session.bash("read -r x; head -c 30000000 /dev/zero | tr '\\0' z; printf END", {
    interactive: true,
  });
  const attached = await eventually("the pane's program", () =>
    livingProcesses().find((p) => p.command.includes(`main.js attach ${run.id}`) && !/^(\S*\/)?tmux/.test(p.command)),
  );
  await eventually("the pane", async () =>
    (await session.status(run.id)).notes.some((note) => note.includes("attach")),
  );
  // Its command line is the same as that of the client that started it, which may still be there.
  const server = livingProcesses().find((p) => p.pid === attached.ppid);
  expect(server !== undefined && killSeen(server, "SIGSTOP") && killSeen(attached, "SIGSTOP")).toBe(true);
  try {
    await session.input(run.id, { enter: true });
    const { run: end } = await session.wait(run.id, { timeoutMs: 60_000 });
    expect(end).toMatchObject({ exitCode: 0, cause: "completed", log: { bytes: 30_000_005 } });
  } finally {
    if (server !== undefined) killSeen(server, "SIGCONT");
    killSeen(attached, "SIGCONT");
  }
});
