/** What a caller of `run` can rely on: order, ends, reports, and that nothing is left. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { connect } from "../../src/index.ts";
import { ExitError, run } from "../../src/agent/index.ts";
import type { AgentEvent } from "../../src/agent/index.ts";
import { eventually, livingProcesses, uniqueSleep } from "../session/processes.ts";
import { bash, exitOf, kinds, observed, place } from "./runs.ts";

const at = place();
afterAll(() => at.close());

function sleepersOf(duration: string): number {
  return livingProcesses().filter((p) => p.command === `sleep ${duration}`).length;
}

const INIT = '{"type":"system","subtype":"init","session_id":"s-1"}';
const RESULT =
  '{"type":"result","subtype":"success","is_error":false,"session_id":"s-1","total_cost_usd":0.5,"usage":{"input_tokens":3,"output_tokens":4}}';

describe("a turn that completes", () => {
  test("resolves with a report, its events in order", async () => {
    const binary = at.script("claude-ok", `#!/bin/bash\necho '${INIT}'\necho warning >&2\necho '${RESULT}'\n`);
    const { report, events } = await observed({
      provider: "claude",
      binary,
      workspace: at.work,
      session: at.session,
      args: ["-p", "hello"],
    });
    expect(kinds(events)).toEqual(["process.started", "provider.event", "process.exited"]);
    expect(events[0]).toMatchObject({ attempt: 1, payload: { binary, args: ["-p", "hello"] } });
    expect(events.filter((e) => e.kind === "provider.event" && e.payload.is_turn_complete)).toHaveLength(1);
    expect(events.at(-1)?.payload).toEqual({ exit_code: 0, signal: 0, killed: false, cause: "", error: null });
    expect(report).toMatchObject({
      attempts: 1,
      exitCode: 0,
      signal: null,
      cause: "",
      turn: "completed",
      error: null,
      sessionId: "s-1",
      costUsd: 0.5,
      leftovers: [],
    });
    expect(report?.usage).toMatchObject({ inputTokens: 3, outputTokens: 4 });
    expect(readFileSync(report?.log.stdout ?? "", "utf8")).toBe(`${INIT}\n${RESULT}\n`);
    expect(readFileSync(report?.log.stderr ?? "", "utf8")).toBe("warning\n");
  });

  test("is a run like any other: listed, with its log", async () => {
    const { report } = await bash(at, "echo from-the-agent", { name: "listed" });
    const session = await connect({ dir: at.session, own: false });
    const view = await session.status(report?.runIds[0] ?? "");
    expect(view).toMatchObject({ name: "listed", state: "ended", cause: "completed", exitCode: 0 });
    expect((await session.logs(view.id)).text).toContain("from-the-agent");
    expect((await session.list()).map((one) => one.id)).toContain(view.id);
  });

  test("standard output is a file, so that a hurried exit tears nothing", async () => {
    const { report } = await bash(at, "readlink /proc/$$/fd/1 /proc/$$/fd/2 /proc/$$/fd/0");
    const [out, err, input] = readFileSync(report?.log.stdout ?? "", "utf8")
      .trim()
      .split("\n");
    expect([out, err, input]).toEqual([report?.log.stdout, report?.log.stderr, "/dev/null"]);
  });

  test("a line of 10 MiB is one event", async () => {
    const script = `process.stdout.write(JSON.stringify({type:"text",text:"x".repeat(10*1024*1024)})+"\\n");process.exit(0)`;
    const { events } = await observed({
      provider: "lines",
      workspace: at.work,
      session: at.session,
      args: [process.execPath, "-e", script],
    });
    const [first] = events.flatMap((e) =>
      e.kind === "provider.event" && e.payload.event.type === "text" ? [e.payload.event.text.length] : [],
    );
    expect(first).toBe(10 * 1024 * 1024);
  });

  test("a clean exit without a last word resolves, and says that the turn is missing", async () => {
    const binary = at.script("claude-mute", `#!/bin/bash\necho '${INIT}'\n`);
    const { report } = await observed({
      provider: "claude",
      binary,
      workspace: at.work,
      session: at.session,
      args: [],
    });
    expect(report).toMatchObject({ exitCode: 0, turn: "missing" });
    expect(report?.error).toMatch(/without a last word/);
  });

  test("a failed turn that exits with 0 resolves, and says that the turn failed", async () => {
    const binary = at.script(
      "claude-fail",
      `#!/bin/bash\necho '{"type":"result","is_error":true,"result":"no credit"}'\n`,
    );
    const { report } = await observed({
      provider: "claude",
      binary,
      workspace: at.work,
      session: at.session,
      args: [],
    });
    expect(report).toMatchObject({ exitCode: 0, turn: "failed", error: "no credit" });
  });

  test("processes that it leaves are named, and stopped with the run", async () => {
    const duration = uniqueSleep();
    // Named by what it has become, so it must have: between fork and exec it still is bash.
    const { report } = await bash(at, `sleep ${duration} & until grep -q sleep /proc/$!/comm; do :; done; exit 0`);
    expect(report?.leftovers.map((l) => l.command)).toEqual([`sleep ${duration}`]);
    const session = await connect({ dir: at.session, own: false });
    expect((await session.stop(report?.runIds[0] ?? "")).confirmed).toBe(true);
    expect(sleepersOf(duration)).toBe(0);
  });
});

describe("an end that is none", () => {
  test.each([
    ["exit 7", [7, 0, false, ""]],
    ["kill -9 $$", [-1, 9, true, ""]],
    ["kill -15 $$", [-1, 15, false, ""]],
  ] as const)("%s", async (script, expected) => {
    const outcome = await bash(at, `echo line; echo oops >&2; ${script}`);
    expect(exitOf(outcome)).toEqual(expected);
    expect(kinds(outcome.events)).toEqual(["process.started", "provider.event", "process.exited"]);
    expect(outcome.report?.error).toMatch(/oops/);
  });

  test("what a killed launcher leaves behind is stopped", async () => {
    const duration = uniqueSleep();
    const outcome = await bash(at, `setsid sleep ${duration} & kill -9 $$`);
    expect(exitOf(outcome)).toEqual([-1, 9, true, ""]);
    expect(sleepersOf(duration)).toBe(0);
    expect(outcome.report?.leftovers).toEqual([]);
  });
});

describe("the environment", () => {
  const script = "env | sort | cut -d= -f1 | grep -v '^_$\\|^PWD$\\|^SHLVL$' | tr '\\n' ' '";
  const envOf = async (env: Record<string, string> | undefined): Promise<string> => {
    const { report } = await observed({
      provider: "lines",
      binary: "/bin/bash",
      workspace: at.work,
      session: at.session,
      args: ["-c", `PATH=/usr/bin:/bin; ${script}`],
      ...(env === undefined ? {} : { env }),
    });
    return readFileSync(report?.log.stdout ?? "", "utf8").trim();
  };

  test("absent inherits, a key that looks like a secret too", async () => {
    process.env["AGENT_TEST_API_KEY"] = "secret-value";
    try {
      expect(await envOf(undefined)).toContain("AGENT_TEST_API_KEY");
    } finally {
      Reflect.deleteProperty(process.env, "AGENT_TEST_API_KEY");
    }
  });
  test("empty is empty", async () => expect(await envOf({})).toBe(""));
  test("otherwise exactly that", async () => expect(await envOf({ ONE: "1" })).toBe("ONE"));

  test("a secret is not written to disk", async () => {
    const { report } = await bash(at, "echo $SOME_API_KEY", {
      env: { PATH: process.env["PATH"] ?? "", SOME_API_KEY: "s3cr3t-v4lue" },
    });
    const dir = join(report?.log.stdout ?? "", "..");
    expect(readFileSync(join(dir, "run.json"), "utf8")).not.toContain("s3cr3t-v4lue");
    expect(readFileSync(join(dir, "output.log"), "utf8")).toContain("s3cr3t-v4lue");
  });
});

describe("standard input", () => {
  test("is empty unless given", async () => {
    const { report } = await bash(at, "cat; echo end");
    expect(readFileSync(report?.log.stdout ?? "", "utf8")).toBe("end\n");
  });

  test("a text", async () => {
    const { report } = await bash(at, "cat", { stdin: { text: "given\n" } });
    expect(readFileSync(report?.log.stdout ?? "", "utf8")).toBe("given\n");
  });

  test("a stream, both ways", async () => {
    const heard: string[] = [];
    const { report } = await observed(
      {
        provider: "lines",
        workspace: at.work,
        session: at.session,
        args: ["bash", "-c", "while read -r line; do echo got $line; done; echo over"],
        stdin: "stream",
      },
      (event, control) => {
        if (event.kind === "process.started") control.write("one\n");
        if (event.kind !== "provider.event" || event.payload.event.type !== "line") return;
        heard.push(event.payload.event.text);
        if (event.payload.event.text === "got one") control.write("two\n");
        if (event.payload.event.text === "got two") control.endInput();
      },
    );
    expect(heard).toEqual(["got one", "got two", "over"]);
    expect(report?.exitCode).toBe(0);
  });

  test("an agent that closes it is an event, not a crash", async () => {
    const { events, report } = await observed(
      {
        provider: "lines",
        workspace: at.work,
        session: at.session,
        args: ["bash", "-c", "exec 0<&-; echo closed; sleep 0.3"],
        stdin: "stream",
      },
      (event, control) => {
        if (event.kind === "provider.event" && event.payload.event.type === "line") control.write("too late\n");
      },
    );
    expect(events.find((e) => e.kind === "process.stdin_closed")?.payload).toEqual({ error: "EPIPE" });
    expect(report?.exitCode).toBe(0);
  });

  test("standard error is passed on as it comes", async () => {
    const parts: string[] = [];
    await bash(at, "echo one >&2; echo two >&2", {
      stderr: (bytes) => parts.push(Buffer.from(bytes).toString("utf8")),
    });
    expect(parts.join("")).toBe("one\ntwo\n");
  });
});

describe("supervision", () => {
  test("an idle agent is stopped, and told of first", async () => {
    const outcome = await bash(at, "echo start; sleep 60", { supervisor: { idleKillMs: 400 } });
    expect(kinds(outcome.events)).toEqual([
      "process.started",
      "provider.event",
      "supervisor.idle_kill",
      "process.exited",
    ]);
    expect(exitOf(outcome)).toEqual([-1, 15, false, "idle_timeout"]);
  });

  test.each([
    ["idle_kill", { idleKillMs: 300 }],
    ["watchdog", { watchdogMs: 300 }],
  ] as const)("%s is told before the signal: the agent still lives then", async (name, supervisor) => {
    const alive: boolean[] = [];
    let pid = 0;
    const outcome = await observed(
      { provider: "lines", workspace: at.work, session: at.session, args: ["sleep", "60"], supervisor },
      async (event) => {
        if (event.kind === "process.started") ({ pid } = event.payload);
        if (event.kind !== `supervisor.${name}`) return;
        await new Promise((resolve) => setTimeout(resolve, 150));
        alive.push(livingProcesses().some((p) => p.pid === pid));
      },
    );
    expect(alive).toEqual([true]);
    expect(outcome.events.at(-1)?.kind).toBe("process.exited");
  });

  test("one that ignores SIGTERM is killed after the grace period", async () => {
    const outcome = await bash(at, "trap '' TERM; echo start; while :; do sleep 1; done", {
      supervisor: { idleKillMs: 300, idleKillGraceMs: 200 },
    });
    expect(exitOf(outcome)).toEqual([-1, 9, true, "idle_timeout"]);
  });

  test("an agent that prints is not idle, also when its handler is slow", async () => {
    const outcome = await observed(
      {
        provider: "lines",
        workspace: at.work,
        session: at.session,
        args: ["bash", "-c", "for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done"],
        supervisor: { idleKillMs: 600 },
      },
      (event) => (event.kind === "provider.event" ? new Promise((resolve) => setTimeout(resolve, 150)) : undefined),
    );
    expect(outcome.report?.exitCode).toBe(0);
  });

  test("the watchdog kills at once, and activity holds it off", async () => {
    const outcome = await observed(
      {
        provider: "lines",
        workspace: at.work,
        session: at.session,
        args: [
          "bash",
          "-c",
          "trap '' TERM; for i in 1 2 3; do echo tick; sleep 0.2; done; while :; do echo noise; sleep 0.1; done",
        ],
        supervisor: { watchdogMs: 700, watchdogResetBy: "activity" },
      },
      (event, control) => {
        if (
          event.kind === "provider.event" &&
          event.payload.event.type === "line" &&
          event.payload.event.text === "tick"
        )
          control.activity();
      },
    );
    expect(exitOf(outcome)).toEqual([-1, 9, true, "watchdog_kill"]);
    expect(kinds(outcome.events).filter((kind) => kind !== "provider.event")).toEqual([
      "process.started",
      "supervisor.watchdog",
      "process.exited",
    ]);
    expect(
      outcome.events.filter(
        (e) => e.kind === "provider.event" && e.payload.event.type === "line" && e.payload.event.text === "tick",
      ),
    ).toHaveLength(3);
  });

  test("a crash is tried again, and the run goes on", async () => {
    const flag = join(at.dir, "crashed-once");
    const { report, events } = await bash(at, `if [ -e ${flag} ]; then echo fine; exit 0; fi; touch ${flag}; exit 3`, {
      supervisor: { restartOnCrash: 2 },
    });
    expect(kinds(events)).toEqual([
      "process.started",
      "process.exited",
      "supervisor.restart",
      "process.started",
      "provider.event",
      "process.exited",
    ]);
    expect(events.map((e) => e.attempt)).toEqual([1, 1, 1, 2, ...events.slice(4).map(() => 2)]);
    expect(events[2]?.payload).toMatchObject({ attempt: 1, backoff_for_ms: 1000, prev_exit: { exit_code: 3 } });
    expect(report).toMatchObject({ attempts: 2, exitCode: 0, cause: "" });
  });

  test("one that crashes again and again is given up", async () => {
    const outcome = await bash(at, "exit 3", { supervisor: { restartOnCrash: 1 } });
    expect(exitOf(outcome)).toEqual([3, 0, false, "restart_exhausted"]);
    expect(outcome.report?.attempts).toBe(2);
    expect(outcome.events.filter((e) => e.kind === "process.exited").map((e) => e.payload.cause)).toEqual([
      "",
      "restart_exhausted",
    ]);
  });

  test("a program that is gone at its restart is the end", async () => {
    const binary = at.script("once", '#!/bin/bash\nrm -- "$0"\nexit 3\n');
    const outcome = await observed({
      provider: "lines",
      binary,
      workspace: at.work,
      session: at.session,
      args: [],
      supervisor: { restartOnCrash: 3 },
    });
    expect(exitOf(outcome)[3]).toBe("restart_exhausted");
    expect(kinds(outcome.events)).toEqual([
      "process.started",
      "process.exited",
      "supervisor.restart",
      "process.exited",
    ]);
    expect(outcome.report?.error).toMatch(/could not be started/);
  });

  test("an abort ends the backoff at once, with one last event", async () => {
    const stop = new AbortController();
    const outcome = await bash(at, "exit 3", {
      supervisor: { restartOnCrash: 5, maxRestartBackoffMs: 86_400_000 },
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === "supervisor.restart") stop.abort();
      },
    });
    expect(exitOf(outcome)[3]).toBe("aborted");
    expect(kinds(outcome.events)).toEqual([
      "process.started",
      "process.exited",
      "supervisor.restart",
      "process.exited",
    ]);
  });

  test("a deadline is told in the exit's place", async () => {
    const outcome = await bash(at, "sleep 60", { deadlineMs: 500 });
    expect(kinds(outcome.events)).toEqual(["process.started", "process.timeout"]);
    expect(exitOf(outcome)[3]).toBe("timeout");
  });
});

describe("stopping", () => {
  test("an abort stops everything, with the provider's own way first", async () => {
    const duration = uniqueSleep();
    const stop = new AbortController();
    const binary = at.script(
      "claude-polite",
      `#!/bin/bash\ntrap 'echo "{\\"type\\":\\"result\\",\\"is_error\\":true,\\"subtype\\":\\"error_during_execution\\"}"; exit 0' INT\necho '${INIT}'\nsetsid sleep ${duration} &\nwhile :; do sleep 0.05; done\n`,
    );
    const outcome = await observed(
      { provider: "claude", binary, workspace: at.work, session: at.session, args: [], signal: stop.signal },
      (event) => {
        if (event.kind === "provider.event") stop.abort();
      },
    );
    expect(outcome.report).toMatchObject({ cause: "aborted", exitCode: 0, turn: "failed" });
    expect(outcome.events.some((e) => e.kind === "provider.event" && e.payload.event.type === "done")).toBe(true);
    expect(sleepersOf(duration)).toBe(0);
  });

  test("a last word that looks like success does not hide the stop", async () => {
    const stop = new AbortController();
    const binary = at.script(
      "claude-cheerful",
      `#!/bin/bash\ntrap 'echo "{\\"type\\":\\"result\\",\\"is_error\\":false}"; exit 0' INT\necho '${INIT}'\nwhile :; do sleep 0.05; done\n`,
    );
    const outcome = await observed(
      { provider: "claude", binary, workspace: at.work, session: at.session, args: [], signal: stop.signal },
      (event) => {
        if (event.kind === "provider.event") stop.abort();
      },
    );
    expect(outcome.error).toBeInstanceOf(ExitError);
    expect(outcome.report).toMatchObject({ cause: "aborted", turn: "failed" });
  });

  test("one that ignores it is killed after the grace period", async () => {
    const stop = new AbortController();
    const outcome = await bash(at, "trap '' INT TERM; echo up; while :; do sleep 1; done", {
      waitDelayMs: 200,
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === "provider.event") stop.abort();
      },
    });
    expect(exitOf(outcome)).toEqual([-1, 9, true, "aborted"]);
  });

  test("a stop from elsewhere is an abort, and nothing is started again", async () => {
    const session = await connect({ dir: at.session, own: false });
    const outcome = await bash(at, "echo up; sleep 60", {
      supervisor: { restartOnCrash: 3 },
      onEvent: (event) => {
        if (event.kind === "process.started") void session.stop(event.payload.run_id, { reason: "somebody else" });
      },
    });
    expect(exitOf(outcome)[3]).toBe("aborted");
    expect(outcome.report?.attempts).toBe(1);
  });

  test("an owner that is killed in the middle of a turn leaves nothing, and the record says so", async () => {
    const duration = uniqueSleep();
    const owner = join(at.dir, "owner.mjs");
    writeFileSync(
      owner,
      `import { run } from ${JSON.stringify(join(import.meta.dirname, "../../dist/agent/index.js"))};
      await run({ provider: "lines", workspace: ${JSON.stringify(at.work)}, session: ${JSON.stringify(at.session)}, args: ["bash", "-c", "setsid sleep ${duration} & echo up; wait"],
        onEvent: (event) => { if (event.kind === "process.started") console.log(event.payload.run_id); } });`,
    );
    const child = spawn(process.execPath, [owner], { stdio: ["ignore", "pipe", "inherit"] });
    const id = await new Promise<string>((resolve) =>
      child.stdout.once("data", (data: Buffer) => resolve(data.toString("utf8").trim())),
    );
    await eventually("the agent's own process", () => sleepersOf(duration) === 1);
    child.kill("SIGKILL");
    await eventually("nothing left", () => sleepersOf(duration) === 0);
    const session = await connect({ dir: at.session, own: false });
    const { run: view } = await session.wait(id, { timeoutMs: 10_000 });
    expect(view).toMatchObject({ state: "ended", cause: "owner_lost" });
  });
});

test("the session's host may be killed meanwhile", async () => {
  const outcome = await bash(at, "echo before; sleep 1; echo after", {
    onEvent: (event) => {
      if (event.kind !== "process.started") return;
      const host = livingProcesses().find((p) => p.command.includes("host-main") && p.command.includes(at.session));
      if (host === undefined) throw new Error("no host was found");
      process.kill(host.pid, "SIGKILL");
    },
  });
  expect(outcome.report).toMatchObject({ exitCode: 0, cause: "", turn: "completed" });
  const lines = outcome.events.flatMap((e) =>
    e.kind === "provider.event" && e.payload.event.type === "line" ? [e.payload.event.text] : [],
  );
  expect(lines).toEqual(["before", "after"]);
});

describe("a handler", () => {
  test("that is slow gets one event at a time, in order", async () => {
    let inside = 0;
    const seen: AgentEvent["kind"][] = [];
    const outcome = await observed(
      {
        provider: "lines",
        workspace: at.work,
        session: at.session,
        args: ["bash", "-c", "for i in 1 2 3 4 5; do echo $i; done"],
      },
      async (event) => {
        expect(++inside).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside -= 1;
        seen.push(event.kind);
      },
    );
    expect(outcome.error).toBeNull();
    expect(seen.at(-1)).toBe("process.exited");
    expect(seen.filter((kind) => kind === "provider.event")).toHaveLength(6);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("handler broke");
      },
    ],
    ["rejects", () => Promise.reject(new Error("handler broke"))],
  ] as const)("that %s stops the run, and gets its last event", async (_, fail) => {
    const outcome = await bash(at, "echo one; echo two; sleep 60", {
      onEvent: (event) => (event.kind === "provider.event" ? fail() : undefined),
    });
    expect(exitOf(outcome)[3]).toBe("aborted");
    expect(outcome.report?.error).toBe("onEvent threw: handler broke");
    expect(kinds(outcome.events)).toEqual(["process.started", "provider.event", "process.exited"]);
    expect(outcome.events.filter((e) => e.kind === "provider.event")).toHaveLength(1);
  });

  test("of standard error that throws stops the run as well", async () => {
    const duration = uniqueSleep();
    let calls = 0;
    const outcome = await bash(at, `echo one >&2; echo two >&2; sleep 0.2; echo three >&2; exec sleep ${duration}`, {
      stderr: () => {
        calls += 1;
        throw new Error("taker broke");
      },
    });
    expect(exitOf(outcome)[3]).toBe("aborted");
    expect(outcome.report?.error).toBe("stderr threw: taker broke");
    expect([calls, sleepersOf(duration)]).toEqual([1, 0]);
  });

  test("that is stuck holds its run, but not the agent: the deadline comes all the same", async () => {
    const duration = uniqueSleep();
    let release: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    const running = bash(at, `echo up; exec sleep ${duration}`, {
      deadlineMs: 500,
      onEvent: (event) => (event.kind === "provider.event" ? stuck : undefined),
    });
    await eventually("the agent", () => sleepersOf(duration) === 1);
    await eventually("its end", () => sleepersOf(duration) === 0);
    release();
    const outcome = await running;
    expect(exitOf(outcome)[3]).toBe("timeout");
    expect(kinds(outcome.events)).toEqual(["process.started", "provider.event", "process.timeout"]);
  });

  test("that stops its own run at the first event", async () => {
    const stop = new AbortController();
    const outcome = await bash(at, "echo one; sleep 60", { signal: stop.signal, onEvent: () => stop.abort() });
    expect(exitOf(outcome)[3]).toBe("aborted");
    expect(outcome.events.at(-1)?.kind).toBe("process.exited");
  });
});

describe("what can't be meant is refused before anything starts", () => {
  const base = { provider: "lines", workspace: at.work, session: at.session, args: ["true"] };
  test.each([
    ["an unknown provider", { provider: "nope" }, /provider: "nope"/],
    ["a missing program", { binary: "no-such-program-here" }, /no-such-program-here/],
    ["a program that may not be executed", { binary: join(import.meta.dirname, "runs.ts") }, /may not be executed/],
    ["a relative workspace", { workspace: "." }, /workspace: \. is not an absolute path/],
    ["a missing workspace", { workspace: "/no/such/dir" }, /workspace: \/no\/such\/dir/],
    ["a workspace that is a file", { workspace: join(import.meta.dirname, "runs.ts") }, /not a directory/],
    ["a limit of zero", { limits: { memoryBytes: 0 } }, /limits\.memoryBytes: 0/],
    ["a negative limit", { limits: { cpuTimeMs: -5 } }, /limits\.cpuTimeMs: -5/],
    ["a deadline that is no number", { deadlineMs: Number.NaN }, /deadlineMs: NaN/],
    ["a deadline in the wrong unit", { deadlineMs: 10 ** 12 }, /deadlineMs/],
    ["a negative number of restarts", { supervisor: { restartOnCrash: -1 } }, /supervisor\.restartOnCrash/],
    ["a value with a NUL", { env: { A: "x\0y" } }, /env: "A"/],
    ["a name with a NUL", { env: { "A\0": "x" } }, /env: "A\\u0000"/],
    ["a name with an equals sign", { env: { "A=B": "x" } }, /env: "A=B"/],
    ["a value that is no text", { env: { A: 1 } }, /env\.A: 1/],
    ["an environment that is none", { env: "A=1" }, /env: "A=1"/],
    ["a limit that there is not", { limits: { memory: 5 } }, /limits\.memory: "unknown".*memoryBytes/],
    ["a supervisor's word that there is not", { supervisor: { idleMs: 5 } }, /supervisor\.idleMs.*idleKillMs/],
    ["a word that there is not", { timeout: 5 }, /timeout: "unknown".*deadlineMs/],
    ["limits that are none", { limits: "1G" }, /limits: "1G"/],
    ["a signal that is none", { signal: {} }, /signal: .*AbortSignal/],
    ["a handler that is none", { onEvent: 5 }, /onEvent: 5/],
    ["a stderr that is none", { stderr: 5 }, /stderr: 5/],
    ["a profile that is no text", { profile: 5 }, /profile: 5/],
    ["a program that is no text", { binary: 5 }, /binary: 5/],
    ["an argument that is no text", { args: ["true", 5] }, /args\[1\]: 5/],
    ["an argument with a NUL", { args: ["a\0b"] }, /args\[0\]/],
    ["a relative program", { binary: "./x" }, /relative path/],
    ["a limit of no whole number", { limits: { openFiles: 9.5 } }, /limits\.openFiles: 9\.5/],
    ["an unknown watchdog's food", { supervisor: { watchdogResetBy: "output" } }, /watchdogResetBy: "output"/],
    ["an argument that is too long", { args: ["true", "x".repeat(200_000)] }, /args\[1\]/],
    ["a profile that is none", { profile: "no-such-profile" }, /no-such-profile/],
    ["a profile file that is missing", { profile: "/no/such/profile.json" }, /profile\.json/],
    ["a standard input that is missing", { stdin: { file: "/no/such/file" } }, /stdin/],
    ["a directory as standard input", { stdin: { file: "/etc" } }, /stdin: \/etc is a directory \(EISDIR\)/],
    ["a version that is too old", { binary: "/bin/bash", minVersion: "999.0" }, /minVersion/],
  ] as const)("%s", async (_, wrong, message) => {
    const events: AgentEvent[] = [];
    // What a caller without a compiler may hand over.
    const config = { onEvent: (event: AgentEvent) => void events.push(event), ...base, ...(wrong as object) };
    await expect(run(config)).rejects.toThrow(message);
    const refusal: unknown = await run(config).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: "ProctorError" });
    expect(refusal).toHaveProperty(["details"]);
    expect(events).toEqual([]);
  });

  test("a profile that names a missing path", async () => {
    const profile = join(at.dir, "profile.json");
    writeFileSync(profile, JSON.stringify({ writable: ["/no/such/place"] }));
    await expect(run({ ...base, profile })).rejects.toThrow(/writable: \/no\/such\/place/);
  });

  test("a program that the system can't execute", async () => {
    const binary = at.script("not-a-program", "#!/no/such/interpreter\n");
    const outcome = await observed({ ...base, binary });
    expect(outcome.error).toMatchObject({ name: "ProctorError", code: "ERR_HOST_SPAWN" });
    expect(outcome.events).toEqual([]);
  });

  test("a workspace that vanished on the way to the start", async () => {
    const workspace = join(at.dir, "vanishing");
    mkdirSync(workspace);
    const running = observed({ ...base, workspace, args: ["true"] });
    rmSync(workspace, { recursive: true });
    const outcome = await running;
    expect(outcome.error).toMatchObject({ name: "ProctorError" });
    expect(outcome.events).toEqual([]);
  });

  test("arguments that are too long together", async () => {
    const outcome = await observed({
      ...base,
      args: ["true", ...Array.from({ length: 40 }, () => "y".repeat(100_000))],
    });
    expect(outcome.error).toMatchObject({
      name: "ProctorError",
      code: "ERR_INPUT_AGENT",
      message: expect.stringMatching(/^args: /),
      details: { field: "args" },
    });
    expect(outcome.events).toEqual([]);
  });

  test("a signal that was aborted already", async () => {
    await expect(run({ ...base, signal: AbortSignal.abort(new Error("changed my mind")) })).rejects.toThrow(
      "changed my mind",
    );
  });
});
