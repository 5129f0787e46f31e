/** The optional helper rtk, seen from outside: it may shorten what is shown, and can change nothing else. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RunResult } from "../../src/model/index.ts";
import { callSettings, openLog, shownExcerpt } from "../../src/session/index.ts";
import { World } from "../cli/command-line.ts";
import { startServer } from "../mcp/mcp-process.ts";
import { type Caller, commandLine, install, mcpServer, pathWith, scratch } from "./callers.ts";
import { callsOf, installRtk, type Stub } from "./rtk-stub.ts";

const FAILED = [
  "============================= test session starts ==============================",
  "platform linux -- Python 3.11.2, pytest-7.2.1, pluggy-1.0.0",
  "collected 240 items",
  "",
  ...Array.from({ length: 40 }, (_, i) => `tests/test_part_${i}.py ......                          [ ${i * 2}%]`),
  "tests/test_price.py ..F...                                               [100%]",
  "",
  "=================================== FAILURES ===================================",
  "_______________________________ test_total_price _______________________________",
  "",
  "    def test_total_price():",
  ">       assert total([1, 2]) == 4",
  "E       assert 3 == 4",
  "E        +  where 3 = total([1, 2])",
  "",
  "tests/test_price.py:12: AssertionError",
  "=========================== short test summary info ============================",
  "FAILED tests/test_price.py::test_total_price - assert 3 == 4",
  "======================== 1 failed, 239 passed in 3.21s =========================",
].join("\n");

/** What a good filter makes of it: everything that matters, for fewer tokens. */
const SHORT = [
  "1 failed, 239 passed",
  "FAILED tests/test_price.py::test_total_price",
  "___ test_total_price ___",
  "E       assert 3 == 4",
  "E        +  where 3 = total([1, 2])",
  "tests/test_price.py:12: AssertionError",
].join("\n");

