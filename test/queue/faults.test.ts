/** The queue on bad days: a full disk, a read-only one, another user, a host that sleeps, a clock that jumps, a pid that came back. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "proctor";
import type { QueueView, RunResult, Session } from "proctor";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { isRoot } from "../privilege.ts";
import { eventually, killSeen, livingProcesses, processesOf } from "../session/processes.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const CLI = join(PROJECT, "dist", "cli", "main.js");
/** The user that owns nothing. */
const NOBODY = 65_534;

let base: string;
let queueDir: string;
let saved: NodeJS.ProcessEnv;
const open: Session[] = [];
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "faults-")));
  queueDir = join(base, "state", "proctor", "queue");
  saved = { ...process.env };
  process.env["XDG_STATE_HOME"] = join(base, "state");
  process.env["PROCTOR_MAX_HEAVY_JOBS"] = "1";
  mkdirSync(join(base, "bin"));
  mkdirSync(queueDir, { recursive: true, mode: 0o700 });
  // A command that is heavy by its name, and ends when the file GO is there.
  const script =
    '#!/bin/sh\nNAME=${1#TAG=}\necho "start $NAME" >> "$TRACE"\nwhile [ ! -e "$GO" ] && [ ! -e "$GO.$NAME" ]; do sleep 0.02; done\necho "end $NAME" >> "$TRACE"\n';
  writeFileSync(join(base, "bin", "make"), script, { mode: 0o755 });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((session) => session.end({ graceMs: 0 }).catch(() => undefined)));
  for (const name of Object.keys(process.env)) if (!(name in saved)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, saved);
  for (const left of processesOf(base)) killSeen(left);
  spawnSync("umount", ["-l", queueDir]);
  rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

const env = (): Record<string, string> => ({
  PATH: `${join(base, "bin")}:${process.env["PATH"] ?? ""}`,
  TRACE: join(base, "trace"),
  GO: join(base, "go"),
});
const trace = (): string[] =>
  existsSync(join(base, "trace")) ? readFileSync(join(base, "trace"), "utf8").split("\n").filter(Boolean) : [];
const go = (what = ""): void => writeFileSync(join(base, what === "" ? "go" : `go.${what}`), "");
const session = async (name: string, embedded = true): Promise<Session> => {
  const one = await connect({ dir: join(base, name), embedded });
  open.push(one);
  return one;
};
const heavy = (one: Session, target: string): Promise<RunResult> =>
  one.bash(`make TAG=${target}`, { background: true, env: env() });
const started = (target: string): Promise<unknown> =>
  eventually(`${target} to start`, () => trace().includes(`start ${target}`));
const queue = (): QueueView =>
  JSON.parse(
    spawnSync(process.execPath, [CLI, "queue", "--json"], { encoding: "utf8", env: { ...process.env, ...env() } })
      .stdout,
  ) as QueueView;
const mount = (options: string): void =>
  void execFileSync("mount", ["-t", "tmpfs", "-o", `mode=700,${options}`, "tmpfs", queueDir]);
const remount = (options: string): void => void execFileSync("mount", ["-o", `remount,${options}`, queueDir]);

describe.runIf(isRoot)("a full disk under the queue", () => {
  test("takes tickets all the same, and order holds", async () => {
    mount("size=16k");
    expect(() => writeFileSync(join(queueDir, "ballast"), Buffer.alloc(1 << 20))).toThrow("ENOSPC");
    const [a, b] = [await session("a"), await session("b")];
    await heavy(a, "one");
    await started("one");
    expect(await heavy(b, "two")).toMatchObject({ state: "queued", queuePosition: 1 });
    expect(await heavy(a, "three")).toMatchObject({ state: "queued", queuePosition: 2 });
    go();
    await eventually("all to have run", () => trace().length === 6);
    expect(trace()).toEqual(["one", "two", "three"].flatMap((name) => [`start ${name}`, `end ${name}`]));
  });

  // Room for the two directories and so many links.
  test.each([0, 1, 2, 3])(
    "without inodes but %i: whoever gets no ticket runs and says why, and nobody waits for ever",
    async (links) => {
      mount(`nr_inodes=${links + 2}`);
      const [a, b] = [await session("a"), await session("b")];
      const runs = [await heavy(a, "one"), await heavy(b, "two"), await heavy(a, "three"), await heavy(b, "four")];
      expect(runs.some(({ notes }) => notes.some((note) => /queue of heavy commands is off.*ENOSPC/.test(note)))).toBe(
        true,
      );
      go();
      for (const [i, run] of runs.entries()) {
        const { run: ended } = await (i % 2 === 0 ? a : b).wait(run.id, { timeoutMs: 30_000 });
        expect(ended).toMatchObject({ exitCode: 0, cause: "completed" });
      }
      await a.end();
      await b.end();
      const there = readdirSync(queueDir).flatMap((name) => readdirSync(join(queueDir, name)));
      expect(there.filter((name) => !name.endsWith(".drawn"))).toEqual([]);
    },
  );
});

