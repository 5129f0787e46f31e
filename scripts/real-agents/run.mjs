/**
 * Real agent CLIs under proctor, against a scripted model on this machine: `npm run test:real-agents`. Each
 * case checks the report and that no process is left. The last line is "N passed, N failed".
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { connect } from "../../dist/index.js";
import { ExitError, run } from "../../dist/agent/index.js";
import { startFakeModel } from "./fixtures/fake-model.mjs";
import { AGENTS } from "./agents.mjs";
import { NODE_BIN, binaryOf, installAgents } from "./install.mjs";

/** Each case: the model's script, what is done when a tool runs, and what the report must say. */
const CASES = [
  {
    name: "a text turn",
    scenario: "text",
    expect: { cause: "", turn: "completed", exitCode: 0 },
    says: /Hello from the fake model/,
  },
  { name: "a tool turn", scenario: "shell", expect: { cause: "", turn: "completed", exitCode: 0 }, tools: 1 },
  {
    name: "a tool result of 3 MB",
    scenario: "shell-big",
    expect: { cause: "", turn: "completed", exitCode: 0 },
    tools: 1,
  },
  { name: "the model answers 500", scenario: "err500", expect: { turn: "failed" }, error: /\w/ },
  { name: "the model answers 401", scenario: "err401", expect: { turn: "failed" }, error: /401|authenticat/i },
  { name: "the connection is cut", scenario: "cut", expect: { turn: "failed" }, error: /\w/ },
  {
    name: "SIGTERM from outside in a tool call",
    scenario: "shell-sleep",
    onTool: (pid) => process.kill(pid, "SIGTERM"),
    expect: { cause: "", turn: "missing" },
  },
  { name: "an abort in a tool call", scenario: "shell-sleep", abortOnTool: true, expect: { cause: "aborted" } },
];

const PROVIDERS = ["claude", "codex", "pi"];
installAgents(PROVIDERS);
const root = realpathSync(mkdtempSync(join(homedir(), ".proctor-real-agents-")));
const session = join(root, "session");
const model = await startFakeModel({});
let passed = 0;
const failures = [];
try {
  for (const provider of PROVIDERS) {
    for (const one of CASES) {
      const problems = await check(provider, one).catch((error) => [String(error?.stack ?? error)]);
      if (problems.length === 0) passed += 1;
      else failures.push(`${provider}, ${one.name}`);
      console.log(
        `${problems.length === 0 ? "ok  " : "FAIL"} ${provider}, ${one.name}${problems.map((p) => `\n       ${p}`).join("")}`,
      );
    }
  }
} finally {
  await model.close();
  const open = await connect({ dir: session, own: false });
  await open.end({ graceMs: 0 });
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function check(provider, one) {
  const id = `${provider}-${one.scenario}-${one.abortOnTool === true ? "abort" : "run"}`;
  const home = join(root, id);
  const workspace = join(home, "work");
  mkdirSync(workspace, { recursive: true });
  const { args, env, files } = AGENTS[provider]({ base: model.url(one.scenario, id), home });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const mark = join(home, "mark");
  const stop = new AbortController();
  const events = [];
  let pid = 0;
  let acted = false;
  const look = setInterval(() => {
    if (acted || pid === 0 || !readdirSync(home).includes("mark")) return;
    acted = true;
    if (one.abortOnTool === true) stop.abort();
    one.onTool?.(pid);
  }, 20);
  let report;
  try {
    report = await run({
      provider,
      binary: binaryOf(provider),
      workspace,
      session,
      args,
      env: {
        PATH: `${NODE_BIN}${delimiter}/usr/local/bin:/usr/bin:/bin`,
        HOME: home,
        LANG: "C.UTF-8",
        TERM: "dumb",
        SHELL: "/bin/bash",
        USER: "agent",
        FAKE_MARK: mark,
        REAL_AGENT: id,
        ...env,
      },
      deadlineMs: 120_000,
      signal: stop.signal,
      onEvent: (event) => {
        events.push(event);
        if (event.kind === "process.started") pid = event.payload.pid;
      },
    });
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    report = error.report;
  } finally {
    clearInterval(look);
  }
  const problems = [];
  for (const [key, value] of Object.entries(one.expect)) {
    if (report[key] !== value)
      problems.push(
        `${key}: expected ${value}, saw ${report[key]} (error: ${report.error}; exit ${report.exitCode} ${report.signal}; cause ${report.cause})`,
      );
  }
  const facts = events.filter((e) => e.kind === "provider.event").map((e) => e.payload.event);
  const text = facts
    .filter((e) => e.type === "text")
    .map((e) => e.text)
    .join("\n");
  if (one.says !== undefined && !one.says.test(text)) problems.push(`text: ${JSON.stringify(text.slice(0, 200))}`);
  if (one.tools !== undefined && facts.filter((e) => e.type === "tool_result").length !== one.tools)
    problems.push("no tool result");
  if (one.error !== undefined && !one.error.test(report.error ?? "")) problems.push(`error: ${report.error}`);
  if (report.sessionId === null) problems.push("no session");
  if (events[0]?.kind !== "process.started") problems.push(`first event ${events[0]?.kind}`);
  if (events.filter((e) => e.kind === "process.exited").length !== 1 || events.at(-1)?.kind !== "process.exited")
    problems.push("not exactly one last event");
  const left = leftOf(id);
  if (left.length > 0) problems.push(`left: ${left.join("; ")}`);
  return problems;
}

/** Living processes that carry this case's mark in their environment. */
function leftOf(id) {
  const found = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      if (!readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(`REAL_AGENT=${id}`)) continue;
      found.push(`${name} ${readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").slice(0, 100)}`);
    } catch {
      // Gone between the listing and the look.
    }
  }
  return found;
}
