/**
 * A real Pi with the extension, in RPC mode unless said otherwise, in a home of its own, with a scripted model.
 * PROCTOR_TEST_PI_NODE is the folder of another Node's program.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { startScriptedChat } from "./fixtures/scripted-chat.mjs";
import { NODE_BIN, binaryOf } from "./install.mjs";

/** How long anything may take on a busy machine, in milliseconds. */
const PATIENCE_MS = 60_000;
export const EXTENSION = join(import.meta.dirname, "..", "..", "dist", "pi", "index.js");

/** A home for Pi: `settings` are Pi's, `project` the text of .pi/proctor.json, `servers` those of its mcp.json. */
export async function prepareHome(home, script, { settings = {}, project = null, servers = null } = {}) {
  const model = await startScriptedChat(script);
  const agent = join(home, ".pi", "agent");
  const work = join(home, "work");
  mkdirSync(agent, { recursive: true });
  mkdirSync(join(work, ".pi"), { recursive: true });
  if (project !== null) writeFileSync(join(work, ".pi", "proctor.json"), project);
  if (servers !== null) writeFileSync(join(agent, "mcp.json"), JSON.stringify({ mcpServers: servers }));
  writeFileSync(join(agent, "settings.json"), JSON.stringify({ compaction: { keepRecentTokens: 1 }, ...settings }));
  const models = [
    {
      id: "fake-model",
      name: "Fake",
      reasoning: true,
      input: ["text"],
      contextWindow: 200000,
      maxTokens: 16000,
      cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
    },
  ];
  const providers = { fake: { baseUrl: model.url, api: "openai-completions", apiKey: "$FAKE_ACCESS", models } };
  writeFileSync(join(agent, "models.json"), JSON.stringify({ providers }));
  const env = {
    PATH: [process.env.PROCTOR_TEST_PI_NODE ?? NODE_BIN, "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    HOME: home,
    LANG: "C.UTF-8",
    SHELL: "/bin/bash",
    USER: "agent",
    PI_CODING_AGENT_DIR: agent,
    FAKE_ACCESS: "dummy",
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
  };
  return { home, work, env, model };
}

/** Living processes of this home, as "pid command". */
export function processesOf(home) {
  const found = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      const environment = readFileSync(`/proc/${name}/environ`, "utf8");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      const isZombie = /^State:\s+[ZX]/m.test(readFileSync(`/proc/${name}/status`, "utf8"));
      if (!isZombie && (environment.split("\0").includes(`HOME=${home}`) || command.includes(home)))
        found.push(`${name} ${command.slice(0, 120)}`);
    } catch {
      // Gone between the listing and the look.
    }
  }
  return found;
}

/** The sessions that stand in a home's state directory. */
export function sessionsOf(home) {
  const dir = join(home, ".local", "state", "proctor", "sessions");
  return existsSync(dir) ? readdirSync(dir) : [];
}

/** Resolves with what `look` gives once it is truthy. */
export async function eventually(what, look) {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > until) throw new Error(`not seen: ${what}`);
    await sleep(25);
  }
}

export class PiProcess {
  events = [];
  errors = "";
  #child;
  #next = 0;
  #answers = new Map();
  #choices = [];

  constructor({ work, env }, args = ["-e", EXTENSION]) {
    const mode = args.includes("--mode") ? [] : ["--mode", "rpc"];
    const pi = [...mode, "--model", "fake/fake-model", "--offline", ...args];
    this.#child = spawn(binaryOf("pi"), pi, { cwd: work, env, stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stderr.on("data", (data) => {
      this.errors += data;
    });
    // In JSON mode Pi reads its standard input to the end before it begins.
    if (args.includes("json")) this.#child.stdin.end();
    this.#child.stdin.on("error", () => undefined);
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#take(JSON.parse(line)));
  }

  get pid() {
    return this.#child.pid;
  }

  #take(event) {
    if (event.type === "response" && this.#answers.has(event.id)) this.#answers.get(event.id)(event);
    if (event.type === "extension_ui_request" && event.method === "select") {
      const choose = this.#choices.shift();
      const value = choose === undefined ? undefined : event.options.find((option) => choose.test(option));
      this.#write({
        type: "extension_ui_response",
        id: event.id,
        ...(value === undefined ? { cancelled: true } : { value }),
      });
    }
    this.events.push(event);
  }

  #write(command) {
    this.#child.stdin.write(`${JSON.stringify(command)}\n`);
  }

  /** The next dialogs are answered with the options that match. */
  choose(...patterns) {
    this.#choices.push(...patterns);
  }

  /** Sends a command and gives its response's data. */
  async ask(command) {
    const id = `r${this.#next++}`;
    const answered = new Promise((resolve) => this.#answers.set(id, resolve));
    this.#write({ id, ...command });
    const late = new AbortController();
    const response = await Promise.race([
      answered,
      sleep(PATIENCE_MS, null, { signal: late.signal }).catch(() => null),
      once(this.#child, "exit", { signal: late.signal }).then(
        () => null,
        () => null,
      ),
    ]);
    late.abort();
    if (response === null) throw new Error(`no answer to ${command.type}: ${this.errors.slice(-600)}`);
    if (!response.success) throw new Error(`${command.type}: ${response.error}`);
    return response.data;
  }

  of(type) {
    return this.events.filter((event) => event.type === type);
  }

  /** Prompts and waits until the agent has settled. */
  async prompt(message) {
    const before = this.of("agent_settled").length;
    await this.ask({ type: "prompt", message });
    await eventually("the agent's end", () => this.of("agent_settled").length > before);
  }

  /** The results of a tool, in order. */
  results(name) {
    return this.of("tool_execution_end").filter((event) => event.toolName === name);
  }

  /** What the user was told by dialogs, notices and the footer. */
  ui(method) {
    return this.of("extension_ui_request").filter((event) => event.method === method);
  }

  async kill(signal) {
    this.#child.kill(signal);
    await this.ended();
  }

  /** Closes its input and waits until it has left. */
  async leave() {
    this.#child.stdin.end();
    await this.ended();
  }

  async ended() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    await eventually("Pi's end", () => this.#child.exitCode !== null || this.#child.signalCode !== null);
  }
}
