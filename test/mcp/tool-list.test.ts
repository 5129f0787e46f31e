import { readdirSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { startServer, ungreetedServer } from "./mcp-process.ts";
import type { McpProcess } from "./mcp-process.ts";

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: string;
    readonly properties: Record<string, unknown>;
    readonly required?: readonly string[];
  };
  readonly outputSchema?: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

async function listed(server: McpProcess): Promise<readonly ListedTool[]> {
  const { result } = await server.request("tools/list", {});
  return (result?.["tools"] ?? []) as readonly ListedTool[];
}

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  bash: ["command", "name", "timeout", "background", "interactive", "lifetime", "cwd", "env"],
  runner_list: [],
  runner_status: ["id"],
  runner_logs: ["id", "lines", "from", "fromLine", "grep"],
  runner_wait: ["id", "timeout", "match"],
  runner_input: ["id", "text", "enter", "keys"],
  runner_stop: ["id", "reason"],
  runner_stop_all: [],
};

test("offers the eight tools with exactly their parameters, and no output schema", async () => {
  const tools = await listed(await startServer());
  expect(Object.fromEntries(tools.map((tool) => [tool.name, Object.keys(tool.inputSchema.properties)]))).toEqual(
    PARAMETERS,
  );
  expect(tools.filter((tool) => tool.outputSchema !== undefined)).toEqual([]);
  expect(tools.find((tool) => tool.name === "bash")?.inputSchema.properties["command"]).toMatchObject({
    type: "array",
    items: { type: "string" },
  });
  expect(tools.filter((tool) => tool.annotations?.readOnlyHint === true).map((tool) => tool.name)).toEqual([
    "runner_list",
    "runner_status",
    "runner_logs",
    "runner_wait",
  ]);
});

test("costs a model fewer than 1,200 tokens", async () => {
  const tools = await listed(await startServer());
  expect(encode(JSON.stringify(tools)).length).toBeLessThan(1200);
});

test("--tools offers only those, and a call of another is refused", async () => {
  const server = await startServer({ args: ["--tools", "runner_logs,bash"] });
  expect((await listed(server)).map((tool) => tool.name)).toEqual(["bash", "runner_logs"]);
  const answer = await server.request("tools/call", { name: "runner_stop_all", arguments: {} });
  expect(answer.error?.code).toBe(-32602);
  expect((await server.tool("bash", { command: ["echo goes on"] })).text).toContain("goes on");
});

test("--tools takes the names without their prefix", async () => {
  const server = await startServer({ args: ["--tools", "bash,wait,logs,stop"] });
  expect((await listed(server)).map((tool) => tool.name)).toEqual([
    "bash",
    "runner_logs",
    "runner_wait",
    "runner_stop",
  ]);
});

test("--structured gives each tool an output schema", async () => {
  const tools = await listed(await startServer({ args: ["--structured"] }));
  expect(tools.filter((tool) => tool.outputSchema === undefined)).toEqual([]);
});

test.each([
  [["--tools", "bash,nonsense"], /nonsense.*Accepted: some of bash, runner_list/],
  [["--tools", ","], /Accepted: some of bash/],
  [["--no-such-flag"], /--no-such-flag.*Accepted: --tools/],
  [["stray"], /stray/],
])("a command line that can't be meant is refused: %j", async (args, message) => {
  const server = ungreetedServer({ args });
  expect(await server.exited).toEqual({ code: 125, signal: null });
  expect(server.stderr.replaceAll("\n", " ")).toMatch(message);
  expect(server.badLines).toEqual([]);
});

test("listing tools starts no session", async () => {
  const server = await startServer();
  await listed(server);
  expect(readdirSync(server.home)).toEqual([]);
});

test("--help names the options and serves nothing", async () => {
  const server = ungreetedServer({ args: ["--help"] });
  expect(await server.exited).toEqual({ code: 0, signal: null });
  const help = server.badLines.join("\n");
  for (const option of ["--tools NAME,...", "--structured", "--session DIR"]) expect(help).toContain(option);
});

test("--session names the session's directory", async () => {
  const server = await startServer({ args: ["--session", "elsewhere"] });
  const { run } = await server.tool("bash", { command: ["echo here"] });
  expect(run.log.path.startsWith(`${server.home}/elsewhere/`)).toBe(true);
});
