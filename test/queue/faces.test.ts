/** Sessions of different faces with heavy commands each: order, positions and records as a third one sees them. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { QueueView, RunResult, RunView } from "proctor";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startServer } from "../mcp/mcp-process.ts";
import { eventually, killSeen, processesOf } from "../session/processes.ts";

const CLI = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

let base: string;
let env: Record<string, string>;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "faces-")));
  mkdirSync(join(base, "bin"));
  const script =
    '#!/bin/sh\nNAME=${1#TAG=}\necho "start $NAME" >> "$TRACE"\nwhile [ ! -e "$GO.$NAME" ]; do sleep 0.02; done\necho "end $NAME" >> "$TRACE"\n';
  writeFileSync(join(base, "bin", "make"), script, { mode: 0o755 });
  env = {
    PATH: `${join(base, "bin")}:${process.env["PATH"] ?? ""}`,
    HOME: base,
    XDG_STATE_HOME: join(base, "state"),
    PROCTOR_MAX_HEAVY_JOBS: "2",
    TRACE: join(base, "trace"),
    GO: join(base, "go"),
  };
});
afterEach(() => {
  for (let i = 0; i < 2; i++) for (const left of processesOf(base)) killSeen(left);
  rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

// Each caller says which document it asked for.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const cli = <T>(command: string, ...args: string[]): T =>
  JSON.parse(
    spawnSync(process.execPath, [CLI, command, "--json", ...args], { encoding: "utf8", env, cwd: base }).stdout,
  ) as T;
const trace = (): string[] =>
  existsSync(join(base, "trace")) ? readFileSync(join(base, "trace"), "utf8").split("\n").filter(Boolean) : [];
const finish = (name: string): void => writeFileSync(join(base, `go.${name}`), "");

test("three of the command line and three of an MCP client take turns in order, and a third sees it all", async () => {
  const server = await startServer({ env });
  const ids: string[] = [];
  for (const name of ["c1", "m1", "c2", "m2", "c3", "m3"]) {
    const command = `make TAG=${name}`;
    const run =
      name[0] === "c"
        ? cli<RunResult>("run", "-b", command)
        : (await server.tool("bash", { command: [command], background: true })).run;
    ids.push(run.id);
  }
  await eventually("the first two to start", () => trace().length === 2);
  // The third: neither of the two sessions.
  const seen = cli<QueueView>("queue");
  expect(seen).toMatchObject({ limit: 2, paused: null });
  expect(seen.running.map(({ id, command }) => [id, command])).toEqual([
    [ids[0], "make TAG=c1"],
    [ids[1], "make TAG=m1"],
  ]);
  expect(seen.waiting.map(({ id, position }) => [id, position])).toEqual([
    [ids[2], 1],
    [ids[3], 2],
    [ids[4], 3],
    [ids[5], 4],
  ]);
  expect(new Set([...seen.running, ...seen.waiting].map(({ session }) => session)).size).toBe(2);
  expect((await server.tool("runner_status", { id: ids[5] ?? "" })).run).toMatchObject({
    state: "queued",
    queuePosition: 4,
  });

  finish("m1"); // the one slot that is freed goes to the first that waits, of the other face
  await eventually("the next to start", () => trace().length === 4);
  expect(trace().slice(2)).toEqual(["end m1", "start c2"]);
  for (const name of ["c1", "c2", "m2", "c3", "m3"]) finish(name);
  await eventually("all to have ended", () => trace().filter((line) => line.startsWith("end")).length === 6);
  expect(
    trace()
      .filter((line) => line.startsWith("start"))
      .slice(3),
  ).toEqual(expect.arrayContaining(["start m2", "start c3", "start m3"]));
  expect(trace().indexOf("start m2")).toBeLessThan(trace().indexOf("start m3"));

  const listed = await eventually("the records", () => {
    const { runs } = cli<{ runs: RunView[] }>("list", "--all");
    return runs.length === 6 && runs.every(({ state }) => state === "ended") ? runs : null;
  });
  const waited = new Map(listed.map(({ id, waitedMs }) => [id, waitedMs]));
  for (const id of ids) expect(waited.get(id)).toBeGreaterThanOrEqual(0);
  for (const id of ids.slice(2)) expect(waited.get(id)).toBeGreaterThan(0);
  expect(waited.get(ids[5] ?? "") ?? 0).toBeGreaterThan(waited.get(ids[0] ?? "") ?? 0);
  expect(cli<QueueView>("queue")).toMatchObject({ running: [], waiting: [] });
});

test("a queue that is watched is shown again whenever it changed", async () => {
  const watching = spawn(process.execPath, [CLI, "queue", "--watch", "--json"], {
    env,
    cwd: base,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  watching.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const shown = (): number[][] =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as QueueView)
      .map(({ running, waiting }) => [running.length, waiting.length]);
  await eventually("the first view", () => shown().length > 0);
  cli("run", "-b", "make TAG=one");
  await eventually("one that runs", () => shown().some(([running]) => running === 1));
  finish("one");
  await eventually("none again", () => shown().at(-1)?.[0] === 0);
  watching.kill("SIGTERM");
  expect(await new Promise((resolve) => watching.on("exit", resolve))).toBe(0);
});

test("explain says what a command is, and why, and runs nothing", () => {
  expect(cli("explain", "CI=1 npm test")).toMatchObject({ command: "CI=1 npm test", heavy: true });
  const light = cli<{ heavy: boolean; heavyReason: string }>("explain", "echo 'npm test'");
  expect(light.heavy).toBe(false);
  expect(light.heavyReason).not.toBe("");
  expect(cli("explain", '# @proctor: {"heavyCommands": ["./slow"]}\n./slow now')).toMatchObject({ heavy: true });
  expect(cli("explain", `touch ${join(base, "never")}`)).toMatchObject({ heavy: false });
  expect(existsSync(join(base, "never"))).toBe(false);
});
