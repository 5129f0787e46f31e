/** How long runs and their logs live: with their session, or on purpose longer; and what is given up when. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "proctor";
import type { BashOptions, RunResult, RunView } from "proctor";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startServer } from "../mcp/mcp-process.ts";
import { eventually, killSeen, livingProcesses, processesOf } from "./processes.ts";

const CLI = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "lifetime-")));
});
afterEach(() => {
  for (const left of processesOf(base)) killSeen(left);
  for (const left of processesOf(base)) killSeen(left);
  rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

const cli = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, [CLI, ...args], {
    encoding: "utf8",
    env: { ...process.env, XDG_STATE_HOME: join(base, "state"), HOME: base },
    cwd: base,
  });
// Each caller says which document it asked for.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const json = <T>(command: string, ...args: string[]): T => JSON.parse(cli(command, "--json", ...args).stdout) as T;

test("a detached run survives its session on purpose, is listed everywhere, and is stopped from anywhere", async () => {
  const run = json<RunResult>("run", "--lifetime", "detached", "-b", "sleep 300");
  const own = json<RunResult>("run", "-b", "sleep 301");
  cli("session", "end");
  await eventually("the session to be gone", () => !existsSync(join(base, "state", "proctor", "sessions", "default")));
  expect(json<RunView>("status", run.id)).toMatchObject({ state: "running" });
  for (const where of [[], ["--session", join(base, "another")], ["--all"]]) {
    expect(json<{ runs: RunView[] }>("list", ...where).runs.map(({ id }) => id)).toEqual([run.id]);
  }
  expect(cli("status", own.id).status).toBe(125);
  json<RunResult>("run", "--session", join(base, "another"), "true");
  expect(json<{ confirmed: boolean }>("stop", run.id, "--session", join(base, "another")).confirmed).toBe(true);
});

describe("detached from a program and from an MCP client", () => {
  let saved: NodeJS.ProcessEnv;
  beforeEach(() => {
    saved = { ...process.env };
    Object.assign(process.env, { XDG_STATE_HOME: join(base, "state"), HOME: base });
  });
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in saved)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, saved);
  });
  const limitsOf = (run: RunView): unknown =>
    (JSON.parse(readFileSync(join(dirname(run.log.path), "run.json"), "utf8")) as { limits: unknown }).limits;

  test.each([true, false])(
    "a program's detached run outlives its session, and every session lists it and finds it (embedded: %s)",
    async (embedded) => {
      const one = await connect({ dir: join(base, "one"), embedded });
      const run = await one.bash("echo up; sleep 300", { background: true, lifetime: "detached" });
      const own = await one.bash("sleep 301", { background: true });
      expect(run.session).not.toBe(one.id);
      expect(limitsOf(run)).toMatchObject({ timeoutMs: 24 * 3_600_000 });
      expect((await one.list()).map(({ id }) => id)).toEqual([own.id, run.id]);
      expect((await one.openWork()).map(({ id }) => id)).toEqual([own.id]);
      expect((await one.stopAll({ graceMs: 0 })).map(({ id }) => id)).toEqual([own.id]);
      await one.end({ graceMs: 0 });
      const other = await connect({ dir: join(base, "other"), embedded });
      try {
        expect((await other.list()).map(({ id, state }) => [id, state])).toEqual([[run.id, "running"]]);
        expect(await other.wait(run.id, { match: "up", timeoutMs: 20_000 })).toMatchObject({ matched: true });
        expect((await other.logs(run.id)).text).toBe("up\n");
        expect((await other.stop(run.id, { graceMs: 0 })).confirmed).toBe(true);
        expect(await other.status(run.id)).toMatchObject({ state: "ended", cause: "stopped" });
        await expect(other.status("zzzz-none")).rejects.toMatchObject({
          code: "ERR_INPUT_ID",
          message: expect.stringContaining(other.dir) as string,
        });
      } finally {
        await other.end({ graceMs: 0 });
      }
    },
  );

  test("an MCP client's detached run outlives its connection; the next connection lists it and stops it", async () => {
    const env = { XDG_STATE_HOME: join(base, "state") };
    const first = await startServer({ env });
    const { run } = await first.tool("bash", {
      command: ["echo up; sleep 300"],
      background: true,
      lifetime: "detached",
    });
    const own = await first.tool("bash", { command: ["sleep 301"], background: true });
    expect((await first.tool("runner_list", {})).text).toMatch(new RegExp(`${run.id}.*\\(detached\\)`));
    first.child.stdin.end();
    await first.exited;
    const second = await startServer({ env });
    const listed = await second.tool("runner_list", {});
    expect(listed.text).toContain(run.id);
    expect(listed.text).not.toContain(own.run.id);
    expect((await second.tool("runner_wait", { id: run.id, match: "up" })).text).toContain("Matched: up");
    expect((await second.tool("runner_logs", { id: run.id })).text).toContain("up");
    expect((await second.tool("runner_stop_all", {})).text).toContain("Nothing was running");
    expect((await second.tool("runner_stop", { id: run.id })).isError).toBe(false);
    expect((await second.tool("runner_status", { id: run.id })).run).toMatchObject({
      state: "ended",
      cause: "stopped",
    });
  });

  test("a lifetime that is none is refused with what is accepted, and nothing runs", async () => {
    const one = await connect({ dir: join(base, "one"), embedded: true });
    const given = { lifetime: "forever" } as unknown as BashOptions;
    await expect(one.bash("true", given)).rejects.toMatchObject({ code: "ERR_INPUT_USAGE" });
    expect(await one.list()).toEqual([]);
    await one.end();
  });
});

test("a detached run has a limit: the one that was given, else 24 hours", () => {
  const record = (run: RunResult): { limits: { timeoutMs: number } } =>
    JSON.parse(readFileSync(join(dirname(run.log.path), "run.json"), "utf8")) as { limits: { timeoutMs: number } };
  expect(record(json("run", "--lifetime", "detached", "true")).limits.timeoutMs).toBe(24 * 3_600_000);
  expect(record(json("run", "--lifetime", "detached", "--timeout", "5m", "true")).limits.timeoutMs).toBe(300_000);
  expect(json<RunResult>("run", "--lifetime", "detached", "--timeout", "200ms", "sleep 300")).toMatchObject({
    cause: "timeout",
  });
});

test("a lifetime that is none is refused, and so is a session for a run that belongs to none", () => {
  expect(cli("run", "--lifetime", "forever", "true")).toMatchObject({
    status: 125,
    stderr: expect.stringContaining("session, detached") as string,
  });
  expect(cli("run", "--lifetime", "detached", "--session", join(base, "s"), "true").status).toBe(125);
});

const THREE_DAYS = 3 * 86_400_000;
const runsDir = (): string => join(base, "state", "proctor", "sessions", "default", "runs");
interface Collected {
  readonly logs: readonly { readonly id: string; readonly why: string }[];
}
/** Nobody serves the session any more. */
const killHost = (): Promise<unknown> =>
  eventually("no host", () => {
    for (const program of ["guardian.sh", "host-main.js"]) {
      for (const p of livingProcesses()) if (p.command.includes(program) && p.command.includes(base)) killSeen(p);
    }
    return processesOf(join(base, "state")).every(({ command }) => command.startsWith("proctor-launcher"));
  });
