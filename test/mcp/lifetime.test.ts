import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processTable } from "../../src/os/index.ts";
import type { ProcessIdentity } from "../../src/model/index.ts";
import { startServer, ungreetedServer } from "./mcp-process.ts";
import type { McpProcess } from "./mcp-process.ts";
import { allGone, eventually, processIn } from "./process-watch.ts";

/** A server with a background run that escaped its group, and a foreground call in flight; the processes of both. */
async function busyServer(
  env: Readonly<Record<string, string>> = {},
): Promise<{ server: McpProcess; processes: readonly ProcessIdentity[] }> {
  const server = await startServer({ env });
  await server.tool("bash", { command: ["setsid sh -c 'echo $$ > background; sleep 300' & wait"], background: true });
  server.beginTool("bash", { command: ["echo $$ > foreground; sleep 300"] });
  return {
    server,
    processes: [await processIn(join(server.home, "background")), await processIn(join(server.home, "foreground"))],
  };
}

/** Processes that were started with the session's directory in their command line: its host and guardian. */
function sessionProcesses(server: McpProcess): readonly number[] {
  const table = processTable();
  return table
    .snapshot()
    .map((entry) => entry.identity.pid)
    .filter((pid) => table.commandLine(pid)?.includes(server.sessionDir) === true);
}

async function everythingGone(server: McpProcess, processes: readonly ProcessIdentity[]): Promise<void> {
  await allGone(processes);
  await eventually(() => !existsSync(server.sessionDir));
  await eventually(() => sessionProcesses(server).length === 0);
}

test("the end of standard input ends the session before the server exits", async () => {
  const { server, processes } = await busyServer();
  server.child.stdin.end();
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(existsSync(server.sessionDir)).toBe(false);
  expect(server.badLines).toEqual([]);
  await everythingGone(server, processes);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s ends the session like the end of input", async (signal) => {
  const { server, processes } = await busyServer();
  server.child.kill(signal);
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(existsSync(server.sessionDir)).toBe(false);
  await everythingGone(server, processes);
});

test("a closed standard output ends the session", async () => {
  const { server, processes } = await busyServer();
  server.child.stdout.destroy();
  server.send({ jsonrpc: "2.0", id: "x", method: "ping" });
  expect(await server.exited).toEqual({ code: 0, signal: null });
  await everythingGone(server, processes);
});

test("a client that stopped reading can't keep the server from ending", async () => {
  const server = ungreetedServer({ reading: "manual" });
  void server.initialize();
  for (let i = 0; i < 60; i++) server.beginTool("bash", { command: ["seq 1 3000; exit 1"] });
  server.beginTool("bash", { command: ["echo $$ > foreground; exec sleep 300"] });
  const foreground = await processIn(join(server.home, "foreground"));
  server.child.kill("SIGTERM");
  expect(await server.exited).toEqual({ code: 0, signal: null });
  await everythingGone(server, [foreground]);
});

test("a closed standard error does not", async () => {
  const server = await startServer();
  server.child.stderr.destroy();
  server.write("garbage that would be noted\nmore\n");
  expect((await server.tool("bash", { command: ["echo alive"] })).run.output).toBe("alive");
});

test("commands that ignore SIGTERM are gone when the server has exited", async () => {
  const server = await startServer();
  await server.tool("bash", {
    command: ["trap '' TERM; echo $$ > stubborn; while :; do sleep 1; done"],
    background: true,
  });
  const stubborn = await processIn(join(server.home, "stubborn"));
  server.child.stdin.end();
  expect(await server.exited).toEqual({ code: 0, signal: null });
  await everythingGone(server, [stubborn]);
});

test("a second signal lets the server leave at once, and the session is ended all the same", async () => {
  const server = await startServer();
  await server.tool("bash", {
    command: ["trap 'echo > termed' TERM; echo $$ > stubborn; while :; do sleep 0.1; done"],
    background: true,
  });
  const stubborn = await processIn(join(server.home, "stubborn"));
  server.child.kill("SIGTERM");
  await eventually(() => existsSync(join(server.home, "termed")));
  server.child.kill("SIGTERM");
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(processTable().isAlive(stubborn)).toBe(true);
  await everythingGone(server, [stubborn]);
});

test("SIGKILL of the server: its session's host stops everything and removes the directory", async () => {
  const { server, processes } = await busyServer();
  server.child.kill("SIGKILL");
  expect(await server.exited).toEqual({ code: null, signal: "SIGKILL" });
  await everythingGone(server, processes);
});

test("without a session directory given it has one of its own, and leaves nothing of it", async () => {
  const server = await startServer({ env: { PROCTOR_SESSION_DIR: "" } });
  const { run } = await server.tool("bash", { command: ["echo own"] });
  const sessions = join(server.home, ".local", "state", "proctor", "sessions");
  expect(run.log.path.startsWith(`${sessions}/`)).toBe(true);
  server.child.stdin.end();
  await server.exited;
  expect(readdirSync(sessions)).toEqual([]);
});

test("a server that was asked nothing leaves without a trace", async () => {
  const server = ungreetedServer();
  server.child.stdin.end();
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(readdirSync(server.home)).toEqual([]);
});

test("what can be answered at once is answered although the input ends behind it", async () => {
  const server = ungreetedServer();
  const greeting = server.initialize();
  const listed = server.request("tools/list", {});
  server.child.stdin.end();
  await greeting;
  expect((await listed).result?.["tools"]).toHaveLength(8);
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

test("a host that is killed is replaced, and the runs are still there", async () => {
  const server = await startServer();
  const { run } = await server.tool("bash", {
    command: ["until [ -e go ]; do sleep 0.05; done; echo survived"],
    background: true,
  });
  const waiting = server.tool("runner_wait", { id: run.id });
  const table = processTable();
  const host = sessionProcesses(server).find((pid) => table.commandLine(pid)?.includes("host-main") === true);
  const identity = host === undefined ? null : table.identify(host);
  expect(identity).not.toBeNull();
  if (identity !== null) table.signal(identity, "SIGKILL");
  await server.tool("bash", { command: ["touch go"] });
  expect((await waiting).run).toMatchObject({ id: run.id, exitCode: 0, output: "survived" });
});

test("a session of another process that lives is used, and left alone at the end", async () => {
  const owner = await startServer();
  const { run } = await owner.tool("bash", { command: ["echo $$ > leader; exec sleep 300"], background: true });
  const leader = await processIn(join(owner.home, "leader"));
  const guest = await startServer({ env: { PROCTOR_SESSION_DIR: owner.sessionDir } });
  expect((await guest.tool("runner_list")).runs.map((view) => view.id)).toEqual([run.id]);
  guest.child.stdin.end();
  await guest.exited;
  expect(processTable().isAlive(leader)).toBe(true);
  expect((await owner.tool("runner_status", { id: run.id })).run.state).toBe("running");
});

test("a guest's foreground call is stopped when the guest ends", async () => {
  const owner = await startServer();
  await owner.tool("bash", { command: ["true"] });
  const guest = await startServer({ env: { PROCTOR_SESSION_DIR: owner.sessionDir } });
  guest.beginTool("bash", { command: ["echo $$ > foreground; exec sleep 300"] });
  const foreground = await processIn(join(guest.home, "foreground"));
  guest.child.stdin.end();
  expect(await guest.exited).toEqual({ code: 0, signal: null });
  await allGone([foreground]);
  // The process is gone a moment before its run's end is on record.
  await expect
    .poll(async () => (await owner.tool("runner_list")).runs.map((run) => run.cause), { timeout: 10_000 })
    .toEqual(["completed", "stopped"]);
});
