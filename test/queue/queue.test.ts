/** The queue as sessions and their runs feel it. */
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "proctor";
import type { BashOptions, QueueEvent, QueueView, RunResult, RunView, Session } from "proctor";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processTable } from "../../src/os/index.ts";
import { nameProcess } from "../../src/session/identity-link.ts";
import { eventually, killSeen, livingProcesses, processesOf } from "../session/processes.ts";
import type { SeenProcess } from "../session/processes.ts";

const CLI = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

let base: string;
let saved: NodeJS.ProcessEnv;
const open: Session[] = [];
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "queue-")));
  saved = { ...process.env };
  process.env["XDG_STATE_HOME"] = join(base, "state");
  process.env["PROCTOR_MAX_HEAVY_JOBS"] = "1";
  mkdirSync(join(base, "bin"));
  // A command that is heavy by its name; what it does is in WORK, and it ends when the file GO is there.
  writeFileSync(
    join(base, "bin", "make"),
    '#!/bin/sh\nNAME=${1#TAG=}\necho "start $NAME" >> "$TRACE"\neval "$WORK"\nwhile [ ! -e "$GO" ] && [ ! -e "$GO.$NAME" ]; do sleep 0.02; done\necho "end $NAME" >> "$TRACE"\n',
    {
      mode: 0o755,
    },
  );
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((session) => session.end({ graceMs: 0 }).catch(() => undefined)));
  for (const name of Object.keys(process.env)) if (!(name in saved)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, saved);
  for (const left of processesOf(base)) killSeen(left);
  rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

const env = (work = ""): Record<string, string> => ({
  PATH: `${join(base, "bin")}:${process.env["PATH"] ?? ""}`,
  TRACE: join(base, "trace"),
  GO: join(base, "go"),
  WORK: work,
});
const trace = (): string[] =>
  existsSync(join(base, "trace")) ? readFileSync(join(base, "trace"), "utf8").split("\n").filter(Boolean) : [];
const go = (what = ""): void => writeFileSync(join(base, what === "" ? "go" : `go.${what}`), "");
const session = async (name: string, embedded = true): Promise<Session> => {
  const one = await connect({ dir: join(base, name), embedded });
  open.push(one);
  return one;
};
const heavy = (one: Session, target: string, options: BashOptions = {}): Promise<RunResult> =>
  one.bash(`make TAG=${target}`, { background: true, env: env(), ...options });
const started = (target: string): Promise<unknown> =>
  eventually(`${target} to start`, () => trace().includes(`start ${target}`));
const links = (): string[] => {
  const dir = join(base, "state", "proctor", "queue");
  return existsSync(dir) ? readdirSync(dir).flatMap((name) => readdirSync(join(dir, name))) : [];
};
/** All but the mark of the last number that was drawn, which stays. */
const tickets = (): string[] => links().filter((name) => !name.endsWith(".drawn"));
const launcherOf = (id: string): SeenProcess => {
  const found = livingProcesses().find((p) => p.command.startsWith("proctor-launcher") && p.command.endsWith(id));
  if (found === undefined) throw new Error(`no launcher of ${id}`);
  return found;
};
const cli = (args: readonly string[], more: Record<string, string> = {}): { status: number | null; stdout: string } => {
  const { status, stdout } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env(), ...more },
  });
  return { status, stdout };
};
const hostOf = (name: string): SeenProcess => {
  const host = livingProcesses().find(
    (p) =>
      p.command.includes("host-main.js") && p.command.includes(join(base, name)) && !p.command.includes("guardian"),
  );
  if (host === undefined) throw new Error("no host");
  return host;
};
const queue = (): QueueView => JSON.parse(cli(["queue", "--json"]).stdout) as QueueView;

