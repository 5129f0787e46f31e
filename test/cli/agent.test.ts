/** `proctor agent` as it is called: what is shown, what is told to programs, and how it exits. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually, livingProcesses } from "../session/processes.ts";
import { PROGRAM, newWorld } from "./command-line.ts";
import type { World } from "./command-line.ts";

/** Puts a program on PATH; gives the environment that has it. */
function withProgram(world: World, name: string, text: string): { PATH: string } {
  const dir = join(world.root, "bin");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, name), text, { mode: 0o755 });
  return { PATH: `${dir}:${process.env["PATH"] ?? ""}` };
}

const CLAUDE = `#!/bin/bash
echo '{"type":"system","subtype":"init","session_id":"s-1"}'
echo "{\\"type\\":\\"assistant\\",\\"message\\":{\\"content\\":[{\\"type\\":\\"tool_use\\",\\"id\\":\\"t\\",\\"name\\":\\"Bash\\",\\"input\\":{\\"command\\":\\"ls -la\\"}}]}}"
echo "{\\"type\\":\\"assistant\\",\\"message\\":{\\"content\\":[{\\"type\\":\\"text\\",\\"text\\":\\"asked: $2\\"}]}}"
echo '{"type":"result","is_error":false,"total_cost_usd":0.25,"usage":{"input_tokens":7,"output_tokens":3}}'
`;

test("for people: the text, a line for each tool call, and what it came to", async () => {
  const world = newWorld();
  const answer = await world.call(["agent", "claude", "--prompt", "fix it"], {
    env: withProgram(world, "claude", CLAUDE),
  });
  expect(answer.code).toBe(0);
  expect(answer.out).toBe("> Bash ls -la\nasked: fix it\n");
  expect(answer.err).toMatch(/^Completed after .*, 10 tokens, \$0\.2500\nLogs: /);
});

test("for programs: events, one document a line", async () => {
  const world = newWorld();
  const answer = await world.call(["agent", "claude", "--json", "--", "-p", "x"], {
    env: withProgram(world, "claude", CLAUDE),
  });
  const events = answer.out
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(events[0]).toMatchObject({ kind: "process.started", attempt: 1, payload: { args: ["-p", "x"] } });
  expect(events.at(-1)).toMatchObject({ kind: "process.exited", payload: { exit_code: 0, cause: "" } });
});

test("streamed text is shown once, though the whole follows", async () => {
  const world = newWorld();
  const script = `for p in 'One ' 'two.'; do echo "{\\"type\\":\\"text_delta\\",\\"text\\":\\"$p\\"}"; done; echo '{"type":"text","text":"One two."}'`;
  const answer = await world.call(["agent", "lines", "--", "bash", "-c", script]);
  expect(answer.out).toBe("One two.\n");
});

test("exits with 0 only if the turn completed", async () => {
  const world = newWorld();
  const env = withProgram(
    world,
    "claude",
    `#!/bin/bash\necho '{"type":"result","is_error":true,"result":"no credit"}'\n`,
  );
  const failed = await world.call(["agent", "claude"], { env });
  expect(failed.code).toBe(1);
  expect(failed.err).toContain("no credit");
  expect((await world.call(["agent", "lines", "--", "bash", "-c", "exit 7"])).code).toBe(7);
  expect((await world.call(["agent", "lines", "--", "bash", "-c", "kill -9 $$"])).code).toBe(137);
  expect((await world.call(["agent", "lines", "--timeout", "300ms", "--", "sleep", "30"])).code).toBe(124);
});

test("is a run like any other: it can go to the background, be listed, waited for and stopped", async () => {
  const world = newWorld();
  const started = await world.call([
    "agent",
    "-b",
    "--name",
    "worker",
    "lines",
    "--",
    "bash",
    "-c",
    "echo up; sleep 300",
  ]);
  const id = started.out.trim();
  expect(id).toMatch(/^[a-z0-9][a-z0-9-]{4,63}$/);
  expect((await world.call(["list"])).out).toMatch(/running .*worker/);
  expect((await world.call(["wait", id, "--match", "up"])).code).toBe(0);
  expect((await world.call(["logs", id])).out).toBe("up\n");
  const report = await world.stop(id);
  expect(report.confirmed).toBe(true);
  expect((await world.status(id)).cause).toBe("stopped");
});

test("a program by its path: beside the agent, or as --binary", async () => {
  const world = newWorld();
  mkdirSync(join(world.work, "inner"));
  writeFileSync(join(world.work, "inner", "prog"), '#!/bin/bash\necho "$PWD $1"\n', { mode: 0o755 });
  const inner = join(world.work, "inner");
  const beside = await world.call(["agent", "lines", "--cwd", "inner", "--", "./prog", "one"]);
  expect([beside.out, beside.code]).toEqual([`${inner} one\n`, 0]);
  const named = await world.call(["agent", "lines", "--binary", "inner/prog", "--", "two"]);
  expect([named.out, named.code]).toEqual([`${world.work} two\n`, 0]);
});

