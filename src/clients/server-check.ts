/**
 * Tries a server as a client would: starts it with the little environment that the strictest client passes on, greets
 * it, lists its tools, has it run a command, and closes its standard input. What it says is checked, and that
 * it goes.
 */
import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { formatDuration, messageOf } from "../model/index.ts";
import type { Check } from "../model/index.ts";
import type { ConfiguredServer } from "./client.ts";

/** What Codex passes to its servers; every other client passes more. */
const PASSED_ON = ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];
/** How long an answer may take, in milliseconds: half of what clients wait. */
const ANSWER_MS = 30_000;
/** How long it may take to leave once its standard input is closed, in milliseconds. */
const LEAVE_MS = 10_000;
/** The words that the command prints. */
const WORDS = "proctor answers";

type Server = ChildProcessByStdio<Writable, Readable, Readable>;
type Answer = { readonly result?: unknown; readonly error?: { readonly message?: unknown } };

/** Tries the server; gives the checks that were made, up to the first that failed. */
export async function checkServer(
  server: ConfiguredServer,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const passed = Object.fromEntries(PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  const child: Server = spawn(server.command, [...server.args], {
    cwd,
    env: { ...passed, ...server.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const caller = new Caller(child);
  const shown = [server.command, ...server.args].join(" ");
  try {
    const began = performance.now();
    const greeted = await caller.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "proctor-doctor", version: "1" },
    });
    caller.notify("notifications/initialized");
    checks.push({
      name: "server",
      ok: true,
      detail: `${nameOf(greeted)} answered ${formatDuration(performance.now() - began)} after its start: ${shown}`,
    });
    const tools = toolNames(await caller.request("tools/list", {}));
    const hasBash = tools.includes("bash");
    checks.push({
      name: "tools",
      ok: hasBash,
      detail: hasBash ? tools.join(", ") : `no "bash" among: ${tools.join(", ")}`,
    });
    if (!hasBash) return checks;
    const text = textOf(
      await caller.request("tools/call", { name: "bash", arguments: { command: [`echo '${WORDS}'`] } }),
    );
    const ok = text.includes(WORDS);
    checks.push({ name: "call", ok, detail: ok ? `bash ran "echo '${WORDS}'"` : `bash answered: ${text}` });
    child.stdin.end();
    const isGone = await caller.leaves(LEAVE_MS);
    checks.push({
      name: "end",
      ok: isGone,
      detail: isGone
        ? "left when its standard input was closed"
        : `was still there ${formatDuration(LEAVE_MS)} after its standard input was closed`,
    });
  } catch (error) {
    checks.push({
      name: ["server", "tools", "call", "end"][checks.length] ?? "end",
      ok: false,
      detail: `${messageOf(error)}${caller.said === "" ? "" : ` (it said: ${caller.said})`}: ${shown}`,
    });
  } finally {
    child.stdin.destroy();
    if (!(await caller.leaves(LEAVE_MS))) child.kill("SIGKILL");
  }
  return checks;
}

/** Requests to a server and its answers, one JSON message a line. */
class Caller {
  readonly #child: Server;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #gone: Promise<string>;
  #buffer = "";
  #errors = "";
  #next = 1;

  constructor(child: Server) {
    this.#child = child;
    child.stdin.on("error", () => undefined); // a server that is gone is told by its end
    child.stdout.setEncoding("utf8").on("data", (part: string) => this.#take(part));
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      this.#errors = (this.#errors + part).slice(-400);
    });
    this.#gone = new Promise((resolve) => {
      child.once("error", (error) => resolve(`it can't be started: ${error.message}`));
      child.once("close", (code, signal) => resolve(`it ended with ${signal ?? `exit status ${code ?? "unknown"}`}`));
    });
  }

  /** The last lines of its standard error, on one line. */
  get said(): string {
    return this.#errors.trim().replace(/\s+/g, " ");
  }

  async request(method: string, params: object): Promise<unknown> {
    const id = this.#next++;
    const answer = new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const timer = new AbortController();
    const late = new Promise<string>((resolve) => {
      const handle = setTimeout(
        () => resolve(`it did not answer ${method} within ${formatDuration(ANSWER_MS)}`),
        ANSWER_MS,
      );
      timer.signal.addEventListener("abort", () => clearTimeout(handle), { once: true });
    });
    const first = await Promise.race([answer, this.#gone, late]);
    timer.abort();
    if (typeof first === "string") throw new Error(first);
    if (first.error !== undefined) throw new Error(`it refused ${method}: ${String(first.error.message)}`);
    return first.result;
  }

  notify(method: string): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method })}\n`);
  }

  /** Whether it is gone within `ms`. */
  async leaves(ms: number): Promise<boolean> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined) return true;
    const gone = once(this.#child, "exit").then(() => true);
    const timer = new AbortController();
    const late = new Promise<boolean>((resolve) => {
      const handle = setTimeout(() => resolve(false), ms);
      timer.signal.addEventListener("abort", () => clearTimeout(handle), { once: true });
    });
    const isGone = await Promise.race([gone, late]);
    timer.abort();
    return isGone;
  }

  #take(part: string): void {
    const lines = (this.#buffer + part).split("\n");
    this.#buffer = lines.pop() ?? "";
    for (const line of lines) {
      const message = messageIn(line);
      if (message === null || typeof message.id !== "number") continue;
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    }
  }
}

/** What a line holds; null when it is no JSON object: a server may print what it likes before it serves. */
function messageIn(line: string): (Answer & { readonly id?: unknown }) | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

function nameOf(greeted: unknown): string {
  const info = field(greeted, "serverInfo");
  return `${String(field(info, "name"))} ${String(field(info, "version"))}`;
}

function toolNames(listed: unknown): readonly string[] {
  const tools = field(listed, "tools");
  return Array.isArray(tools) ? tools.map((tool) => String(field(tool, "name"))) : [];
}

function textOf(result: unknown): string {
  const content = field(result, "content");
  return Array.isArray(content) ? content.map((block) => String(field(block, "text"))).join("\n") : "";
}
