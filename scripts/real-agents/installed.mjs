/**
 * Real agent CLIs with proctor as `proctor install` puts it into their configuration, against a scripted model on
 * this machine: `npm run test:installed-agents [CLIENT...]`. In each the model calls `bash`, gets a promoted run, waits for
 * it, reads its log, starts another and stops it; then the client is ended in the middle of a call by SIGTERM, SIGINT
 * and SIGKILL, and nothing may be left. The last line is "N passed, N failed".
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AGENTS } from "./agents.mjs";
import { startFakeModel } from "./fixtures/fake-model.mjs";
import { NODE_BIN, binaryOf, installAgents } from "./install.mjs";

const CLIENTS =
  process.argv.length > 2 ? process.argv.slice(2) : ["claude", "codex", "gemini", "opencode", "pi", "qwen", "copilot"];
const PROGRAM = join(import.meta.dirname, "..", "..", "dist", "cli", "main.js");
/** What their own shells are called. */
const OWN_SHELL = /^(Bash|bash|shell|exec_command|shell_command|run_shell_command|local_shell)$/;
/** How long a client may take for a turn, in milliseconds: some start for twenty seconds on a busy machine. */
const TURN_MS = 180_000;
/** How often a client is started until it knows its tools in time. */
const ATTEMPTS = 4;
/** How long everything may take to be gone: the lease, the grace period, and a busy machine. */
const GONE_MS = 30_000;