test("three sessions take turns in the order in which they came, and each run tells how long it waited", async () => {
  const [a, b, c] = [await session("a"), await session("b"), await session("c")];
  const first = await heavy(a, "one");
  await started("one");
  const second = await heavy(b, "two");
  const third = await heavy(c, "three");
  const fourth = await heavy(a, "four");
  expect([first, second, third, fourth].map((r) => r.queuePosition)).toEqual([null, 1, 2, 3]);
  expect(second).toMatchObject({ state: "queued", startedAt: null, exitCode: null });
  go();
  for (const [one, run] of [
    [a, first],
    [b, second],
    [c, third],
    [a, fourth],
  ] as const) {
    const { run: ended } = await one.wait(run.id, { timeoutMs: 20_000 });
    expect(ended).toMatchObject({ state: "ended", cause: "completed", exitCode: 0, queuePosition: null });
    expect(ended.waitedMs).toBeGreaterThanOrEqual(0);
  }
  expect(trace()).toEqual(["one", "two", "three", "four"].flatMap((name) => [`start ${name}`, `end ${name}`]));
  await eventually("the queue to be empty", () => tickets().length === 0);
  expect(links()).toHaveLength(1);
});

test("a light command passes by, and was never in the queue", async () => {
  const one = await session("a");
  await heavy(one, "one");
  const light = await one.bash("echo 'make two'", { env: env() });
  expect(light).toMatchObject({ output: "make two", waitedMs: null });
});

test("cancelled while it waits, a run starts nothing and gives its place up", async () => {
  const one = await session("a");
  await heavy(one, "one");
  const second = await heavy(one, "two");
  const third = await heavy(one, "three");
  const report = await one.stop(second.id, { reason: "no longer needed" });
  expect(report).toMatchObject({
    confirmed: true,
    signals: [],
    run: { cause: "never_started", exitCode: null, startedAt: null },
  });
  expect(report.run.message).toContain("no longer needed");
  await eventually("the third to move up", async () => (await one.status(third.id)).queuePosition === 1);
  go();
  await one.wait(third.id, { timeoutMs: 20_000 });
  expect(trace()).not.toContain("start two");
});

test("a stage of a sequence waits for its own turn, and the sequence says so", async () => {
  const one = await session("a");
  await heavy(one, "one");
  const run = await one.bash(["echo light", "make TAG=two"], { background: true, env: env() });
  await eventually("the second stage to wait", async () => (await one.status(run.id)).queuePosition === 1);
  expect((await one.status(run.id)).state).toBe("queued");
  go();
  expect((await one.wait(run.id, { timeoutMs: 20_000 })).run).toMatchObject({ exitCode: 0, cause: "completed" });
});

test("a slot is held until the run really ended, promoted or not", async () => {
  const one = await session("a");
  const first = await heavy(one, "one", { background: false, promoteAfterMs: 50 });
  expect(first.promoted).toBe(true);
  await started("one");
  const second = await heavy(one, "two");
  expect((await one.status(second.id)).state).toBe("queued");
  go("one");
  await started("two");
  expect(trace().indexOf("end one")).toBeLessThan(trace().indexOf("start two"));
});

test("a heavy command that is put in the background keeps the slot after its shell has ended", async () => {
  const [one, other] = [await session("a", false), await session("b")];
  const first = await one.bash("make TAG=one > /dev/null 2>&1 & echo left it", { env: env() });
  expect(first).toMatchObject({ state: "ended", exitCode: 0, output: "left it" });
  await started("one");
  const second = await heavy(other, "two");
  expect(second).toMatchObject({ state: "queued", queuePosition: 1 });
  killSeen(hostOf("a"));
  await eventually("the next host", async () => (await one.status(first.id)).leftovers.length > 0);
  expect(queue().running.map(({ id }) => id)).toEqual([first.id]);
  expect((await other.status(second.id)).state).toBe("queued");
  go("one");
  await started("two");
  expect(trace().indexOf("end one")).toBeLessThan(trace().indexOf("start two"));
  go();
});

test("what a heavy command leaves behind by itself, a daemon of its own, keeps no slot", async () => {
  const one = await session("a");
  const daemon = `[ "$NAME" = one ] && (while [ ! -e ${join(base, "over")} ]; do sleep 0.02; done) > /dev/null 2>&1 &`;
  const first = await heavy(one, "one", { env: env(daemon) });
  await started("one");
  await heavy(one, "two");
  go("one");
  await started("two");
  expect((await one.status(first.id)).leftovers).not.toEqual([]);
  go();
  writeFileSync(join(base, "over"), "");
});