interface Place {
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A PATH with a pytest that fails as above, and with rtk. */
function place(stub: Stub | null, end = "exit 1", log = FAILED): Place {
  const bin = join(scratch(), "bin");
  install(bin, "pytest", `cat '${join(bin, "log")}'\n${end}`);
  writeFileSync(join(bin, "log"), log);
  writeFileSync(join(bin, "short"), SHORT);
  if (stub !== null) installRtk(bin, stub);
  return { bin, env: { PATH: pathWith(bin), HOME: bin } };
}
const says = (bin: string): string => `cat >/dev/null; cat '${join(bin, "short")}'`;

/** Our own text stands, and the run ended as it did. */
function expectOwn(result: RunResult): void {
  expect(result).toMatchObject({ exitCode: 1, cause: "completed", totalLines: FAILED.split("\n").length });
  expect(result.output).toContain("FAILED tests/test_price.py::test_total_price - assert 3 == 4");
}

describe.each([
  ["the command line", commandLine],
  ["the MCP server", mcpServer],
] as readonly (readonly [string, (env: Readonly<Record<string, string>>) => Caller])[])("%s and rtk:", (_, face) => {
  it("a text that tells as much for less is shown, and said to be rtk's; the status and the log stay", async () => {
    const { bin, env } = place({});
    installRtk(bin, { pipe: says(bin) });
    const result = await face(env)(["pytest"], scratch());
    expect(result).toMatchObject({ output: SHORT, exitCode: 1, cause: "completed", truncated: true });
    expect(result.notes).toEqual(["The output was shortened by rtk (pytest)."]);
    expect(result.log.bytes).toBe(Buffer.byteLength(FAILED));
    expect(callsOf(bin)).toEqual(["--version", "pipe --help", "pipe -f pytest"]);
  });

  it("a green summary never stands over a run that failed", async () => {
    const { bin, env } = place({ pipe: "cat >/dev/null; echo '240 passed in 3.21s'" });
    const result = await face(env)(["pytest"], scratch());
    expectOwn(result);
    expect(result.notes).toEqual([expect.stringContaining("rtk showed no failure of a run that did not succeed")]);
    expect(callsOf(bin)).toContain("pipe -f pytest");
  });

  it.each([
    ["ends with a status", { pipe: "cat >/dev/null; echo '1 failed'; exit 3" }, /^rtk ended with status 3/],
    ["is killed", { pipe: "kill -9 $$" }, /^rtk was killed by SIGKILL/],
    ["hangs", { pipe: "exec sleep 300" }, /^rtk took longer than/],
    ["says nothing", { pipe: "cat >/dev/null" }, /^rtk said nothing/],
    ["gives no text", { pipe: "printf '1 failed \\377\\376'" }, /^rtk gave bytes that are no text/],
    ["can't be started", { interpreter: "/no/such/interpreter" }, /^rtk could not be started.*stays off/],
    ["is too old", { version: "rtk 0.16.0" }, /^rtk is not used: rtk 0\.16\.0 has no pipe/],
    ["is another program", { version: "Rust Type Kit 1.2.0" }, /^rtk is not used: .*another program of that name/],
    ["has no pipe", { help: "exit 2" }, /^rtk is not used: rtk pipe --help ended with status 2/],
  ] as readonly (readonly [string, Stub, RegExp])[])(
    "one that %s is passed over with a note",
    async (__, stub, note) => {
      const { env } = place(stub);
      const result = await face(env)(["pytest"], scratch());
      expectOwn(result);
      expect(result.notes).toEqual([expect.stringMatching(note)]);
    },
  );

  it.each([
    ["tells less", "cat >/dev/null; echo '1 failed'"],
    ["tells more words than the log", "cat; seq 1 3000"],
  ])("one that %s is passed over without a word", async (__, pipe) => {
    const { bin, env } = place({ pipe });
    const result = await face(env)(["pytest"], scratch());
    expectOwn(result);
    expect(result.notes).toEqual([]);
    expect(callsOf(bin)).toContain("pipe -f pytest");
  });

  it("a log of more than 10 MiB is not given to it; one of a little less is", async () => {
    const padding = (bytes: number): string => "tests/test_part.py ......  [ 50%]\n".repeat(Math.floor(bytes / 34));
    for (const [bytes, isGiven] of [
      [10 * 1024 * 1024 + 64, false],
      [10 * 1024 * 1024 - 4096, true],
    ] as const) {
      const { bin, env } = place({}, "exit 1", padding(bytes) + FAILED);
      installRtk(bin, { pipe: says(bin) });
      const result = await face(env)(["pytest"], scratch());
      expect(result).toMatchObject({ exitCode: 1, cause: "completed" });
      expect(callsOf(bin).includes("pipe -f pytest")).toBe(isGiven);
      expect(result.output).toContain("FAILED tests/test_price.py::test_total_price");
      expect(result.output === SHORT).toBe(isGiven);
      expect(result.notes).toEqual(isGiven ? ["The output was shortened by rtk (pytest)."] : []);
    }
  });

  it("none on PATH is the ordinary case, and nothing is said", async () => {
    const { env } = place(null);
    const result = await face(env)(["pytest"], scratch());
    expectOwn(result);
    expect(result.notes).toEqual([]);
  });

  it("nothing but a single command of a known format is given to it", async () => {
    const { bin, env } = place({});
    const call = face(env);
    const dir = scratch();
    for (const command of ["pytest; exit 1", "pytest | cat", "pytest 2>&1", "pytest -q", "pytest $OPTIONS", "echo hi"])
      expect((await call([command], dir)).notes).toEqual([]);
    expect(callsOf(bin)).toEqual([]);
  });

  it("the last command of a sequence is given to it, and one with a pragma", async () => {
    const { bin, env } = place({});
    installRtk(bin, { pipe: says(bin) });
    const result = await face(env)(["true", '# @proctor: {"maxResultLines": 50}\npytest'], scratch());
    expect(result).toMatchObject({ output: SHORT, exitCode: 1 });
  });

  it("a log that is no UTF-8 is not given to it", async () => {
    const { bin, env } = place({}, "printf '\\377\\n'; exit 1");
    expectOwn({ ...(await face(env)(["pytest"], scratch())), totalLines: FAILED.split("\n").length });
    expect(callsOf(bin)).toEqual([]);
  });

  it("a text of its own that is above the ceilings is not shown", async () => {
    const { bin, env } = place({});
    installRtk(bin, { pipe: says(bin) });
    const result = await face({ ...env, PROCTOR_RESULT_MAX_LINES: "5" })(["pytest"], scratch());
    expect(result.output.split("\n").length).toBeLessThanOrEqual(5);
    expect(result.notes).toEqual([]);
  });

  it("secrets in its text are masked, unless that was switched off", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { bin, env } = place({});
    writeFileSync(join(bin, "short"), `${SHORT}\nE       token ${secret}`);
    installRtk(bin, { pipe: says(bin) });
    const masked = await face(env)(["pytest"], scratch());
    expect(masked.output).toContain("E       token ghp_[redacted]");
    const plain = await face({ ...env, PROCTOR_REDACT: "0" })(["pytest"], scratch());
    expect(plain.output).toContain(secret);
  });
});

