import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LogSlice, RunView } from "../../src/model/index.ts";
import { eventually } from "../session/processes.ts";
import { newWorld } from "./command-line.ts";
import type { World } from "./command-line.ts";

describe("proctor list and status", () => {
  it("shows a table without colours in a pipe, with them when they are wanted", async () => {
    const world = newWorld();
    await world.run(["--name", "first", "echo a\necho \x1b[31mb"]);
    await world.run(["true", "exit 3"]);
    const plain = (await world.call(["list"])).out;
    expect(plain).toMatch(/^ID +STATE +TIME +LOG +COMMAND\n/);
    expect(plain).toMatch(/\n[a-z0-9]{12} +exit 0 +\d.*first: echo a \\n echo b\n/);
    expect(plain).toMatch(/exit 3 .*true && exit 3\n {2}[a-z0-9]{12} +exit 0 .* true\n {2}[a-z0-9]{12} +exit 3 /);
    expect(plain).not.toContain("\x1b");
    expect((await world.call(["list"], { env: { FORCE_COLOR: "1" } })).out).toContain("\x1b[32mexit 0\x1b[0m");
    expect((await world.call(["list"], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).out).toBe(plain);
  });

  it("cuts a command of megabytes, in the table and not in the document", async () => {
    const world = newWorld();
    await world.run(["--file", "-"], { input: `true # ${"x".repeat(1 << 20)}` });
    const { out } = await world.call(["list"]);
    expect(out.length).toBeLessThan(3000);
    expect(out).toContain("xxx...\n");
    expect((await world.json<{ runs: RunView[] }>(["list"])).runs[0]?.command).toHaveLength((1 << 20) + 7);
  });

  it("lists nothing where no session is, and makes none", async () => {
    const world = newWorld();
    const answer = await world.call(["list", "--json"]);
    expect([answer.code, JSON.parse(answer.out)]).toEqual([0, { runs: [] }]);
    expect((await world.shell("ls -A home/.local s 2>/dev/null; true", { cwd: world.root })).out).toBe("");
  });

  it("--all shows the runs of every session, also when one of them is damaged", async () => {
    const world = newWorld();
    for (const name of ["one", "two", "broken"]) await world.run(["--session", join(world.root, name), `echo ${name}`]);
    const { sessions } = await world.json<{
      sessions: { id: string; dir: string; owner: unknown; runs: number; startedAt: string }[];
    }>(["sessions"]);
    expect(sessions.map((s) => [s.dir, s.owner, s.runs])).toEqual(
      ["one", "two", "broken"].map((n) => [join(world.root, n), null, 1]),
    );
    await world.shell("chmod 755 broken", { cwd: world.root });
    const { runs } = await world.json<{ runs: RunView[] }>(["list", "--all"]);
    expect(runs.map((r) => r.command)).toEqual(["echo one", "echo two"]);
    await world.shell("chmod 700 broken", { cwd: world.root });
    for (const name of ["one", "two", "broken"])
      expect((await world.call(["session", "end", join(world.root, name)])).code).toBe(0);
    expect(await world.json(["sessions"])).toMatchObject({ sessions: [] });
  });

  it("a damaged session.json is named, with its field and what to do, and the others are listed", async () => {
    const world = newWorld();
    for (const name of ["one", "bad", "two"]) await world.run(["--session", join(world.root, name), `echo ${name}`]);
    const bad = join(world.root, "bad");
    const file = join(bad, "session.json");
    const whole = readFileSync(file, "utf8");
    const record = JSON.parse(whole) as Record<string, unknown>;
    const damages: readonly (readonly [string, string])[] = [
      ["", "it is empty"],
      [whole.slice(0, 70), "it is not JSON"],
      ["[1]", "it holds a list, not an object"],
      [JSON.stringify({ ...record, id: 7 }), '"id" is a number, not an id'],
      [JSON.stringify({ ...record, token: ["x"] }), '"token" is a list, not a text'],
      [JSON.stringify({ ...record, token: undefined }), '"token" is missing'],
      [JSON.stringify({ ...record, createdAt: "today" }), '"createdAt" is a text, not a time in milliseconds'],
      [JSON.stringify({ ...record, owner: { pid: "1" } }), '"owner.pid" is a text, not a pid'],
      [JSON.stringify({ ...record, owner: { pid: 1, start: "1" } }), '"owner.boot" is missing'],
    ];
    for (const [text, problem] of damages) {
      writeFileSync(file, text);
      // The session of the call is the damaged one: asking for all of them must not depend on it.
      const all = await world.json<{ runs: RunView[]; damaged: unknown }>(["list", "--all", "--session", bad]);
      const { answer, runs, ...rest } = all;
      expect([answer.code, runs.map((r) => r.command)]).toEqual([0, ["echo one", "echo two"]]);
      const said = `${file} is damaged: ${problem}.`;
      expect(rest).toEqual({ damaged: [{ dir: bad, problem: expect.stringContaining(said) as string }] });
    }
    const own = await world.call(["list", "--session", bad, "--json"]);
    expect([own.code, own.out]).toEqual([125, expect.stringContaining('"ERR_SESSION_DIR"') as string]);
    expect(own.err).toContain(`${file} is damaged: "owner.boot" is missing.`);
    expect(own.err).not.toContain(String(record["token"]));
    const { sessions, damaged } = await world.json<{ sessions: { dir: string }[]; damaged: unknown }>(["sessions"]);
    expect(sessions.map((s) => s.dir)).toEqual([join(world.root, "one"), join(world.root, "two")]);
    expect(damaged).toEqual([{ dir: bad, problem: expect.stringContaining("remove ") as string }]);
    const table = await world.call(["sessions"]);
    expect([table.code, table.out.match(/one|two|bad/g)]).toEqual([0, ["one", "two"]]);
    expect(table.err).toMatch(new RegExp(`^proctor: ${file} is damaged: .* remove ${bad} .*\n$`));
    // Restored, it is a session like the others: its entry was kept.
    writeFileSync(file, whole);
    const restored = await world.json<object>(["list", "--all"]);
    expect(restored).toMatchObject({ runs: ["one", "bad", "two"].map((name) => ({ command: `echo ${name}` })) });
    expect(restored).not.toHaveProperty("damaged");
    for (const name of ["one", "bad", "two"])
      expect((await world.call(["session", "end", join(world.root, name)])).code).toBe(0);
  });

  it("what belongs to a session is told although the record of the detached runs is damaged", async () => {
    const world = newWorld();
    const detached = await world.run(["--lifetime", "detached", "echo kept"]);
    const own = await world.run(["echo own; exit 3"]);
    const dir = join(world.root, "home", ".local", "state", "proctor", "sessions", "detached");
    const whole = readFileSync(join(dir, "session.json"), "utf8");
    writeFileSync(join(dir, "session.json"), "{}");
    const said = expect.stringContaining(`${dir}/session.json is damaged: "v" is missing`) as string;
    const listed = await world.json<object>(["list"]);
    expect(listed).toMatchObject({ runs: [{ id: own.id }], damaged: [{ dir, problem: said }] });
    expect(await world.status(own.id)).toMatchObject({ exitCode: 3, answer: { code: 0, err: "" } });
    expect(await world.call(["status", detached.id])).toMatchObject({ code: 125, err: said });
    writeFileSync(join(dir, "session.json"), whole);
    expect((await world.status(detached.id)).exitCode).toBe(0);
    expect((await world.call(["session", "end", dir])).code).toBe(0);
  });

  it("shows one run in full", async () => {
    const world = newWorld();
    const { id } = await world.run(["--name", "tests", "echo x; exit 4"]);
    const { out } = await world.call(["status", id.slice(0, 6)]);
    expect(out).toMatch(
      new RegExp(`^id +${id}\nname +tests\ncommand +echo x; exit 4\nstate +ended: exit 4\nexit status +4\n`),
    );
    expect(out).toMatch(/\nlog +\/.*output\.log \(2 B, 1 line\)\n/);
  });
});

describe("proctor logs", () => {
  async function logged(world: World, command: string): Promise<string> {
    return (await world.run([command])).id;
  }

  it("prints the whole log as text, and its own bytes with --raw", async () => {
    const world = newWorld();
    const id = await logged(world, "printf 'a\\033[31mred\\033[0m\\n\\000\\377b\\n'; seq 1 100000");
    const numbers = Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join("");
    expect((await world.call(["logs", id])).out).toBe(`ared\n\ufffdb\n${numbers}`);
    const raw = await world.call(["logs", id, "--raw"]);
    expect(
      raw.bytes.equals(
        Buffer.concat([
          Buffer.from("a\x1b[31mred\x1b[0m\n\0", "latin1"),
          Buffer.from([0xff]),
          Buffer.from(`b\n${numbers}`),
        ]),
      ),
    ).toBe(true);
    expect((await world.call(["logs", id, "--raw", "--from", String(raw.bytes.length - 7)])).out).toBe("100000\n");
  });

  it("selects by lines, by place and by pattern", async () => {
    const world = newWorld();
    const id = await logged(world, "seq 1 1000");
    const logs = async (...args: string[]): Promise<string> => (await world.call(["logs", id, ...args])).out;
    expect(await logs("--lines", "2")).toBe("999\n1000\n");
    expect(await logs("--grep", "^99.$")).toBe("990\n991\n992\n993\n994\n995\n996\n997\n998\n999\n");
    expect(await logs("--grep", "5$", "--lines", "2")).toBe("985\n995\n");
    expect(await logs("--from", "3888")).toBe("1000\n");
    expect(await logs("--from", "99999")).toBe("");
    const slice = await world.json<LogSlice>(["logs", id, "--lines", "1"]);
    expect(slice).toMatchObject({ id, from: 3888, to: 3893, bytes: 3893, lines: 1, text: "1000\n", truncated: false });
  });

  it("ends quietly when its reader has enough", async () => {
    const world = newWorld();
    const id = await logged(world, "seq 1 300000");
    const answer = await world.shell(`$PROCTOR logs ${id} | head -1; echo "\${PIPESTATUS[0]}"`);
    expect([answer.out, answer.err]).toEqual(["1\n0\n", ""]);
  });

  it("follows until the run has ended, through a sequence stage by stage", async () => {
    const world = newWorld();
    const { id } = await world.run([
      "-b",
      "echo one; until [ -e a ]; do sleep 0.05; done; echo two",
      "until [ -e b ]; do sleep 0.05; done; printf three",
    ]);
    const call = world.start(["logs", id, "--follow"]);
    let seen = "";
    call.child.stdout?.on("data", (part: Buffer) => (seen += part.toString()));
    await eventually("the first line", () => seen === "one\n");
    writeFileSync(join(world.work, "a"), "");
    await eventually("the second line", () => seen === "one\ntwo\n");
    writeFileSync(join(world.work, "b"), "");
    const answer = await call.ended;
    expect([answer.code, answer.out]).toEqual([0, "one\ntwo\nthree"]);
  });
});

describe("proctor wait", () => {
  it("tells the end, a line, a time that is over, and what can no longer come", async () => {
    const world = newWorld();
    const { id } = await world.run([
      "-b",
      "echo first; until [ -e go ]; do sleep 0.05; done; echo ready; until [ -e stop ]; do sleep 0.05; done; exit 6",
    ]);
    const wait = (...args: string[]) => world.json<RunView>(["wait", id, ...args]);
    expect((await wait("--timeout", "200ms")).answer.code).toBe(124);
    expect((await wait("--timeout", "200ms", "--match", "^ready$")).answer.code).toBe(124);
    const matched = wait("--match", "^ready$");
    writeFileSync(join(world.work, "go"), "");
    expect((await matched).state).toBe("running");
    expect((await matched).answer.code).toBe(0);
    const never = wait("--match", "never printed");
    writeFileSync(join(world.work, "stop"), "");
    expect((await never).answer.code).toBe(1);
    const ended = await wait();
    expect([ended.answer.code, ended.exitCode]).toEqual([0, 6]);
    expect((await wait("--match", "first")).answer.code).toBe(0);
  });

  it("finds a line in a later stage of a sequence", async () => {
    const world = newWorld();
    const { id } = await world.run([
      "-b",
      "echo one; until [ -e go ]; do sleep 0.05; done",
      "echo in the second; until [ -e stop ]; do sleep 0.05; done",
    ]);
    const matched = world.json<RunView>(["wait", id, "--match", "in the second"]);
    writeFileSync(join(world.work, "go"), "");
    const answer = await matched;
    expect([answer.answer.code, answer.state]).toEqual([0, "running"]);
    expect((await world.json<RunView>(["wait", id, "--match", "^one$"])).answer.code).toBe(0);
    writeFileSync(join(world.work, "stop"), "");
  });

  it("waits for a port of the run, not for a stranger's", async () => {
    const world = newWorld();
    const server = join(world.work, "server.mjs");
    writeFileSync(
      server,
      'import { createServer } from "node:net"; import { writeFileSync } from "node:fs";\n' +
        'const s = createServer(); s.listen(0, "127.0.0.1", () => writeFileSync("port", String(s.address().port)));\n',
    );
    const { id } = await world.run(["-b", `${process.execPath} server.mjs`]);
    const port = await eventually("the port", async () => (await world.shell("cat port 2>/dev/null")).out);
    expect((await world.json<RunView>(["wait", id, "--port", port, "--timeout", "20s"])).answer.code).toBe(0);

    const stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const address = stranger.address();
    const other = typeof address === "object" && address !== null ? String(address.port) : "";
    try {
      if (process.platform === "linux")
        expect((await world.json<RunView>(["wait", id, "--port", other, "--timeout", "300ms"])).answer.code).toBe(124);
    } finally {
      stranger.close();
    }
    const waiting = world.json<RunView>(["wait", id, "--port", "1"]);
    await world.stop(id);
    expect((await waiting).answer.code).toBe(1);
  });
});

describe("proctor excerpt", () => {
  it("gives the same of a file and of a pipe, and leaves nothing behind", async () => {
    const world = newWorld();
    const file = join(world.work, "build.log");
    writeFileSync(file, Array.from({ length: 5000 }, (_, i) => `line ${i}\n`).join(""));
    appendFileSync(file, "the last line\n");
    const ofFile = await world.call(["excerpt", file, "--exit", "1"]);
    const ofPipe = await world.shell("cat build.log | $PROCTOR excerpt --exit 1");
    expect(ofFile.code).toBe(0);
    expect(ofFile.out).toMatch(/the last line\n$/);
    expect(ofPipe.out).toBe(ofFile.out);
    const ofNamed = await world.shell("mkfifo named; cat build.log > named & $PROCTOR excerpt named --exit 1");
    expect(ofNamed.out).toBe(ofFile.out);
    expect((await world.shell('ls -A "$TMPDIR"')).out).toBe("");
    const document = await world.json<Record<string, unknown>>(["excerpt", file]);
    expect(document).toMatchObject({
      truncated: true,
      totalLines: 5001,
      text: expect.stringMatching(/the last line/),
      tokens: expect.any(Number),
      ranges: expect.any(Array),
    });
  });
});

describe("proctor doctor", () => {
  it("says that commands can be run here, and why", async () => {
    const world = newWorld();
    const { checks, answer } = await world.json<{ checks: { name: string; ok: boolean; detail: string }[] }>([
      "doctor",
    ]);
    expect(answer.code).toBe(0);
    expect(checks.map((c) => c.name)).toEqual([
      "node",
      "bash",
      "perl",
      "launcher",
      "directory",
      "socket",
      "disk",
      "cgroup",
      "pressure",
      "sandbox",
      "terminal",
    ]);
    expect(
      checks.filter((c) => !c.ok && ["node", "bash", "perl", "launcher", "directory", "socket"].includes(c.name)),
    ).toEqual([]);
    expect(checks.every((c) => c.detail.length > 3)).toBe(true);
    expect((await world.call(["sessions", "--json"])).out).toBe('{"sessions":[]}\n');
  });

  it("names what is missing, and leaves with 1 when nothing can be run", async () => {
    const world = newWorld();
    const { checks, answer } = await world.json<{ checks: { name: string; ok: boolean; detail: string }[] }>(
      ["doctor"],
      { env: { PROCTOR_SHELL: "/no/such/bash" } },
    );
    expect(answer.code).toBe(1);
    const detail = (name: string): string => checks.find((c) => c.name === name && !c.ok)?.detail ?? "";
    expect(detail("bash")).toMatch(/\/no\/such\/bash can't be run: ENOENT/);
    expect(detail("launcher")).toMatch(/instead of exit status 7/);
  });
});
