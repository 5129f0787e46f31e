/**
 * The MCP server as a process, and a client that speaks plain JSON-RPC to it: one that checks each line the
 * server prints, and can do what a proper client never would.
 */
import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { RunResult, StopReport } from "../../src/model/index.ts";

/** The program, which serves when told `mcp`. */
export const PROGRAM: string = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** A message of the protocol, as far as tests look at it. */
export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A tool's answer. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly result: Record<string, unknown>;
  /** `_meta["proctor/run"]`; tests read what the tool they called puts there. */
  readonly run: RunResult &
    StopReport & { readonly text: string; readonly from: number; readonly to: number; readonly written: number };
  readonly runs: readonly (RunResult & StopReport)[];
  readonly refusal: { readonly code: string; readonly message: string } | undefined;
}

/** How a server is started. */
export interface StartOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** "manual" leaves standard output unread until `read()`. */
  readonly reading?: "at-once" | "manual";
}

/** One server and the connection to it. */
export class McpProcess {
  readonly home: string;
  readonly sessionDir: string;
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Lines on standard output that are no message of the protocol. */
  readonly badLines: string[] = [];
  readonly notifications: Message[] = [];
  /** Messages without a request of ours, and answers to ids that are not numbers. */
  readonly others: Message[] = [];
  stderr = "";
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #watchers = new Set<() => void>();
  #parts: Buffer[] = [];
  #nextId = 1;
  #meta: Record<string, unknown> | null = null;

  constructor(options: StartOptions = {}) {
    this.home = realpathSync(mkdtempSync(join(tmpdir(), "proctor-mcp-")));
    this.sessionDir = join(this.home, "session");
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: this.home,
      TMPDIR: this.home,
      PROCTOR_SESSION_DIR: this.sessionDir,
      ...options.env,
    };
    this.child = spawn(process.execPath, [PROGRAM, "mcp", ...(options.args ?? [])], {
      cwd: this.home,
      env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.exited = new Promise((resolve) => this.child.on("exit", (code, signal) => resolve({ code, signal })));
    this.child.stdin.on("error", () => undefined);
    this.child.stderr.on("data", (chunk: Buffer) => (this.stderr += chunk.toString("utf8")));
    if (options.reading !== "manual") this.read();
  }

  /** Closes the connection, waits for the server's end, removes its home. */
  async dispose(): Promise<void> {
    this.child.stdin.end();
    this.child.stdout.resume();
    const timer = setTimeout(() => this.child.kill("SIGKILL"), 15_000);
    await this.exited;
    clearTimeout(timer);
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Begins to read standard output. */
  read(): void {
    this.child.stdout.on("data", (chunk: Buffer) => {
      let rest = chunk;
      for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
        this.#line(Buffer.concat([...this.#parts, rest.subarray(0, at)]).toString("utf8"));
        this.#parts = [];
        rest = rest.subarray(at + 1);
      }
      if (rest.length > 0) this.#parts.push(rest);
    });
    this.child.stdout.on("end", () => {
      if (this.#parts.length > 0)
        this.badLines.push(`torn: ${Buffer.concat(this.#parts).toString("utf8").slice(0, 200)}`);
    });
  }

  /** Opens the connection as clients of 2025 do. */
  async initialize(protocolVersion = "2025-11-25"): Promise<Message> {
    const answer = await this.request("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  /** Opens the connection as clients of 2026-07-28 do: every request then carries its envelope. */
  async discover(): Promise<Message> {
    this.#meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    return this.request("server/discover", {});
  }

  /** Sends a message as it is. */
  send(message: object): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /** Sends anything. */
  write(bytes: string | Buffer): void {
    this.child.stdin.write(bytes);
  }

  /** Sends a request; gives its id and its answer. */
  begin(method: string, params: Record<string, unknown>): { readonly id: number; readonly answer: Promise<Message> } {
    const id = this.#nextId++;
    const meta = { ...this.#meta, ...(params["_meta"] as object | undefined) };
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.send({
      jsonrpc: "2.0",
      id,
      method,
      params: { ...params, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) },
    });
    return { id, answer };
  }

  request(method: string, params: Record<string, unknown>): Promise<Message> {
    return this.begin(method, params).answer;
  }

  /** Begins a call of a tool. */
  beginTool(
    name: string,
    args: Record<string, unknown>,
    progressToken?: string | number,
  ): { readonly id: number; readonly answer: Promise<ToolAnswer> } {
    const { id, answer } = this.begin("tools/call", {
      name,
      arguments: args,
      ...(progressToken === undefined ? {} : { _meta: { progressToken } }),
    });
    return { id, answer: answer.then(toolAnswer) };
  }

  tool(name: string, args: Record<string, unknown> = {}, progressToken?: string | number): Promise<ToolAnswer> {
    return this.beginTool(name, args, progressToken).answer;
  }

  /** Resolves when `isTrue` holds; looked at after each message. */
  until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isTrue()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Progress notifications so far. */
  get progress(): readonly Record<string, unknown>[] {
    return this.notifications.filter((n) => n.method === "notifications/progress").map((n) => n.params ?? {});
  }

  #line(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      this.badLines.push(line.slice(0, 200));
      return;
    }
    if (message.jsonrpc !== "2.0") this.badLines.push(line.slice(0, 200));
    else if (message.id === undefined) this.notifications.push(message);
    else {
      const resolve = typeof message.id === "number" ? this.#waiting.get(message.id) : undefined;
      if (resolve === undefined) this.others.push(message);
      else resolve(message);
    }
    for (const look of this.#watchers) look();
  }
}

/** The parts of a tool's answer. */
function toolAnswer(message: Message): ToolAnswer {
  if (message.result === undefined)
    throw new Error(`the server answered with an error: ${JSON.stringify(message.error)}`);
  const { result } = message;
  const content = result["content"] as readonly { readonly type: string; readonly text: string }[];
  const meta = (result["_meta"] ?? {}) as Record<string, unknown>;
  return {
    text: content.map((block) => block.text).join("\n"),
    isError: result["isError"] === true,
    result,
    run: meta["proctor/run"] as ToolAnswer["run"],
    runs: meta["proctor/runs"] as ToolAnswer["runs"],
    refusal: meta["proctor/error"] as ToolAnswer["refusal"],
  };
}

/** A server for the rest of a file or suite, greeted; whoever starts it disposes of it. */
export async function greetedServer(options: StartOptions = {}): Promise<McpProcess> {
  const server = new McpProcess(options);
  await server.initialize();
  return server;
}

/** A server for one test, not greeted yet. */
export function ungreetedServer(options: StartOptions = {}): McpProcess {
  const server = new McpProcess(options);
  onTestFinished(() => server.dispose());
  return server;
}

/** A server for one test, greeted. */
export async function startServer(options: StartOptions = {}): Promise<McpProcess> {
  const server = ungreetedServer(options);
  await server.initialize();
  return server;
}
