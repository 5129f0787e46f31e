import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServer, ungreetedServer } from "./mcp-process.ts";
import { eventually } from "./process-watch.ts";

test.each(["2025-11-25", "2025-06-18", "2024-11-05"])("greets clients of %s in their version", async (version) => {
  const server = ungreetedServer();
  const { result } = await server.initialize(version);
  expect(result).toMatchObject({
    protocolVersion: version,
    capabilities: { tools: {} },
    serverInfo: { name: "proctor" },
  });
  expect((await server.tool("bash", { command: ["echo hello"] })).run.output).toBe("hello");
});

test("serves clients of 2026-07-28: discovery, and calls that each carry their envelope", async () => {
  const server = ungreetedServer();
  const { result } = await server.discover();
  expect(result?.["supportedVersions"]).toContain("2026-07-28");
  expect(result?.["capabilities"]).toMatchObject({ tools: {} });
  const { result: listed } = await server.request("tools/list", {});
  expect(listed?.["tools"]).toHaveLength(8);
  const started = await server.tool("bash", { command: ["sleep 300"], background: true });
  expect((await server.tool("runner_status", { id: started.run.id })).run.state).toBe("running");
  expect((await server.tool("bash", { command: ["echo $((6*7))"] }, "tok")).run.output).toBe("42");
});

test("a request in a version that nobody here speaks is refused, on a connection that is open, too", async () => {
  const server = ungreetedServer();
  const { result } = await server.discover();
  const supported = result?.["supportedVersions"];
  expect((await server.tool("bash", { command: ["echo served"] })).run.output).toBe("served");
  const refused = { code: -32022, data: { supported, requested: "2099-01-01" } };
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  const call = { name: "bash", arguments: { command: ["touch was-run"] }, _meta };
  expect((await server.request("tools/call", call)).error).toMatchObject(refused);
  expect((await server.request("tools/list", { _meta })).error).toMatchObject(refused);
  expect((await server.request("server/discover", { _meta })).error).toMatchObject(refused);
  const old = { "io.modelcontextprotocol/protocolVersion": "2025-11-25" };
  expect((await server.request("tools/call", { ...call, _meta: old })).error).toMatchObject({
    code: -32022,
    data: { supported, requested: "2025-11-25" },
  });
  expect(existsSync(join(server.home, "was-run"))).toBe(false);
  // What is told to be supported is served, and the connection goes on.
  for (const version of supported as string[]) {
    const named = { "io.modelcontextprotocol/protocolVersion": version };
    const { result: listed } = await server.request("tools/list", { _meta: named });
    expect(listed?.["tools"]).toHaveLength(8);
  }
  expect((await server.tool("bash", { command: ["echo on"] })).run.output).toBe("on");
});

test("a request in a version that nobody here speaks is refused as the first one", async () => {
  const server = ungreetedServer();
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2099-01-01",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const answer = await server.request("tools/list", { _meta: envelope });
  expect(answer.error).toMatchObject({ code: -32022, data: { supported: ["2026-07-28"], requested: "2099-01-01" } });
  expect((await server.discover()).result?.["supportedVersions"]).toEqual(["2026-07-28"]);
});

test("a client of 2026-07-28 that falls back is served too", async () => {
  const server = ungreetedServer();
  await server.request("server/discover", {});
  const { result } = await server.initialize();
  expect(result?.["protocolVersion"]).toBe("2025-11-25");
  expect((await server.tool("bash", { command: ["echo back"] })).run.output).toBe("back");
});

test("the session is the server's start-up configuration: every call of it is in the same one", async () => {
  const server = ungreetedServer();
  await server.discover();
  const first = await server.tool("bash", { command: ["true"] });
  const second = await server.tool("bash", { command: ["true"] });
  expect(first.run.session).toBe(second.run.session);
  expect(first.run.log.path.startsWith(server.sessionDir)).toBe(true);
});

test("unknown methods and tools are errors of the protocol", async () => {
  const server = await startServer();
  expect((await server.request("no/such/method", {})).error?.code).toBe(-32601);
  expect((await server.request("tools/call", { name: "no_such_tool", arguments: {} })).error?.code).toBe(-32602);
  expect((await server.request("ping", {})).result).toEqual({});
});

test("lines that are no message are passed over, and one that names an id is answered", async () => {
  const server = await startServer();
  server.write('garbage\n\n{]\n[1,2]\n"text"\nnull\n{"jsonrpc":"2.0"}\n\u0000\u0001\n');
  server.write('{"id":"odd","method":"tools/list"}\n');
  server.write(Buffer.from([0xff, 0xfe, 0x80, 0x0a]));
  await server.until(() => server.others.length > 0);
  expect(server.others).toMatchObject([{ id: "odd", error: { code: -32600 } }]);
  expect((await server.tool("bash", { command: ["echo alive"] })).run.output).toBe("alive");
  expect(server.stderr).toContain("passed over");
  expect(server.badLines).toEqual([]);
});

