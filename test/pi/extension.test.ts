/** The extension with a real session: what it starts, tells, hands over and leaves. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "../../src/index.ts";
import { estimateTokens } from "../../src/text/index.ts";
import extension from "../../src/pi/index.ts";
import { eventually } from "../session/processes.ts";
import { PiStandIn } from "./pi-stand-in.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "proctor-pi-")));
const state = process.env["XDG_STATE_HOME"];
let cwd = "";
let opened: PiStandIn[] = [];

beforeEach(() => {
  cwd = mkdtempSync(join(scratch, "work-"));
  process.env["XDG_STATE_HOME"] = join(cwd, "state");
});

afterEach(async () => {
  for (const pi of opened) await pi.fire("session_shutdown", { reason: "quit" });
  opened = [];
});

afterAll(() => {
  process.env["XDG_STATE_HOME"] = state;
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

function load(conversation = "one", isTrusted = true): PiStandIn {
  const pi = new PiStandIn(cwd, conversation, isTrusted);
  extension(pi.api);
  return pi;
}

async function begin(conversation = "one", reason = "startup", isTrusted = true): Promise<PiStandIn> {
  const pi = load(conversation, isTrusted);
  await pi.fire("session_start", { reason });
  opened.push(pi);
  return pi;
}

/** Starts a run that ends when its gate is opened. */
async function background(pi: PiStandIn, gate: string, last = "echo over"): Promise<string> {
  const command = `until [ -e ${join(cwd, gate)} ]; do sleep 0.05; done; ${last}`;
  const { details } = await pi.call("bash", { command, background: true });
  return (details as { run: { id: string } }).run.id;
}

function open(gate: string): void {
  writeFileSync(join(cwd, gate), "");
}

async function runStates(pi: PiStandIn): Promise<readonly string[]> {
  const { structuredContent } = await pi.call("runner_list", {});
  return (structuredContent as { runs: { state: string }[] }).runs.map((run) => run.state);
}

test("loading it, and the start of a conversation, start and write nothing", async () => {
  const pi = await begin();
  expect([...pi.tools.keys()]).toEqual([
    "bash",
    "runner_list",
    "runner_status",
    "runner_logs",
    "runner_wait",
    "runner_input",
    "runner_stop",
    "runner_stop_all",
  ]);
  expect(await pi.call("runner_list", {})).toMatchObject({ structuredContent: { runs: [] } });
  expect(existsSync(join(cwd, "state"))).toBe(false);
});

test("the tools cost a model less than 1,200 tokens, and each rule names its tool", () => {
  const tools = [...load().tools.values()];
  const declared = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  const rules = tools.flatMap(({ promptSnippet, promptGuidelines }) => [
    promptSnippet ?? "",
    ...(promptGuidelines ?? []),
  ]);
  expect(estimateTokens([...declared, ...rules].join("\n"))).toBeLessThan(1200);
  for (const { name, promptGuidelines } of tools)
    for (const rule of promptGuidelines ?? []) expect(rule).toContain(name);
});

test("a session that was ended from elsewhere is replaced by the next command", async () => {
  const pi = await begin();
  const { structuredContent } = await pi.call("bash", { command: "echo once" });
  const path = (structuredContent as { full_output_path: string }).full_output_path;
  const other = await connect({ dir: path.slice(0, path.indexOf("/runs/")), own: false });
  await other.end();
  expect(await pi.call("runner_list", {})).toMatchObject({ structuredContent: { runs: [] } });
  expect(await pi.call("bash", { command: "echo again" })).toMatchObject({ structuredContent: { output: "again\n" } });
  expect(await runStates(pi)).toEqual(["ended"]);
});

