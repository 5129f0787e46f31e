import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServer, ungreetedServer } from "./mcp-process.ts";
import type { McpProcess } from "./mcp-process.ts";
import { allGone, isAlive, processIn } from "./process-watch.ts";

/** A command that says it is working until the test lets it go on. */
const WORKING = "until [ -e go ]; do echo working; sleep 0.2; done";

/** Lets commands that wait for the file `go` go on. */
function letGo(server: McpProcess): void {
  writeFileSync(join(server.home, "go"), "");
}

test("a request with a token gets progress while its command runs, and none after its answer", async () => {
  const server = await startServer();
  const call = server.beginTool("bash", { command: [WORKING] }, "token-7");
  await server.until(() => server.progress.length >= 2);
  letGo(server);
  expect((await call.answer).run.exitCode).toBe(0);
  const { progress } = server;
  expect(progress.map((p) => p["progressToken"])).toEqual(progress.map(() => "token-7"));
  const numbers = progress.map((p) => Number(p["progress"]));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  expect(progress.at(-1)?.["message"]).toMatch(/^\d+ s: working$/);
  await server.tool("bash", { command: ["sleep 1.5"] });
  expect(server.progress).toHaveLength(progress.length);
});

test("a token may be a number, and clients of 2026-07-28 get progress as well", async () => {
  const server = ungreetedServer();
  await server.discover();
  const call = server.beginTool("bash", { command: ["echo stage-one", WORKING] }, 0);
  await server.until(() => server.progress.some((p) => String(p["message"]).endsWith("stage 2 of 2, working")));
  letGo(server);
  await call.answer;
  expect(server.progress.map((p) => p["progressToken"])).toEqual(server.progress.map(() => 0));
});

test("a wait reports progress too", async () => {
  const server = await startServer();
  const { run } = await server.tool("bash", { command: [WORKING], background: true });
  const waiting = server.beginTool("runner_wait", { id: run.id }, "w");
  await server.until(() => server.progress.some((p) => String(p["message"]).endsWith(": working")));
  letGo(server);
  expect((await waiting.answer).run.state).toBe("ended");
  expect(server.progress.map((p) => p["progressToken"])).toEqual(server.progress.map(() => "w"));
});

test("a command that takes longer than the threshold goes on in the background", async () => {
  const server = await startServer({ env: { PROCTOR_PROMOTE_AFTER_MS: "300" } });
  const answer = await server.tool("bash", { command: [WORKING, "echo second stage"] });
  expect(answer.isError).toBe(false);
  expect(answer.run).toMatchObject({ promoted: true, state: "running", cause: null });
  expect(answer.text).toMatch(/goes on in the background/);
  letGo(server);
  const ended = await server.tool("runner_wait", { id: answer.run.id });
  expect(ended.run).toMatchObject({ state: "ended", exitCode: 0, output: "second stage" });
});

test("cancelling a request stops its foreground run and everything of it", async () => {
  const server = await startServer();
  const call = server.beginTool("bash", {
    command: ["echo $$ > leader; setsid sh -c 'echo $$ > escaped; sleep 300' & sleep 300"],
    name: "to-cancel",
  });
  const processes = [await processIn(join(server.home, "leader")), await processIn(join(server.home, "escaped"))];
  server.send({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: call.id, reason: "changed my mind" },
  });
  await allGone(processes);
  const { runs } = await server.tool("runner_list");
  const { run } = await server.tool("runner_wait", { id: runs[0]?.id });
  expect(run).toMatchObject({ name: "to-cancel", state: "ended", cause: "stopped" });
});

test("a cancel for a request that was answered, or was never made, is ignored", async () => {
  const server = await startServer();
  const call = server.beginTool("bash", { command: ["echo $$ > leader; exec sleep 300"], background: true });
  await call.answer;
  const leader = await processIn(join(server.home, "leader"));
  server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: call.id } });
  server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99_999 } });
  server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: {} });
  expect((await server.tool("bash", { command: ["echo alive"] })).run.output).toBe("alive");
  expect(isAlive(leader)).toBe(true);
});

test("a cancelled wait leaves its run alone", async () => {
  const server = await startServer();
  const { run } = await server.tool("bash", { command: ["echo $$ > leader; exec sleep 300"], background: true });
  const leader = await processIn(join(server.home, "leader"));
  const call = server.beginTool("runner_wait", { id: run.id, match: "never" });
  server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: call.id } });
  expect((await server.tool("runner_status", { id: run.id })).run.state).toBe("running");
  expect(isAlive(leader)).toBe(true);
});