describe("the MCP server and rtk, over several calls:", () => {
  it("once it could not be started it stays off, and a new server tries again", async () => {
    const { bin, env } = place({ interpreter: "/no/such/interpreter" });
    const call = mcpServer(env);
    const dir = scratch();
    expect((await call(["pytest"], dir)).notes).toEqual([expect.stringMatching(/stays off for this session$/)]);
    installRtk(bin, { pipe: says(bin) });
    const again = await call(["pytest"], dir);
    expectOwn(again);
    expect(again.notes).toEqual([expect.stringMatching(/^rtk stays off for this session/)]);
    expect(callsOf(bin)).toEqual([]);
    expect((await mcpServer(env)(["pytest"], dir)).output).toBe(SHORT);
  });

  it("a failure, or its absence, keeps nobody from asking again; who it is, is asked once", async () => {
    const { bin, env } = place({});
    installRtk(bin, { pipe: `if [ -e '${join(bin, "well")}' ]; then ${says(bin)}; else exit 3; fi` });
    const call = mcpServer(env);
    const dir = scratch();
    expectOwn(await call(["pytest"], dir));
    writeFileSync(join(bin, "well"), "");
    expect((await call(["pytest"], dir)).output).toBe(SHORT);
    expect(callsOf(bin)).toEqual(["--version", "pipe --help", "pipe -f pytest", "pipe -f pytest"]);
    rmSync(join(bin, "rtk"));
    const without = await call(["pytest"], dir);
    expectOwn(without);
    expect(without.notes).toEqual([]);
    installRtk(bin, { pipe: says(bin) });
    expect((await call(["pytest"], dir)).output).toBe(SHORT);
  });

  it("a run that went to the background is shown by rtk when it is waited for, and not before", async () => {
    const { bin, env } = place({}, "while ! [ -e go ]; do sleep 0.05; done; exit 1");
    installRtk(bin, { pipe: says(bin) });
    const server = await startServer({ env });
    const dir = scratch();
    const { run } = await server.tool("bash", { command: ["pytest"], cwd: dir, background: true });
    expect(callsOf(bin)).toEqual([]);
    writeFileSync(join(dir, "go"), "");
    const answer = await server.tool("runner_wait", { id: run.id });
    expect(answer.text).toContain(SHORT);
    expect(answer.text).toMatch(/Exit status 1\b/);
  });

  it("a green summary never stands over a run that its time limit stopped", async () => {
    const { bin, env } = place({ pipe: "cat >/dev/null; echo '240 passed'" }, "exec sleep 300");
    const server = await startServer({ env });
    const answer = await server.tool("bash", { command: ["pytest"], timeout: 1 });
    expect(answer.run).toMatchObject({ cause: "timeout", exitCode: 143, signal: "SIGTERM" });
    expect(answer.text).toContain("FAILED tests/test_price.py::test_total_price");
    expect(answer.text).not.toMatch(/^240 passed$/m);
    expect(callsOf(bin)).toContain("pipe -f pytest");
  });
});

describe("the text for a log", () => {
  it("is no green summary where the run was stopped, though its exit code is 0", async () => {
    const { bin, env } = place({ pipe: "cat >/dev/null; echo '240 passed'" });
    const source = await openLog(join(bin, "log"));
    onTestFinished(() => source.close());
    const log = { source, command: "pytest", exitCode: 0, isRunning: false };
    const call = callSettings(["pytest"], { env, cwd: null });
    const stopped = await shownExcerpt({ ...log, endedByItself: false }, call);
    expect(stopped.excerpt.text).toContain("FAILED tests/test_price.py::test_total_price");
    expect(stopped.notes).toEqual([expect.stringContaining("rtk showed no failure")]);
    expect(callsOf(bin)).toContain("pipe -f pytest");
  });
});

describe("proctor excerpt and rtk:", () => {
  it("the text is what an agent would get of the command, and the account says whose it is", async () => {
    const { bin, env } = place({});
    installRtk(bin, { pipe: says(bin) });
    const world = new World();
    onTestFinished(() => world[Symbol.asyncDispose]());
    const file = join(bin, "log");
    const answer = await world.json<{ text: string; totalLines: number; ranges: readonly { why: string }[] }>(
      ["excerpt", file, "--exit", "1", "--command", "pytest"],
      { env },
    );
    expect([answer.text, answer.answer.code]).toEqual([SHORT, 0]);
    expect(answer.ranges.map((range) => range.why)).toEqual(["rtk pytest"]);
    const other = await world.call(["excerpt", file, "--exit", "1", "--command", "make test"], { env });
    expect(other.out).not.toBe(`${SHORT}\n`);
    const green = await world.call(["excerpt", file, "--exit", "1", "--command", "pytest"], {
      env: { ...env, PATH: pathWith(place({ pipe: "cat >/dev/null; echo '240 passed'" }).bin) },
    });
    expect(green.out).toContain("FAILED tests/test_price.py");
    expect(green.err).toMatch(/^proctor: rtk showed no failure/);
  });
});
