/** The official SDK's client, as agents use it, against the server over standard input and output. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { PROGRAM } from "./mcp-process.ts";

const ERAS = [
  ["2025-11-25", { mode: "legacy" }],
  ["2026-07-28", { mode: { pin: "2026-07-28" } }],
] as const;

/** What programs find beside the text. */
function beside({ _meta: meta }: { readonly _meta?: Record<string, unknown> | undefined }): Record<string, unknown> {
  return meta ?? {};
}

async function connected(versionNegotiation: (typeof ERAS)[number][1], args: readonly string[] = []): Promise<Client> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "proctor-sdk-")));
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
  onTestFinished(async () => {
    await client.close();
    rmSync(home, { recursive: true, force: true });
  });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, "mcp", ...args],
      cwd: home,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, PROCTOR_SESSION_DIR: join(home, "session") },
    }),
  );
  return client;
}

test.each(ERAS)("%s: lists tools, calls them, follows progress", async (version, negotiation) => {
  const client = await connected(negotiation);
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  expect((await client.listTools()).tools.map((tool) => tool.name)).toHaveLength(8);
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  const call = client.callTool(
    { name: "bash", arguments: { command: ["echo from the SDK; until [ -e go ]; do sleep 0.05; done"] } },
    { onprogress: (progress) => progress.message?.endsWith(" s: from the SDK") === true && tell() },
  );
  await told;
  await client.callTool({ name: "bash", arguments: { command: ["touch go"] } });
  const result = await call;
  expect(result.isError ?? false).toBe(false);
  expect(result.content).toEqual([
    { type: "text", text: expect.stringMatching(/^from the SDK\nExit status 0 .*\nFull log: /) },
  ]);
  expect(beside(result)["proctor/run"]).toMatchObject({ exitCode: 0, output: "from the SDK" });
});

test.each(ERAS)("%s: an aborted call stops its run", async (_version, negotiation) => {
  const client = await connected(negotiation);
  const abort = new AbortController();
  const call = client.callTool(
    { name: "bash", arguments: { command: ["sleep 300"] } },
    { signal: abort.signal, onprogress: () => abort.abort() },
  );
  await expect(call).rejects.toThrow(/abort/i);
  const list = await client.callTool({ name: "runner_list" });
  const [run] = beside(list)["proctor/runs"] as { id: string }[];
  const ended = await client.callTool({ name: "runner_wait", arguments: { id: run?.id } });
  expect(beside(ended)["proctor/run"]).toMatchObject({ cause: "stopped" });
});

test.each(ERAS)(
  "%s: with --structured every answer fits its tool's output schema, which the client checks",
  async (_version, negotiation) => {
    const client = await connected(negotiation, ["--structured"]);
    await client.listTools();
    const ended = await client.callTool({ name: "bash", arguments: { command: ["echo one", "echo two"] } });
    const running = await client.callTool({ name: "bash", arguments: { command: ["sleep 300"], background: true } });
    const id = (running.structuredContent as { id: string }).id;
    const endedId = (ended.structuredContent as { id: string }).id;
    const calls = [
      ["runner_list", {}],
      ["runner_status", { id }],
      ["runner_status", { id: endedId }],
      ["runner_logs", { id: endedId }],
      ["runner_wait", { id, timeout: 0 }],
      ["runner_wait", { id: endedId }],
      ["runner_input", { id: endedId, text: "x" }],
      ["runner_stop", { id }],
      ["runner_stop_all", {}],
    ] as const;
    for (const [name, args] of calls) {
      const answer = await client.callTool({ name, arguments: args });
      expect({ name, structured: typeof answer.structuredContent }).toEqual({ name, structured: "object" });
    }
  },
);