test("a command in the background that is stopped with its session gives the slot back", async () => {
  const [one, other] = [await session("a"), await session("b")];
  await one.bash("make TAG=one > /dev/null 2>&1 &", { env: env() });
  await started("one");
  await heavy(other, "two");
  await one.end({ graceMs: 0 });
  await started("two");
  expect(trace()).toEqual(["start one", "start two"]);
  go();
});

test("a slot outlives the host: killed, it is replaced, and the next starts only when the run has ended", async () => {
  const one = await session("a", false);
  const other = await session("b");
  const first = await heavy(one, "one");
  await started("one");
  const second = await heavy(other, "two");
  const host = livingProcesses().find(
    (p) => p.command.includes("host-main.js") && p.command.includes(join(base, "a")) && !p.command.includes("guardian"),
  );
  if (host === undefined) throw new Error("no host");
  killSeen(host);
  await eventually("another host", async () => (await one.status(first.id)).state === "running");
  expect((await other.status(second.id)).state).toBe("queued");
  expect(trace()).not.toContain("start two");
  go("one");
  await started("two");
  expect(trace().indexOf("end one")).toBeLessThan(trace().indexOf("start two"));
  expect((await one.wait(first.id, { timeoutMs: 10_000 })).run).toMatchObject({ exitCode: 0 });
});

/** "one" has the slot, "two" waits in a session whose host can be killed, and "three" behind it. */
async function twoWaits(): Promise<{ one: Session; second: RunResult }> {
  const [other, late] = [await session("b"), await session("c")];
  await heavy(other, "one");
  await started("one");
  const one = await session("a", false);
  const second = await heavy(one, "two");
  await heavy(late, "three");
  return { one, second };
}

test("a run that waits keeps its place while its host is killed and replaced, also when a slot is free meanwhile", async () => {
  const { one, second } = await twoWaits();
  const { since } = queue().waiting[0] ?? {};
  const killedAt = Date.now();
  killSeen(hostOf("a"));
  go("one"); // nobody stands for the one in front at this moment, and the slot is free
  await started("two");
  expect(queue().running).toMatchObject([{ id: second.id, since }]);
  expect(queue().waiting).toHaveLength(1);
  expect(trace()).not.toContain("start three");
  go("two");
  await started("three");
  const { run } = await one.wait(second.id, { timeoutMs: 20_000 });
  expect(run).toMatchObject({ exitCode: 0, cause: "completed" });
  expect(run.waitedMs).toBeGreaterThanOrEqual(killedAt - Date.parse(since ?? "") - 1); // under the former host, too
  go();
});

test("a run that waits keeps its place while another than its guardian's host takes over and is not ready yet", async () => {
  const { one, second } = await twoWaits();
  // Stands for the host that a caller started, which was faster: it has the lock, and serves nobody yet.
  const faster = spawn("sleep", ["600"], { stdio: "ignore" });
  try {
    const identity = processTable().identify(faster.pid ?? 0);
    if (identity === null) throw new Error("no process to hold the lock");
    nameProcess(join(base, "a", "host.1000"), identity);
    killSeen(hostOf("a"));
    go("one");
    await eventually("the slot to be free", () => trace().includes("end one"));
    for (let i = 0; i < 5; i++)
      expect(queue()).toMatchObject({ running: [{ id: second.id }], waiting: [{ position: 1 }] });
    expect(trace()).not.toContain("start three");
  } finally {
    faster.kill("SIGKILL");
  }
  await started("two");
  expect(trace()).not.toContain("start three");
  go();
  expect((await one.wait(second.id, { timeoutMs: 20_000 })).run).toMatchObject({ exitCode: 0, cause: "completed" });
});

test("a run whose host was killed again and again keeps its place each time", async () => {
  const { one, second } = await twoWaits();
  for (let i = 0; i < 4; i++) {
    killSeen(hostOf("a"));
    await eventually("the next host", async () => (await one.status(second.id)).queuePosition === 1);
  }
  expect(queue().waiting.map(({ id, position }) => [id, position])).toEqual([
    [second.id, 1],
    [expect.any(String), 2],
  ]);
  go();
  expect((await one.wait(second.id, { timeoutMs: 20_000 })).run).toMatchObject({ exitCode: 0, cause: "completed" });
});