describe.runIf(isRoot)("a read-only disk under the queue", () => {
  test("there is no queue then, it says so, and runs go on", async () => {
    mount("ro");
    const one = await session("a");
    await heavy(one, "one");
    const second = await heavy(one, "two");
    await started("one");
    await started("two");
    expect(second.notes.join("\n")).toMatch(/queue of heavy commands is off.*EROFS/);
    expect(queue()).toMatchObject({ running: [], waiting: [], paused: expect.stringMatching(/off.*EROFS/) as string });
    go();
  });

  test("one that becomes so while some wait lets them go on, and says so", async () => {
    mount("size=1m");
    const [a, b] = [await session("a"), await session("b")];
    await heavy(a, "one");
    await started("one");
    const second = await heavy(b, "two");
    expect(second.state).toBe("queued");
    remount("ro");
    await started("two");
    expect((await b.status(second.id)).notes.join("\n")).toContain("EROFS");
    go();
    remount("rw");
    for (const one of [a, b])
      await eventually("both to end", async () => (await one.list()).every(({ state }) => state === "ended"));
  });
});

describe.runIf(isRoot)("another user of the machine", () => {
  // A copy, because what is in root's home is nobody else's to read.
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "faults-copy-"));
    chmodSync(copy, 0o755);
    const { dependencies } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const modules = Object.keys(dependencies).map((name) => join("node_modules", name));
    for (const name of ["dist", "libexec", "package.json", ...modules])
      cpSync(join(PROJECT, name), join(copy, name), { recursive: true });
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  const asNobody = (args: readonly string[], more: Record<string, string>): { stdout: string; stderr: string } => {
    const program = [process.execPath, join(copy, "dist", "cli", "main.js"), ...args];
    return spawnSync("setpriv", [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", ...program], {
      encoding: "utf8",
      cwd: "/",
      env: { ...process.env, ...env(), ...more },
    });
  };

  test("waits for nobody else's commands, and sees none", async () => {
    chmodSync(base, 0o755);
    const home = join(base, "theirs");
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, NOBODY, NOBODY);
    const one = await session("a");
    await heavy(one, "one");
    await started("one");
    const theirs = { XDG_STATE_HOME: home, HOME: home, TRACE: join(home, "trace") };
    const run = JSON.parse(asNobody(["run", "--json", "-b", "make TAG=two"], theirs).stdout) as RunResult;
    expect(run).toMatchObject({ state: "running", queuePosition: null, waitedMs: 0 });
    expect(JSON.parse(asNobody(["queue", "--json"], theirs).stdout)).toMatchObject({
      running: [{ id: run.id }],
      waiting: [],
    });
    expect(queue().running).toHaveLength(1);
    asNobody(["session", "end", "--grace", "0"], theirs);
    go();
  });

  test("who is pointed at somebody else's directory does not get in", async () => {
    chmodSync(base, 0o755);
    chmodSync(join(base, "state"), 0o755);
    const home = join(base, "theirs");
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, NOBODY, NOBODY);
    const one = await session("a");
    await heavy(one, "one");
    await started("one");
    const before = queue();
    const theirs = { XDG_STATE_HOME: join(base, "state"), HOME: home, TRACE: join(home, "trace") };
    const run = JSON.parse(
      asNobody(["run", "--json", "-b", "--session", join(home, "s"), "make TAG=two"], theirs).stdout,
    ) as RunResult;
    expect(run.notes.join("\n")).toMatch(/queue of heavy commands is off/);
    expect(queue()).toEqual(before);
    asNobody(["session", "end", join(home, "s"), "--grace", "0"], theirs);
    go();
  });

  test("a queue that belongs to another user is not used, even by one who could", async () => {
    chownSync(queueDir, NOBODY, NOBODY);
    const one = await session("a");
    expect((await heavy(one, "one")).notes.join("\n")).toContain("belongs to another user");
    expect(readdirSync(queueDir)).toEqual([]);
    go();
  });
});