/** The ids of runs that went to the background, in the order in which the model was told them. */
function idsIn(raw) {
  return [...new Set([...raw.matchAll(/Still running[^:"]*: id ([a-z0-9-]{5,})/g)].map((match) => match[1]))];
}

/** A call of one of proctor's tools, whatever the client calls it. */
function call(name, args, seen) {
  const match = new RegExp(`(^|[_.-])${name}$`);
  return { kind: "tool", match, mcpOnly: /proctor/i, searchFor: /(bash|runner_\w+)$/, args, seen };
}

let last = "";
const look = (raw) => {
  last = raw;
};
const PROMOTED = '# @proctor: {"promoteAfterMs": 500}\necho begun; sleep 2; echo "promoted, and done: $((40 + 2))"';
const scenarios = {
  runner: {
    steps: [
      call("bash", { command: [PROMOTED] }),
      call("runner_wait", (raw) => ({ id: idsIn(raw)[0], timeout: 30 })),
      call("runner_logs", (raw) => ({ id: idsIn(raw)[0] })),
      call("bash", { command: ["echo another; sleep 600"], background: true }),
      call("runner_stop", (raw) => ({ id: idsIn(raw)[1], reason: "no longer needed" })),
      { kind: "text", text: "All done.", seen: look },
    ],
  },
  held: {
    steps: [
      call("bash", { command: ["setsid sleep 601 & sleep 602"], background: true }),
      call("bash", { command: ['touch "$HOME/mark"; (trap "" TERM; sleep 603) & sleep 604'] }),
      { kind: "text", text: "Not reached." },
    ],
  },
};

installAgents(CLIENTS);
const root = realpathSync(mkdtempSync(join(homedir(), ".pri-")));
const model = await startFakeModel({ extraScenarios: scenarios });
let passed = 0;
const failures = [];
try {
  for (const client of CLIENTS) {
    await report(client, "bash, promoted, wait, logs, another, stop", (attempt) => wholeTurn(client, attempt));
    for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"])
      await report(client, `nothing is left after ${signal}`, (attempt) => endedBy(client, signal, attempt));
  }
} finally {
  await model.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/**
 * Makes a check. A client that asks its model before the server's tools are known (Claude Code, on a busy machine)
 * has tried nothing yet, and is started again.
 */
async function report(client, name, check) {
  const began = performance.now();
  let problems = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const from = model.log.length;
    problems = await check(`${attempt}`).catch((error) => [String(error?.stack ?? error)]);
    const first = model.log.slice(from).find((entry) => !entry.side && entry.round === 0);
    if (first?.noTool !== true) break;
    problems.push("the model was asked before the server's tools were known");
  }
  if (problems.length === 0) passed += 1;
  else failures.push(`${client}, ${name}`);
  const word = problems.length === 0 ? "ok  " : "FAIL";
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${word} ${client}, ${name} (${seconds} s)${problems.map((p) => `\n       ${p}`).join("")}`);
}

/** A home with the client's configuration, into which proctor was installed. */
function prepare(client, scenario, name) {
  const id = `${client}-${name}`;
  const home = join(root, id);
  const work = join(home, "work");
  mkdirSync(work, { recursive: true });
  const {
    args,
    env,
    files,
    isPair = false,
    keepsShell = false,
  } = AGENTS[client]({ base: model.url(scenario, id), home });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const environment = {
    PATH: [NODE_BIN, "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    SHELL: "/bin/bash",
    USER: "agent",
    ...env,
  };
  const proctor = (...words) =>
    spawnSync(process.execPath, [PROGRAM, ...words], { cwd: work, env: environment, encoding: "utf8" });
  const before = Object.fromEntries(Object.keys(files).map((path) => [path, readFileSync(join(home, path), "utf8")]));
  const installed = proctor("install", client, ...(keepsShell ? [] : ["--replace-shell"]));
  if (installed.status !== 0) throw new Error(`install: ${installed.stderr}`);
  // Which MCP tools may be called without asking is the user's to say, not the installer's.
  const allowed = client === "claude" ? args.map((arg) => (arg === "Bash" ? "mcp__proctor" : arg)) : args;
  return { id, home, work, args: allowed, env: environment, proctor, before, isPair, keepsShell };
}

/** Starts the client with a file as its standard output: some leave without draining a pipe. */
function start(client, { home, work, args, env }) {
  const out = openSync(join(home, "out"), "w");
  const child = spawn(binaryOf(client), args, { cwd: work, env, stdio: ["ignore", out, out], detached: true });
  closeSync(out);
  return child;
}

async function endOf(child) {
  if (child.exitCode !== null || child.signalCode !== null) return true;
  const limit = new AbortController();
  const late = sleep(TURN_MS, false, { signal: limit.signal }).catch(() => false);
  const ended = await Promise.race([once(child, "exit").then(() => true), late]);
  limit.abort();
  return ended;
}

async function wholeTurn(client, attempt) {
  const world = prepare(client, "runner", `turn-${attempt}`);
  const problems = [];
  const doctor = world.proctor("doctor", client);
  if (doctor.status !== 0) problems.push(`doctor: ${doctor.stdout}${doctor.stderr}`);
  last = "";
  const child = start(client, world);
  if (!(await endOf(child))) {
    problems.push(`no end within ${TURN_MS} ms`);
    child.kill("SIGKILL");
  }
  const entries = model.log.filter((entry) => entry.runId === world.id && !entry.side && entry.round !== undefined);
  const calls = entries.flatMap((entry) => entry.calls ?? []).filter((name) => !/search/i.test(name));
  const expected = ["bash", "runner_wait", "runner_logs", "bash", "runner_stop"];
  if (calls.length !== 5 || calls.some((name, i) => !name.endsWith(expected[i])))
    problems.push(`calls: ${calls.join(", ")}`);
  const shells = [...new Set(entries.flatMap((entry) => entry.tools))].filter((name) => OWN_SHELL.test(name));
  if (!world.keepsShell && shells.length > 0) problems.push(`its own shell is still offered: ${shells.join(", ")}`);
  if (idsIn(last).length !== 2) problems.push(`ids that the model was told: ${idsIn(last).join(", ")}`);
  if (!last.includes("promoted, and done: 42")) problems.push("the log's last line did not reach the model");
  if (!/stopped/i.test(last)) problems.push("the stop did not reach the model");
  problems.push(...(await leftOf(world.home)));
  if (problems.length > 0) problems.push(`it said: ${readFileSync(join(world.home, "out"), "utf8").slice(-600)}`);
  const removed = world.proctor("uninstall", client);
  if (removed.status !== 0) problems.push(`uninstall: ${removed.stderr}`);
  const gone = world.proctor("doctor", client);
  if (gone.status !== 1 || !/is in none of/.test(gone.stdout)) problems.push(`after uninstall: ${gone.stdout}`);
  // Claude Code rewrites its own file at each start; whatever has comments of ours is to the byte as it was.
  for (const [path, text] of Object.entries(world.before))
    if (readFileSync(join(world.home, path), "utf8") !== text)
      problems.push(`${path} is not as it was: ${readFileSync(join(world.home, path), "utf8").slice(0, 600)}`);
  return problems;
}

async function endedBy(client, signal, attempt) {
  const world = prepare(client, "held", `${signal.toLowerCase()}-${attempt}`);
  const child = start(client, world);
  const mark = join(world.home, "mark");
  const until = performance.now() + TURN_MS;
  const sleeping = () => processesOf(world.home).filter((one) => /sleep 60[1-4]/.test(one));
  const isUnder = () => existsSync(mark) && sleeping().length >= 4;
  while (!isUnder() && child.exitCode === null && child.signalCode === null && performance.now() < until)
    await sleep(50);
  const problems = [];
  if (!existsSync(mark))
    problems.push(`the command did not start: ${readFileSync(join(world.home, "out"), "utf8").slice(-600)}`);
  const running = sleeping();
  if (running.length !== 4) problems.push(`running before: ${running.join("; ")}`);
  const { pid } = child;
  if (pid === undefined) return [...problems, "it could not be started"];
  process.kill(world.isPair ? -pid : pid, signal);
  if (!(await endOf(child))) {
    problems.push(`${signal} did not end it`);
    child.kill("SIGKILL");
  }
  problems.push(...(await leftOf(world.home)));
  return problems;
}

/** Living processes with this home, once there are none, or when the time is over. */
async function leftOf(home) {
  const until = performance.now() + GONE_MS;
  while (processesOf(home).length > 0 && performance.now() < until) await sleep(100);
  return processesOf(home).map((one) => `left: ${one}`);
}

function processesOf(home) {
  const found = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      const text = readFileSync(`/proc/${name}/environ`, "utf8");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      const isZombie = /^State:\s+Z/m.test(readFileSync(`/proc/${name}/status`, "utf8"));
      if (!isZombie && (text.split("\0").includes(`HOME=${home}`) || command.includes(home)))
        found.push(`${name} ${command.slice(0, 120)}`);
    } catch {
      // Gone between the listing and the look.
    }
  }
  return found;
}