test("a place whose host and guardian are both killed stands in nobody's way", async () => {
  const [other, late] = [await session("b"), await session("c")];
  await heavy(other, "one");
  await started("one");
  const one = await session("a", false);
  await heavy(one, "two");
  await heavy(late, "three");
  // One process stands for it after the other: all of them, while none can bring the next.
  for (let round = 0; round < 3; round++)
    for (const p of livingProcesses().filter(
      ({ command }) => /host-main\.js/.test(command) && command.includes(join(base, "a")),
    ))
      killSeen(p);
  go("one");
  await started("three");
  expect(trace()).not.toContain("start two");
});

test("with host, guardian and launcher killed the command keeps its slot; once it is dead as well the slot is free at once", async () => {
  const one = await session("a", false);
  const other = await session("b");
  const first = await heavy(one, "one");
  await started("one");
  const second = await heavy(other, "two");
  const command = livingProcesses().find(
    (p) => p.command.includes(join(base, "bin", "make")) && p.command.endsWith("TAG=one"),
  );
  if (command === undefined) throw new Error("no command");
  // One process brings the next: all of them, until none is left.
  await eventually("nobody to look after it", () => {
    const left = livingProcesses().filter(
      (p) => /host-main\.js/.test(p.command) && p.command.includes(join(base, "a")),
    );
    for (const p of left) killSeen(p);
    return left.length === 0;
  });
  killSeen(launcherOf(first.id));
  await eventually(
    "the place to be the command's own",
    async () => (await other.status(second.id)).queuePosition === 1,
  );
  expect(queue()).toMatchObject({ running: [{ id: first.id }], waiting: [{ id: second.id }] });
  expect(trace()).toEqual(["start one"]);
  killSeen(command);
  await started("two");
  expect(trace()).toEqual(["start one", "start two"]);
  go();
});

test("with host and guardian killed a command that ends gives its slot back, and what it left behind is still known", async () => {
  const other = await session("b");
  const daemon = `(while [ ! -e ${join(base, "over")} ]; do sleep 0.02; done) > /dev/null 2>&1 &`;
  const dir = join(base, "a");
  // Started from the command line: no client is left that would bring the next host.
  const args = ["run", "--background", "--json", "--session", dir, "make TAG=one"];
  const first = JSON.parse(cli(args, { WORK: daemon }).stdout) as RunResult;
  await started("one");
  await heavy(other, "two", { env: env() });
  await eventually("nobody to look after it", () => {
    const left = livingProcesses().filter((p) => /host-main\.js/.test(p.command) && p.command.includes(dir));
    for (const p of left) killSeen(p);
    return left.length === 0;
  });
  go("one");
  await started("two");
  expect(launcherOf(first.id).command).toContain(first.id);
  const again = await connect({ dir });
  expect(await again.status(first.id)).toMatchObject({ state: "ended", exitCode: 0 });
  expect((await again.status(first.id)).leftovers).not.toEqual([]);
  go();
  writeFileSync(join(base, "over"), "");
  await eventually("nothing left", async () => (await again.status(first.id)).leftovers.length === 0);
  await again.end();
});

test("ending one session releases only its own", async () => {
  const [a, b, c] = [await session("a"), await session("b"), await session("c")];
  await heavy(a, "one");
  await started("one");
  await heavy(b, "two");
  const third = await heavy(c, "three");
  await b.end();
  await eventually("the third to move up", async () => (await c.status(third.id)).queuePosition === 1);
  expect(trace()).toEqual(["start one"]);
  await a.end({ graceMs: 0 });
  await started("three");
});

test("as many as may wait do, and the next is refused before anything is recorded", async () => {
  const one = await session("a");
  await heavy(one, "one");
  for (let i = 0; i < 128; i++) await heavy(one, `w${i}`);
  await expect(heavy(one, "over")).rejects.toMatchObject({ code: "ERR_REFUSED_QUEUE_FULL", retryable: true });
  await expect(one.bash(["make TAG=over", "echo two"], { background: true, env: env() })).rejects.toMatchObject({
    code: "ERR_REFUSED_QUEUE_FULL",
  });
  expect(await one.list()).toHaveLength(129);
  const waiting = (await one.list()).at(-1);
  if (waiting === undefined) throw new Error("nothing waits");
  expect(waiting.queuePosition).toBe(128);
  await one.stop(waiting.id);
  expect(await heavy(one, "after")).toMatchObject({ state: "queued", queuePosition: 128 });
});