/** As if it had ended then. */
const hasEndedAt = ({ id }: RunResult, then: number): void => {
  const path = join(runsDir(), id, "state.json");
  writeFileSync(path, readFileSync(path, "utf8").replace(/"endedAt":\d+/, `"endedAt":${then}`));
};
/** As if a caller had last been told of it then. */
const wasGivenAt = ({ id }: RunResult, then: number): void =>
  utimesSync(join(runsDir(), id, "run.json"), new Date(then), new Date(then));

test("logs that were kept long enough are shown, then removed; records stay, and what was given lately does", async () => {
  const old = json<RunResult>("run", "echo old; exit 3");
  const given = json<RunResult>("run", "echo given");
  const young = json<RunResult>("run", "echo young");
  const live = json<RunResult>("run", "-b", "echo live; exec sleep 300");
  const left = json<RunResult>("run", "echo left; (sleep 300) > /dev/null 2>&1 &");
  await killHost();
  const then = Date.now() - THREE_DAYS;
  for (const run of [old, given, left]) hasEndedAt(run, then);
  for (const run of [old, young, live, left]) wasGivenAt(run, then);
  const isGone = (run: RunResult): boolean => !existsSync(run.log.path);
  expect(json<Collected>("gc", "--dry-run").logs.map(({ id, why }) => [id, why])).toEqual([[old.id, "age"]]);
  expect([old, given, young, live, left].map(isGone)).toEqual([false, false, false, false, false]);
  expect(json<Collected>("gc").logs.map(({ id }) => id)).toEqual([old.id]);
  // Not what runs, nor what has processes left that may still write to it.
  expect([old, given, young, live, left].map(isGone)).toEqual([true, false, false, false, false]);
  const view = json<RunView>("status", old.id);
  expect(view).toMatchObject({ state: "ended", exitCode: 3, log: { bytes: 0 } });
  expect(view.notes.join("\n")).toContain("was removed");
});

test("a wall clock that jumped between two hosts makes no log older", async () => {
  const run = json<RunResult>("run", "echo old");
  await killHost();
  // The clock was three days behind when all this happened, and was set right before the next host came.
  const then = Date.now() - THREE_DAYS;
  hasEndedAt(run, then);
  wasGivenAt(run, then);
  const clock = join(runsDir(), ".clock");
  const noted = Number(readlinkSync(clock));
  rmSync(clock);
  symlinkSync(String(noted - THREE_DAYS), clock);
  expect(json<Collected>("gc").logs).toEqual([]);
  expect(existsSync(run.log.path)).toBe(true);
});