describe("a host that is suspended", () => {
  const hostOf = (name: string): number => {
    const host = livingProcesses().find(
      (p) =>
        p.command.includes("host-main.js") && p.command.includes(join(base, name)) && !p.command.includes("guardian"),
    );
    if (host === undefined) throw new Error("no host");
    return host.pid;
  };

  test("keeps its place while it sleeps, and takes its turn when it wakes", async () => {
    const [first, late] = [await session("b"), await session("c")];
    await heavy(first, "one");
    await started("one");
    const one = await session("a", false);
    await heavy(one, "two");
    const third = await heavy(late, "three");
    process.kill(hostOf("a"), "SIGSTOP");
    go("one");
    await eventually("the first to have ended", async () =>
      (await first.list()).every(({ state }) => state === "ended"),
    );
    // A slot is free, and the next in line sleeps: who is behind it sees it in front, and stays.
    await eventually("the third to be next", async () => (await late.status(third.id)).queuePosition === 1);
    expect(trace()).not.toContain("start three");
    process.kill(hostOf("a"), "SIGCONT");
    await started("two");
    expect(trace()).not.toContain("start three");
    go();
    await started("three");
  });

  test("holds its slot while it sleeps, for as long as its command runs and no longer", async () => {
    const other = await session("b");
    const one = await session("a", false);
    const run = await heavy(one, "one");
    await started("one");
    const second = await heavy(other, "two");
    const host = hostOf("a");
    process.kill(host, "SIGSTOP");
    await eventually("it to be seen in front", async () => (await other.status(second.id)).queuePosition === 1);
    expect(trace()).toEqual(["start one"]);
    go("one");
    await started("two"); // the launcher gives the slot back: nobody has to wake for it
    expect(trace()).toEqual(["start one", "end one", "start two"]);
    process.kill(host, "SIGCONT");
    expect((await one.wait(run.id, { timeoutMs: 10_000 })).run).toMatchObject({ exitCode: 0 });
    go();
  });
});

test.each([-10 * 86_400_000, 10 * 86_400_000])(
  "a wall clock that jumps by %i ms changes no order and no waiting time",
  async (jump) => {
    const real = Date.now.bind(Date);
    const [a, b] = [await session("a"), await session("b")];
    await heavy(a, "one");
    await started("one");
    await heavy(b, "two");
    vi.spyOn(Date, "now").mockImplementation(() => real() + jump);
    expect((await heavy(a, "three")).queuePosition).toBe(2);
    vi.spyOn(Date, "now").mockImplementation(() => real() - jump);
    const last = await heavy(b, "four");
    expect(last.queuePosition).toBe(3);
    go();
    const { run } = await b.wait(last.id, { timeoutMs: 20_000 });
    expect(run.waitedMs).toBeGreaterThanOrEqual(0);
    expect(run.waitedMs).toBeLessThan(60_000);
    expect(trace()).toEqual(["one", "two", "three", "four"].flatMap((name) => [`start ${name}`, `end ${name}`]));
  },
);

test("a ticket that a host drew for a run which it never recorded is removed by the next host", async () => {
  const other = await session("b");
  // From the command line: a client that stays could bring the next host before the guardian does.
  const args = ["run", "--background", "--json", "--session", join(base, "a"), "make TAG=one"];
  const first = spawnSync(process.execPath, [CLI, ...args], { encoding: "utf8", env: { ...process.env, ...env() } });
  const one = (JSON.parse(first.stdout) as RunResult).session;
  await started("one");
  const [place = ""] = readdirSync(queueDir);
  // The host is killed between its ticket and the record: a guardian would stand for it for ever.
  const guardian = readlinkSync(join(queueDir, place, `${one}.keeper`));
  const host = livingProcesses().find(
    (p) => p.command.includes("host-main.js") && p.command.includes(join(base, "a")) && !p.command.includes("guardian"),
  );
  if (host === undefined) throw new Error("no host");
  const start =
    readFileSync(`/proc/${host.pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ")[19] ?? "";
  const orphan = String(Date.now());
  symlinkSync(`${host.pid}:${one}:never-recorded:${start}`, join(queueDir, place, orphan));
  symlinkSync("kept", join(queueDir, place, `${orphan}.kept`));
  const second = await heavy(other, "two");
  expect(second.queuePosition).toBe(2);
  killSeen(host);
  await eventually("the orphan to be gone", async () => (await other.status(second.id)).queuePosition === 1);
  expect(readlinkSync(join(queueDir, place, `${one}.keeper`))).toBe(guardian);
  expect(trace()).toEqual(["start one"]);
  go();
  await started("two");
  await (await session("a", false)).end({ graceMs: 0 });
});

test("tickets of processes whose pids came back to others hold nothing, and are removed by who comes across them", async () => {
  const one = await session("a");
  await heavy(one, "first");
  await started("first");
  go("first");
  const [place = ""] = readdirSync(queueDir);
  await eventually(
    "an empty queue",
    () => readdirSync(join(queueDir, place)).filter((name) => /^\d+(?!\d|\.drawn)/.test(name)).length === 0,
  );
  // This very process lives, but not since then.
  for (const name of ["17", "17.held", "18"])
    symlinkSync(`${process.pid}:gone:run-${name}:1`, join(queueDir, place, name));
  expect(queue()).toMatchObject({ running: [], waiting: [] });
  expect(await heavy(one, "next")).toMatchObject({ state: "running" });
  await started("next");
  expect(readdirSync(join(queueDir, place)).filter((name) => /^1[78](\.|$)/.test(name))).toEqual([]);
  // What lives has the name of the launcher that holds it, by pid and start time.
  const held = readdirSync(join(queueDir, place)).filter((name) => name.endsWith(".held"));
  expect(held.map((name) => readlinkSync(join(queueDir, place, name)))).toEqual([
    expect.stringMatching(/^\d+:.+:.+:\d+$/),
  ]);
  go();
});