test("a heavy command inside a run that holds a slot needs none of its own", async () => {
  const one = await session("a");
  const inner = `${process.execPath} ${CLI} run --session ${join(base, "inner")} --json 'make TAG=inner' > ${join(base, "inner.json")}`;
  const outer = await heavy(one, "outer", { env: env(`[ "$NAME" = inner ] || ${inner}`) });
  await started("inner");
  go();
  expect((await one.wait(outer.id, { timeoutMs: 30_000 })).run).toMatchObject({ exitCode: 0 });
  const result = JSON.parse(readFileSync(join(base, "inner.json"), "utf8")) as RunResult;
  expect(result).toMatchObject({ exitCode: 0, waitedMs: 0 });
  expect(result.notes.join("\n")).toContain(outer.id);
});

test("a heavy command that outlives the run that it was started inside of keeps the slot until it has ended, too", async () => {
  const [one, other] = [await session("a"), await session("b")];
  const inner = `${process.execPath} ${CLI} run -b --session ${join(base, "inner")} --json 'make TAG=inner' > ${join(base, "inner.json")}`;
  const outer = await heavy(one, "outer", { env: env(`[ "$NAME" = inner ] || ${inner}`) });
  await started("inner");
  const next = await heavy(other, "next");
  go("outer");
  expect((await one.wait(outer.id, { timeoutMs: 30_000 })).run).toMatchObject({ exitCode: 0 });
  const nested = JSON.parse(readFileSync(join(base, "inner.json"), "utf8")) as RunResult;
  // The slot is the inner one's now, and it is one slot.
  await eventually("the slot to be shown as the inner one's", () => queue().running[0]?.id === nested.id);
  expect(queue().running).toHaveLength(1);
  expect(await other.status(next.id)).toMatchObject({ state: "queued", queuePosition: 1 });
  // Neither the death of the host that looks after it frees it.
  killSeen(hostOf("inner"));
  await eventually("the next host", () => {
    const { state } = JSON.parse(
      cli(["status", nested.id, "--session", join(base, "inner"), "--json"]).stdout,
    ) as RunView;
    return state === "running";
  });
  expect(await other.status(next.id)).toMatchObject({ state: "queued", queuePosition: 1 });
  expect(trace()).not.toContain("start next");
  go("inner");
  await started("next");
  expect(trace().indexOf("end inner")).toBeLessThan(trace().indexOf("start next"));
  go();
});

test("a heavy command that was started inside a run which has ended waits for its turn", async () => {
  const [one, other] = [await session("a"), await session("b")];
  // What the run leaves behind asks for a heavy command once another run has the slot.
  const late = `${process.execPath} ${CLI} run -b --session ${join(base, "inner")} --json 'make TAG=late' > ${join(base, "late.json")}`;
  const work = `[ "$NAME" = outer ] && (while [ ! -e ${join(base, "ask")} ]; do sleep 0.02; done; ${late}; touch ${join(base, "asked")}) > /dev/null 2>&1 &`;
  const outer = await heavy(one, "outer", { env: env(work) });
  await started("outer");
  go("outer");
  expect((await one.wait(outer.id, { timeoutMs: 30_000 })).run).toMatchObject({ exitCode: 0 });
  await heavy(other, "next");
  await started("next");
  writeFileSync(join(base, "ask"), "");
  await eventually("the late one to be asked for", () => existsSync(join(base, "asked")));
  expect(JSON.parse(readFileSync(join(base, "late.json"), "utf8"))).toMatchObject({
    state: "queued",
    queuePosition: 1,
  });
  go();
});

test("a variable alone makes no command a nested one", async () => {
  const one = await session("a");
  const outer = await heavy(one, "outer");
  await started("outer");
  const { stdout } = cli(["run", "--session", join(base, "other"), "--json", "-b", "make TAG=sly"], {
    PROCTOR_RUN_ID: outer.id,
    PROCTOR_SESSION: one.id,
  });
  expect(JSON.parse(stdout)).toMatchObject({ state: "queued", queuePosition: 1 });
  go();
});