test("goes to the background of a session that is named", async () => {
  const world = newWorld();
  const dir = join(world.root, "named session");
  const started = await world.call([
    "agent",
    "-b",
    "--session",
    dir,
    "lines",
    "--",
    "bash",
    "-c",
    "echo up; sleep 300",
  ]);
  expect([started.code, started.err]).toEqual([0, ""]);
  const id = started.out.trim();
  expect((await world.call(["wait", id, "--match", "up", "--session", dir])).code).toBe(0);
  expect((await world.call(["stop", id, "--session", dir])).code).toBe(0);
  expect((await world.call(["session", "end", dir])).code).toBe(0);
});

test("on a terminal a line tells elapsed time, tokens and cost, and leaves nothing behind", async () => {
  const world = newWorld();
  const agent = `echo '{"type":"usage","usage":{"input_tokens":1200,"output_tokens":34},"costUsd":0.5}'; echo '{"type":"text","text":"said"}'; sleep 1.2`;
  writeFileSync(join(world.work, "agent"), `#!/bin/bash\n${agent}\n`, { mode: 0o755 });
  const command = `${process.execPath} ${PROGRAM} agent lines -- ./agent`;
  const answer = await world.spawn("script", ["-qefc", command, "/dev/null"], { env: { TERM: "xterm" } }).ended;
  expect(answer.code).toBe(0);
  const drawn = answer.out.split("\r\u001B[K");
  expect(drawn.filter((line) => /^[\d.]+ m?s, 1,234 tokens, \$0\.5000$/.test(line)).length).toBeGreaterThan(1);
  expect(drawn.at(-1)).toMatch(/^Completed after .*, 1,234 tokens, \$0\.5000\r\n/);
  expect(answer.out).toContain("said\r\n");
});

test("a supervisor in the background that is killed leaves nothing", async () => {
  const world = newWorld();
  const duration = `${process.pid}.991`;
  const { answer, supervisor, id } = await world.json<{ supervisor: number; id: string }>([
    "agent",
    "-b",
    "lines",
    "--",
    "bash",
    "-c",
    `sleep ${duration}`,
  ]);
  expect(answer.code).toBe(0);
  await eventually("the agent", () => livingProcesses().some((p) => p.command === `sleep ${duration}`));
  process.kill(supervisor, "SIGKILL");
  await eventually("nothing left", () => !livingProcesses().some((p) => p.command === `sleep ${duration}`));
  expect((await world.call(["wait", id])).code).toBe(0);
  expect((await world.status(id)).cause).toBe("owner_lost");
});

test("Ctrl-C stops the agent in its own way", async () => {
  const world = newWorld();
  const env = withProgram(
    world,
    "claude",
    `#!/bin/bash\ntrap 'echo "{\\"type\\":\\"result\\",\\"is_error\\":true}"; exit 0' INT\necho '{"type":"assistant","message":{"content":[{"type":"text","text":"working"}]}}'\nwhile :; do sleep 0.05; done\n`,
  );
  const call = world.start(["agent", "claude"], { env });
  await new Promise((resolve) => call.child.stdout?.once("data", resolve));
  call.child.kill("SIGINT");
  const answer = await call.ended;
  expect(answer.code).toBe(130);
  expect(answer.err).toMatch(/aborted after/);
});

test("what can't be meant is refused, named, and nothing runs", async () => {
  const world = newWorld();
  for (const [args, message] of [
    [["agent", "claud"], /Did you mean claude/],
    [["agent", "lines", "--memory", "0", "--", "true"], /--memory: "0"/],
    [["agent", "lines", "--sandbox", "no-such", "--", "true"], /"no-such" is no profile/],
    [["agent", "lines", "--prompt", "x"], /--prompt: lines/],
    [["agent", "lines", "--model", "x", "--", "true"], /go with --prompt/],
    [["agent", "lines", "--", "no-such-program-at-all"], /no-such-program-at-all/],
  ] as const) {
    const answer = await world.call(args);
    expect(answer.code).toBe(125);
    expect(answer.err).toMatch(message);
  }
  expect((await world.json<{ runs: unknown[] }>(["list"])).runs).toEqual([]);
});

test("a sandbox of the shell: what it refused is said, and a profile without network has none", async () => {
  const world = newWorld();
  const refused = await world.run(["--sandbox", "read-only", "touch here"]);
  expect(refused.exitCode).toBe(1);
  expect(refused.notes.join()).toMatch(/sandbox "read-only" refused a write/);
  const inside = await world.run(["--sandbox", "workspace-write", "touch here", "ls"]);
  expect(inside.output).toContain("here");
});
