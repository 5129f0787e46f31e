/**
 * A real project from the npm registry, installed and tested through every face: in the foreground, promoted,
 * with the caller killed in the middle, and by an MCP client. Needs the registry, as the set-up itself does.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { RunResult, RunView } from "proctor";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, killSeen, processesOf } from "../session/processes.ts";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const COMMANDS = ["npm ci --no-audit --no-fund", "npm test"];

let base: string;
let project: string;
let env: Record<string, string>;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "real-"));
  execFileSync("npm", ["pack", "minimist@1.2.8", "--silent"], { cwd: base });
  const archive = readdirSync(base).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["xzf", archive], { cwd: base });
  project = join(base, "package");
  const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
    scripts: object;
    devDependencies: object;
  };
  // Its own linters and publishing tools are left out: they are no part of its tests.
  manifest.scripts = { test: "tape 'test/**/*.js'" };
  manifest.devDependencies = { tape: "5.9.0" };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  execFileSync("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund", "--silent"], { cwd: project });
  const home = join(base, "home");
  mkdirSync(home);
  env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    npm_config_cache: join(base, "cache"),
    PROCTOR_SESSION_DIR: join(base, "s"),
  };
  for (const [name, value] of Object.entries(process.env))
    if (/^(npm_config_|NODE_EXTRA_CA_CERTS|SSL_|HTTPS?_PROXY)/i.test(name) && value !== undefined) env[name] ??= value;
}, 120_000);

afterAll(() => {
  for (const left of processesOf(base)) killSeen(left);
  rmSync(base, { recursive: true, force: true });
});

const proctor = (args: string[]): Promise<{ code: number | null; text: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: project, env, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.on("close", (code) => resolve({ code, text }));
  });

function expectTested(view: RunView): void {
  expect(view).toMatchObject({ kind: "sequence", state: "ended", cause: "completed", exitCode: 0 });
  expect(view.stages).toHaveLength(2);
  const log = readFileSync(view.stages?.[1]?.log.path ?? "", "utf8");
  expect(log).toMatch(/^# pass +\d+$/m);
  expect(log).toMatch(/^# ok$/m);
}

test("in the foreground", { timeout: 180_000 }, async () => {
  const { code, text } = await proctor(["run", "--json", "--", ...COMMANDS]);
  expect(code).toBe(0);
  const result = JSON.parse(text) as RunResult;
  expectTested(result);
  expect(result.output).toMatch(/# pass +\d+/);
});

test("promoted, then waited for", { timeout: 180_000 }, async () => {
  const { code, text } = await proctor(["run", "--json", "--promote-after", "200ms", "--", ...COMMANDS]);
  expect(code).toBe(0);
  const result = JSON.parse(text) as RunResult;
  expect(result).toMatchObject({ promoted: true, exitCode: null });
  expect((await proctor(["wait", result.id, "--timeout", "3m"])).code).toBe(0);
  expectTested(JSON.parse((await proctor(["status", "--json", result.id])).text) as RunView);
});

test("with the caller killed in the middle", { timeout: 180_000 }, async () => {
  const caller = spawn(process.execPath, [MAIN, "run", "--name", "orphaned", "--", ...COMMANDS], {
    cwd: project,
    env,
    stdio: "ignore",
  });
  const find = async (): Promise<RunView | undefined> =>
    (JSON.parse((await proctor(["list", "--json"])).text) as { runs: RunView[] }).runs.find(
      (r) => r.name === "orphaned",
    );
  const run = await eventually("the run to be on record", find);
  expect(run.state).toBe("running");
  caller.kill("SIGKILL");
  expect((await proctor(["wait", run.id, "--timeout", "3m"])).code).toBe(0);
  const ended = await find();
  if (ended === undefined) throw new Error("the run is not listed any more");
  expectTested(ended);
});

/** The run that an answer of the MCP server is about. */
function runOf(answer: { readonly _meta?: Record<string, unknown> | undefined }): RunView {
  const run = answer._meta?.["proctor/run"];
  if (run === undefined) throw new Error("the answer names no run");
  return run as RunView;
}

test("by an MCP client", { timeout: 240_000 }, async () => {
  const client = new Client({ name: "real-project", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, "mcp"],
      cwd: project,
      env: { ...env, PROCTOR_SESSION_DIR: join(base, "mcp") },
    }),
  );
  const answer = await client.callTool({ name: "bash", arguments: { command: COMMANDS, background: true } });
  const { id } = runOf(answer);
  const ended = await eventually(
    "the run to end",
    async () => {
      const waited = await client.callTool({ name: "runner_wait", arguments: { id, timeout: 50 } });
      const view = runOf(waited);
      return view.state === "ended" ? view : null;
    },
    200_000,
  );
  expectTested(ended);
  await client.close();
  await eventually("nothing of the session to be left", () => processesOf(join(base, "mcp")).length === 0);
});
