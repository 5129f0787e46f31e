/** Completions that the model has not seen come with the answer to whatever it asks next, each once. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../session/processes.ts";
import { startServer } from "./mcp-process.ts";
import type { McpProcess } from "./mcp-process.ts";

const HEADING = "Ended in the background meanwhile:";

/** Starts a run that ends when its gate is opened, and gives its id. */
async function background(server: McpProcess, name: string, exit = 0): Promise<string> {
  const command = `while [ ! -e ${join(server.home, name)} ]; do sleep 0.02; done; touch ${join(server.home, name)}.over; exit ${exit}`;
  return (await server.tool("bash", { command: [command], background: true, name })).run.id;
}

/** Opens a gate and waits until the run behind it has ended, without asking the server. */
async function finish(server: McpProcess, name: string): Promise<void> {
  writeFileSync(join(server.home, name), "");
  await eventually(`${name} to end`, () => existsSync(join(server.home, `${name}.over`)));
}

test("the next answer, whatever it is about, tells what ended, several together and each once", async () => {
  const server = await startServer();
  const first = await background(server, "first", 3);
  const second = await background(server, "second");
  const before = await server.tool("bash", { command: ["echo nothing new"] });
  expect(before.text).not.toContain(HEADING);
  await finish(server, "first");
  await finish(server, "second");
  const told = await eventually("the news", async () => {
    const { text } = await server.tool("bash", { command: ["sleep 0.2; echo later"] });
    return text.includes(HEADING) ? text : null;
  });
  expect(told).toContain(`${first} first: Exit status 3`);
  expect(told).toContain(`${second} second: Exit status 0`);
  expect(told.split("\n").slice(-2)[0]).toMatch(/^Exit status 0/);
  expect((await server.tool("bash", { command: ["echo again"] })).text).not.toContain(HEADING);
});

test("what the answer itself shows as ended, and what the model stopped, is no news", async () => {
  const server = await startServer();
  const waited = await background(server, "waited");
  const stopped = await background(server, "stopped");
  await finish(server, "waited");
  expect((await server.tool("runner_wait", { id: waited })).text).not.toContain(HEADING);
  expect((await server.tool("runner_stop", { id: stopped })).text).not.toContain(HEADING);
  expect((await server.tool("runner_list", {})).text).not.toContain(HEADING);
});