test("where the queue can't be used, it is off, says so, and runs go on", async () => {
  mkdirSync(join(base, "state", "proctor"), { recursive: true, mode: 0o700 });
  writeFileSync(join(base, "state", "proctor", "queue"), "in the way");
  const one = await session("a");
  await heavy(one, "one");
  const second = await heavy(one, "two");
  await started("one");
  await started("two");
  expect(second.notes.join("\n")).toMatch(/queue of heavy commands is off.*is not a directory/);
  expect(JSON.parse(cli(["queue", "--json"]).stdout)).toMatchObject({
    running: [],
    waiting: [],
    paused: expect.stringContaining("off") as string,
  });
});

test("a queue that others could look into is not used", async () => {
  mkdirSync(join(base, "state", "proctor", "queue"), { recursive: true, mode: 0o755 });
  const one = await session("a");
  expect((await heavy(one, "one")).notes.join("\n")).toContain("open to other users");
});

test("a heavy command gets bounds on its fan-out, unless its caller set them", async () => {
  for (const name of ["NX_NATIVE_COMMAND_RUNNER", "NX_TUI", "NX_PARALLEL", "VITEST_MAX_WORKERS"])
    Reflect.deleteProperty(process.env, name);
  const one = await session("a");
  const shown = `printf '%s %s %s %s\\n' "$NX_NATIVE_COMMAND_RUNNER" "$NX_TUI" "$NX_PARALLEL" "$VITEST_MAX_WORKERS"`;
  go();
  expect((await one.bash("make TAG=x", { env: env(shown) })).output).toBe("false false 2 2");
  expect((await one.bash("make TAG=x", { env: { ...env(shown), NX_PARALLEL: "7" } })).output).toBe("false false 7 2");
  expect((await one.bash(shown, { env: env() })).output.trim()).toBe("");
  // A person sits at an interactive one, which is never queued and keeps its own.
  const { id } = await one.bash("make TAG=x", { env: env(shown), interactive: true });
  await one.wait(id, { timeoutMs: 10_000 });
  expect((await one.logs(id)).text.trim()).toBe("");
});

test("anybody sees who runs and who waits, by session and command", async () => {
  const [a, b] = [await session("a"), await session("b")];
  const first = await heavy(a, "one");
  await started("one");
  const second = await heavy(b, "two");
  const view: unknown = JSON.parse(cli(["queue", "--json"]).stdout);
  expect(view).toEqual({
    limit: 1,
    running: [
      { id: first.id, session: a.id, command: "make TAG=one", since: expect.stringMatching(/^\d{4}-/) as string },
    ],
    waiting: [
      {
        id: second.id,
        session: b.id,
        command: "make TAG=two",
        position: 1,
        since: expect.stringMatching(/^\d{4}-/) as string,
      },
    ],
    paused: null,
  });
  expect(cli(["queue"]).stdout).toContain("1 of 1 slots taken, 1 waiting");
});

test("a user who empties the directory loses order, but no run", async () => {
  const one = await session("a");
  await heavy(one, "one");
  await started("one");
  const second = await heavy(one, "two");
  rmSync(join(base, "state", "proctor", "queue"), { recursive: true, force: true });
  go();
  expect((await one.wait(second.id, { timeoutMs: 20_000 })).run).toMatchObject({ exitCode: 0 });
});

test.each([true, false])(
  "a session tells how many run and wait, whosever they are (embedded: %s)",
  async (embedded) => {
    const events: QueueEvent[] = [];
    const watcher = await session("watcher", embedded);
    watcher.onQueueChange((event) => events.push(event));
    const one = await session("a");
    await heavy(one, "one");
    await heavy(one, "two");
    await eventually("one that runs and one that waits", () =>
      events.some(({ running, queued }) => running === 1 && queued === 1),
    );
    expect(events.at(-1)?.limit).toBe(1);
    expect(events.at(-1)?.pid === process.pid).toBe(embedded);
    go();
    await eventually("an empty queue", () => events.at(-1)?.running === 0);
  },
);
