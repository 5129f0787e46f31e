import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { greetedServer, startServer } from "./mcp-process.ts";
import type { McpProcess } from "./mcp-process.ts";

let server: McpProcess;
let id = "";
beforeAll(async () => {
  server = await greetedServer();
  writeFileSync(join(server.home, "a-file"), "");
  ({ id } = (await server.tool("bash", { command: ["echo here"] })).run);
  return () => server.dispose();
});

const REFUSED: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ["bash", {}, /^command: none was given/],
  ["bash", { command: [] }, /^command: none was given/],
  ["bash", { command: ["  "] }, /^command: it is empty/],
  ["bash", { command: ["echo a", ""] }, /^command 2: it is empty/],
  ["bash", { command: ["echo a\u0000b"] }, /^command: it contains a NUL character \(\\u0000\) at position 6/],
  ["bash", { command: 7 }, /^command: 7 can't be used\. Accepted: an array of strings/],
  ["bash", { command: ["true", { a: 1 }] }, /^command: \["true",\{"a":1\}\] can't be used/],
  ["bash", { command: ["true"], timeout: 180000 }, /^timeout: "180000" is longer than 24 h\. Accepted: .* seconds/],
  ["bash", { command: ["true"], timeout: 0 }, /^timeout: "0" is too short/],
  ["bash", { command: ["true"], timeout: -1 }, /^timeout: "-1" is too short/],
  ["bash", { command: ["true"], timeout: "soon" }, /^timeout: "soon" is not a duration/],
  ["bash", { command: ["true"], timeout: [1] }, /^timeout: \[1\] can't be used/],
  ["bash", { command: ["true"], background: "maybe" }, /^background: "maybe" can't be used\. Accepted: true or false/],
  ["bash", { command: ["true"], cwd: "/no/such/directory" }, /^cwd: \/no\/such\/directory: it does not exist/],
  ["bash", { command: ["true"], cwd: "a-file" }, /a-file is not a directory/],
  ["bash", { command: ["true"], env: "A=1" }, /^env: "A=1" can't be used\. Accepted: an object of strings/],
  ["bash", { command: ["true"], env: { A: ["x"] } }, /^env\.A: \["x"\] can't be used/],
  ["bash", { command: ["true"], env: { "A=B": "x" } }, /^env: "A=B" can't be passed on/],
  ["bash", { command: ["true"], env: { A: "x\u0000" } }, /^env: "A" can't be passed on/],
  [
    "bash",
    { command: ["true"], timeout_ms: 5 },
    /^timeout_ms: bash has no such argument\. Accepted: command, name, timeout/,
  ],
  ["runner_status", {}, /^id: it is missing/],
  ["runner_status", { id: "nosuchid0000" }, /nosuchid0000/],
  ["runner_status", { id: 12 }, /^id: 12 can't be used/],
  ["runner_logs", { id: "here", lines: -5 }, /^lines: -5 can't be used\. Accepted: a whole number from 1/],
  ["runner_logs", { id: "here", lines: 1.5 }, /^lines: 1\.5 can't be used/],
  ["runner_logs", { id: "here", from: "x" }, /^from: "x" can't be used/],
  ["runner_logs", { id: "here", fromLine: 0 }, /^fromLine: 0 can't be used\. Accepted: a whole number from 1 /],
  ["runner_logs", { id: "here", fromLine: 1.5 }, /^fromLine: 1\.5 can't be used\. Accepted: a whole number from 1 /],
  ["runner_logs", { id: "here", grep: "(" }, /^grep: "\(" is not a regular expression/],
  ["runner_wait", { id: "here", timeout: 1e9 }, /^timeout: "1000000000" is longer than 24 h/],
  ["runner_wait", { id: "here", match: "[" }, /^match: "\[" is not a regular expression|There is no run "here"/],
  ["runner_stop_all", { id: "here" }, /^id: runner_stop_all has no such argument\. Accepted: no arguments/],
];

test.each(REFUSED)("%s %j is refused with the field, the value and what is accepted", async (tool, args, message) => {
  const answer = await server.tool(tool, args);
  expect(answer.isError).toBe(true);
  expect(answer.text).toMatch(message);
  expect(answer.refusal?.message).toBe(answer.text);
  expect(answer.refusal?.code).toMatch(/^ERR_(INPUT|REFUSED)_/);
});

test("the server goes on after all of them, and nothing of them was recorded", async () => {
  expect((await server.tool("bash", { command: ["echo alive"] })).run.output).toBe("alive");
  expect((await server.tool("runner_list")).runs).toHaveLength(2);
});

test("what can only mean one thing is taken as that", async () => {
  const answer = await server.tool("bash", {
    command: "echo fine",
    timeout: "30",
    background: "false",
    name: null,
    cwd: null,
    env: null,
  });
  expect(answer.run).toMatchObject({ output: "fine", exitCode: 0 });
  expect((await server.tool("runner_logs", { id, lines: "1" })).run.text).toBe("here\n");
});

test("a prefix of an id that is too short is refused, and one that is unique is taken", async () => {
  expect((await server.tool("runner_status", { id: id.slice(0, 3) })).isError).toBe(true);
  expect((await server.tool("runner_status", { id: id.slice(0, 8) })).run.id).toBe(id);
});

test("arguments that are no object are refused by the protocol, and the server goes on", async () => {
  const answer = await server.request("tools/call", { name: "bash", arguments: "echo" });
  expect(answer.error).toBeDefined();
  expect((await server.tool("bash", { command: ["echo alive"] })).run.output).toBe("alive");
});

test("a session directory that is open to others is a refusal of each call, not the end of the server", async () => {
  const dir = join(server.home, "open");
  mkdirSync(dir);
  chmodSync(dir, 0o755);
  const other = await startServer({ env: { PROCTOR_SESSION_DIR: dir } });
  const refused = await other.tool("bash", { command: ["true"] });
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain("chmod 700");
  chmodSync(dir, 0o700);
  expect((await other.tool("bash", { command: ["echo now"] })).run.output).toBe("now");
});