test("a command of 20 MB in one line is run, and its answer stays small", async () => {
  const server = await startServer();
  const filler = `# ${"x".repeat(20_000_000)}\n`;
  const { id, answer } = server.beginTool("bash", { command: [`${filler}echo the end`] });
  const { run, result } = await answer;
  expect(id).toBeGreaterThan(0);
  expect(run).toMatchObject({ output: "the end", exitCode: 0 });
  expect(JSON.stringify(result).length).toBeLessThan(100_000);
  expect(JSON.stringify((await server.tool("runner_list")).result).length).toBeLessThan(100_000);
});

test("a line beyond every bound is passed over, and the next one is served", async () => {
  const server = await startServer();
  const part = "x".repeat(1 << 20);
  server.write('{"jsonrpc":"2.0","id":"huge","method":"tools/call","params":"');
  for (let i = 0; i < 70; i++)
    if (!server.child.stdin.write(part)) await new Promise((resolve) => server.child.stdin.once("drain", resolve));
  server.write('"}\n');
  expect((await server.tool("bash", { command: ["echo alive"] })).run.output).toBe("alive");
  expect(server.stderr).toContain("was passed over");
});

test("a hundred calls at once are each answered with their own", async () => {
  const server = await startServer();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => server.tool("bash", { command: [`echo call-${i}`] }, `token-${i}`)),
  );
  expect(answers.map((answer) => answer.run.output)).toEqual(answers.map((_, i) => `call-${i}`));
  expect(server.badLines).toEqual([]);
  expect(server.stderr).toBe("");
});

test("quick calls are answered while a slow one waits", async () => {
  const server = await startServer();
  const order: string[] = [];
  const slow = server.tool("bash", { command: ["until [ -e go ]; do sleep 0.05; done; echo slow"] }).then((answer) => {
    order.push("slow");
    return answer;
  });
  for (let i = 0; i < 5; i++) {
    expect((await server.tool("bash", { command: [`echo ${i}`] })).run.output).toBe(String(i));
    order.push(`quick ${i}`);
  }
  await server.tool("bash", { command: ["touch go"] });
  expect((await slow).run.output).toBe("slow");
  expect(order.at(-1)).toBe("slow");
});

test("a reader that is slow gets every answer, whole, and the server meanwhile serves", async () => {
  const server = ungreetedServer({ reading: "manual" });
  server.send({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  });
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const calls = Array.from({ length: 120 }, (_, i) =>
    server.tool("bash", { command: [`seq 1 2000 | sed s/^/${i}-/; exit 1`] }),
  );
  // Answers of more than 1 MB together do not fit into what the system holds between the two.
  void server.tool("bash", { command: ["touch done"] });
  await eventually(() => existsSync(join(server.home, "done")));
  server.read();
  const answers = await Promise.all(calls);
  expect(answers.map((answer) => answer.run.output.endsWith(`${answers.indexOf(answer)}-2000`))).toEqual(
    answers.map(() => true),
  );
  expect(server.badLines).toEqual([]);
});

test("nothing but protocol on standard output, whatever else is switched on", async () => {
  const server = await startServer({
    env: {
      NODE_OPTIONS: "--trace-warnings --pending-deprecation --trace-deprecation",
      DEBUG: "*",
      NODE_DEBUG: "net,child_process,stream,timer",
      FORCE_COLOR: "1",
      PROCTOR_PROMOTE_AFTER_MS: "not-a-number",
    },
  });
  await server.request("tools/list", {});
  for (let i = 0; i < 3; i++)
    await server.tool("bash", { command: [`printf '{"jsonrpc":"2.0"}\\n\\n'; seq 1 20000; echo err >&2`] });
  server.child.stdin.end();
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(server.badLines).toEqual([]);
  expect(server.others).toEqual([]);
  expect(server.stderr).not.toBe("");
});

test("what others in the process print goes to standard error", async () => {
  const loud = `data:text/javascript,${encodeURIComponent('setInterval(() => { console.log("printed"); process.stdout.write("written\\n"); }, 5).unref(); console.info("before");')}`;
  const server = ungreetedServer({ env: { NODE_OPTIONS: `--import ${loud}` } });
  await server.initialize();
  const before = server.badLines.length;
  const answer = await server.tool("bash", { command: ["unset NODE_OPTIONS; echo quiet"] });
  expect(answer.run.output).toBe("quiet");
  server.child.stdin.end();
  await server.exited;
  expect(server.badLines.slice(before)).toEqual([]);
  expect(server.stderr).toContain("printed");
  expect(server.stderr).toContain("written");
});

test("a setting that can't be used is told in the notes of the answer", async () => {
  const server = await startServer({ env: { PROCTOR_PROMOTE_AFTER_MS: "soon" } });
  const { run } = await server.tool("bash", { command: ["echo works"] });
  expect(run.output).toBe("works");
  expect(run.notes.join(" ")).toMatch(/PROCTOR_PROMOTE_AFTER_MS.*soon/);
});

test("a session that was ended from elsewhere is replaced at the next call", async () => {
  const server = await startServer();
  const first = await server.tool("bash", { command: ["echo one"] });
  rmSync(server.sessionDir, { recursive: true });
  await eventually(() => !existsSync(server.sessionDir));
  const second = await server.tool("bash", { command: ["echo two"] });
  expect(second.run.output).toBe("two");
  expect(second.run.session).not.toBe(first.run.session);
});