test("runner_logs goes to the line that an excerpt names", async () => {
  const pi = await begin();
  const { details } = await pi.call("bash", { command: "seq 1 3000; echo 'error: disk full'; seq 1 3000; exit 1" });
  const { id } = (details as { run: { id: string } }).run;
  const logs = (given: object) => pi.call("runner_logs", { id, ...given });
  const here = await logs({ fromLine: 3001, lines: 2 });
  expect(here.content[0]?.text).toMatch(/^error: disk full\n1\n\[bytes 13893 to 13912 of /);
  expect((await logs({ fromLine: 9999 })).content[0]?.text).toMatch(/^\[there is no line 9999: the log has \d+ bytes/);
  await expect(logs({ fromLine: 0 })).rejects.toThrow(/^fromLine: 0 can't be used\. Accepted: a whole number from 1 /);
});

test("a result has Pi's shape; a status other than 0 is an error that keeps it", async () => {
  const pi = await begin();
  const good = await pi.call("bash", { command: "echo out; echo err >&2" });
  expect(good.isError).toBeUndefined();
  expect(good.content[0]?.text).toMatch(/^out\nerr\nExit status 0/);
  expect(good.structuredContent).toMatchObject({ output: "out\nerr\n", truncated: false, exit_code: 0 });
  const bad = await pi.call("bash", { command: "echo before; exit 3" });
  expect(bad).toMatchObject({ isError: true, structuredContent: { output: "before\n", exit_code: 3 } });
  const late = await pi.call("bash", { command: "sleep 60", timeout: 0.3 });
  expect(late).toMatchObject({ isError: true, structuredContent: { cause: "timeout" } });
});

test("a script gets the first and the last half of an output of more than 1 MiB", async () => {
  const pi = await begin();
  const { structuredContent } = await pi.call("bash", {
    command: "echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last",
  });
  const { output, truncated } = structuredContent as { output: string; truncated: boolean };
  expect(truncated).toBe(true);
  expect(output).toMatch(/^first\nx+\n\[1951\d{3} bytes omitted\]\nx+\nlast\n$/);
  expect(Buffer.byteLength(output)).toBeLessThan(1024 * 1024 + 100);
});

test("what ends in the background wakes an idle agent, once", async () => {
  const pi = await begin();
  const id = await background(pi, "gate", "echo it is over; exit 4");
  open("gate");
  await eventually("the message", () => pi.messages.length > 0);
  expect(pi.messages[0]?.content).toContain(`Background run ${id} has ended`);
  expect(pi.messages[0]?.content).toMatch(/it is over\nExit status 4/);
  expect(await pi.fire("before_agent_start")).toBeUndefined();
  expect(pi.messages).toHaveLength(1);
});

test("while the agent works, it comes with the end of that work, once", async () => {
  const pi = await begin();
  pi.isIdle = false;
  const first = await background(pi, "gate");
  const second = await background(pi, "gate");
  open("gate");
  const other = { type: "custom_message", customType: "other" };
  const told: string[] = [];
  await eventually("both", async () => {
    const answer = (await pi.fire("agent_before_settle", { entries: [other] })) as
      | { entries: { customType: string; content?: string }[]; continue: boolean }
      | undefined;
    if (answer !== undefined) {
      expect(answer.continue).toBe(true);
      expect(answer.entries.map(({ customType }) => customType)).toEqual(["other", "proctor-completion"]);
      told.push(answer.entries[1]?.content ?? "");
    }
    return [first, second].every((id) => told.some((text) => text.includes(id)));
  });
  for (const id of [first, second]) expect(told.join("\n").split(`Background run ${id} has ended`)).toHaveLength(2);
  expect(await pi.fire("agent_before_settle", { entries: [] })).toBeUndefined();
  expect(pi.messages).toEqual([]);
});

test("what the agent stopped, waited for or looked at is no news", async () => {
  const pi = await begin();
  const stopped = await background(pi, "never");
  const waited = await background(pi, "gate");
  expect(await pi.call("runner_stop", { id: stopped })).toMatchObject({ structuredContent: { confirmed: true } });
  pi.isIdle = false;
  open("gate");
  await pi.call("runner_wait", { id: waited });
  expect(await pi.fire("agent_before_settle", { entries: [] })).toBeUndefined();
  expect(await pi.fire("before_agent_start")).toBeUndefined();
});

test("an instance that takes over finds the runs, and an end between the two is told to it", async () => {
  const first = await begin();
  await background(first, "first");
  const second = await background(first, "second");
  await first.fire("session_shutdown", { reason: "reload" });
  opened = [];
  open("second");
  const next = await begin("one", "reload");
  await eventually("the message", () => next.messages.length > 0);
  expect(next.messages[0]?.content).toContain(second);
  expect(first.messages).toEqual([]);
  expect(await runStates(next)).toEqual(["running", "ended"]);
});

test("an end is told to the conversation that knows of the run, and a fork knows of it", async () => {
  const first = await begin("one");
  const id = await background(first, "gate");
  await first.fire("session_shutdown", { reason: "new" });
  const other = await begin("two", "new");
  open("gate");
  await eventually("the notice", () => other.notices.some((text) => text.includes("another conversation")));
  await other.fire("session_shutdown", { reason: "resume" });
  expect(other.messages).toEqual([]);
  const back = await begin("one", "resume");
  await eventually("the message", () => back.messages.some(({ content }) => content.includes(id)));
  const later = await background(back, "later");
  await back.fire("session_shutdown", { reason: "fork" });
  opened = [];
  const fork = await begin("three", "fork");
  open("later");
  await eventually("the message in the fork", () => fork.messages.some(({ content }) => content.includes(later)));
});

test("after a compaction the model is reminded of what goes on", async () => {
  const pi = await begin();
  await pi.fire("session_compact");
  expect(pi.messages).toEqual([]);
  const id = await background(pi, "never");
  await pi.fire("session_compact");
  expect(pi.messages).toMatchObject([{ display: false }]);
  expect(pi.messages[0]?.content).toContain(id);
});

test("the footer counts what runs", async () => {
  const pi = await begin();
  await background(pi, "gate");
  await eventually("the count", () => pi.statuses.at(-1) === "runs: 1 running (/runs)");
  open("gate");
  await eventually("no count", () => pi.statuses.at(-1) === undefined);
});

test("the end of Pi ends the session and removes what it kept", async () => {
  const pi = await begin();
  await background(pi, "never");
  await pi.fire("session_shutdown", { reason: "quit" });
  opened = [];
  expect(readdirSync(join(cwd, "state", "proctor", "sessions"))).toEqual([]);
});

test("beside proctor's own MCP server the model is offered one shell, and the user is told once", async () => {
  const pi = await begin();
  const own = [...pi.active];
  const servers = ["mcp__proctor__bash", "mcp__proctor__runner_list"];
  const others = ["read", "mcp__docs__bash", "mcp__proctor_docs__search"];
  pi.active = [...others, ...own, ...servers];
  await pi.fire("before_agent_start");
  expect(pi.active).toEqual([...others, ...own]);
  // A server that comes back later.
  pi.active = [...pi.active, ...servers];
  await pi.fire("turn_start");
  expect(pi.active).toEqual([...others, ...own]);
  expect(pi.notices).toEqual([expect.stringContaining("proctor uninstall pi")]);
});

test("a shell of the server's stays where the extension's own was turned off", async () => {
  const pi = await begin();
  pi.active = ["read", "mcp__proctor__bash"];
  await pi.fire("turn_start");
  expect(pi.active).toEqual(["read", "mcp__proctor__bash"]);
  expect(pi.notices).toEqual([]);
});

test("a project's settings count when it is trusted, and the user is told what can't be used", async () => {
  mkdirSync(join(cwd, ".pi"));
  writeFileSync(join(cwd, ".pi", "proctor.json"), JSON.stringify({ promoteAfterMs: 100, nonsense: 1 }));
  const pi = await begin("one", "startup", true);
  expect(pi.notices).toEqual([expect.stringMatching(/"nonsense" in .*proctor\.json: there is no such setting/)]);
  const result = await pi.call("bash", { command: "sleep 0.6" });
  expect(result).toMatchObject({ structuredContent: { promoted: true } });
  expect(result.content[0]?.text).not.toContain("nonsense");
  await pi.fire("session_shutdown", { reason: "quit" });
  const wary = await begin("one", "startup", false);
  expect(wary.notices).toEqual([expect.stringContaining("Pi does not trust this project")]);
  expect(await wary.call("bash", { command: "sleep 0.6" })).toMatchObject({ structuredContent: { promoted: false } });
});
