/** What is kept about runs, and what a death in the middle of writing leaves. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NO_LIMITS } from "../../src/model/index.ts";
import type { RunRecord } from "../../src/model/index.ts";
import { runStore } from "../../src/os/index.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "store-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const record = (id: string, serial = 1): RunRecord => ({
  v: 1,
  id,
  kind: "run",
  serial,
  name: null,
  commands: ["echo hi"],
  parent: null,
  cwd: "/",
  env: {},
  unrecorded: [],
  withheld: [],
  umask: 0o22,
  stdin: null,
  interactive: false,
  limits: NO_LIMITS,
  createdAt: 1,
});

test("a start that was cut off before its record was written is no run, and can be asked for again", () => {
  const store = runStore(dir);
  mkdirSync(store.runDir("abcdef"), { recursive: true });
  writeFileSync(join(store.runDir("abcdef"), "command"), "echo h");
  expect(store.load().runs).toEqual([]);
  store.create(record("abcdef"), "echo hi");
  expect(readFileSync(join(store.runDir("abcdef"), "command"), "utf8")).toBe("echo hi\n");
  expect(store.load().runs.map((r) => r.record.id)).toEqual(["abcdef"]);
});

test("runs are loaded in the order in which they were started, and damage is named", () => {
  const store = runStore(dir);
  store.create(record("zzzzzz", 1), "true");
  store.create(record("aaaaaa", 2), "true");
  store.create(record("mmmmmm", 3), "true");
  writeFileSync(join(store.runDir("aaaaaa"), "state.json"), "{ half");
  writeFileSync(join(store.runDir("mmmmmm"), "run.json"), '{"v":2}');
  const { runs, corrupt } = store.load();
  expect(runs.map((r) => [r.record.id, r.state?.phase ?? null])).toEqual([
    ["mmmmmm", "starting"],
    ["zzzzzz", "starting"],
    ["aaaaaa", null],
  ]);
  expect(runs[0]).toMatchObject({ isSalvaged: true, record: { commands: ["true"] } });
  expect(corrupt.map((c) => c.path)).toEqual([
    join(store.runDir("aaaaaa"), "state.json"),
    join(store.runDir("mmmmmm"), "run.json"),
  ]);
});

test("a state that needs more room than was reserved gives up its notes, not its facts", () => {
  const store = runStore(dir);
  store.create(record("abcdef"), "true");
  store.writeState({
    v: 1,
    id: "abcdef",
    goal: "down",
    phase: "ended",
    startedAt: 1,
    endedAt: 2,
    wait: { kind: "exited", code: 3 },
    cause: "stopped",
    resource: null,
    message: "because",
    notes: ["n".repeat(10_000)],
    logBytes: 5,
    logLines: 1,
    stages: [],
  });
  expect(store.load().runs[0]?.state).toMatchObject({
    phase: "ended",
    wait: { kind: "exited", code: 3 },
    cause: "stopped",
    message: "because",
    notes: [],
  });
  expect(existsSync(store.logPath("abcdef"))).toBe(false);
});

/** Makes spares until no more are wanted. */
function prepared(store: ReturnType<typeof runStore>): void {
  store.pause();
  for (let more = store.prepare(); more; ) more = store.prepare();
}

const spareNames = (): string[] => readdirSync(join(dir, "runs")).filter((name) => name.startsWith(".spare-"));

test("a start in a directory that was made in advance is the same as any other", () => {
  const store = runStore(dir);
  store.create(record("aaaaaa", 1), "echo one");
  prepared(store);
  store.create(record("bbbbbb", 2), "echo two");
  const content = (id: string): Record<string, string> =>
    Object.fromEntries(
      ["command", "state.json", "status.reserved", "run.json"].map((name) => [
        name,
        readFileSync(join(store.runDir(id), name), "latin1").replaceAll(id, "ID"),
      ]),
    );
  const first = content("aaaaaa");
  const second = content("bbbbbb");
  expect(second).toEqual({
    ...first,
    command: "echo two\n",
    "run.json": first["run.json"]?.replace('"serial":1', '"serial":2'),
  });
  expect(store.logBytes("bbbbbb")).toBe(0);
  for (const name of readdirSync(store.runDir("bbbbbb")))
    expect([name, statSync(join(store.runDir("bbbbbb"), name)).mode & 0o777]).toEqual([name, 0o600]);
  expect(store.load().runs.map((r) => r.record.id)).toEqual(["aaaaaa", "bbbbbb"]);
});

test("as many are made in advance as came at once before, and what a former host made is swept", () => {
  const store = runStore(dir);
  for (let i = 0; i < 9; i++) store.create(record(`aaaaa${i}`, i), "true");
  prepared(store);
  expect(spareNames()).toHaveLength(9);
  expect(runStore(dir).load().runs).toHaveLength(9);
  expect(spareNames()).toHaveLength(9);
  runStore(dir).sweep();
  expect(spareNames()).toEqual([]);
  // The former host wakes up: what it made is gone, and its next start works all the same.
  store.create(record("bbbbbb", 10), "true");
  expect(store.find("bbbbbb")?.serial).toBe(10);
});

test("a start that was cut off is asked for again where a directory lies ready", () => {
  const store = runStore(dir);
  store.create(record("aaaaaa", 1), "true");
  prepared(store);
  mkdirSync(store.runDir("abcdef"));
  writeFileSync(join(store.runDir("abcdef"), "command"), "echo h");
  store.create(record("abcdef", 2), "echo hi");
  expect(readFileSync(join(store.runDir("abcdef"), "command"), "utf8")).toBe("echo hi\n");
});

test("a session whose directory was removed gets nothing made in it", () => {
  const store = runStore(dir);
  store.create(record("aaaaaa", 1), "true");
  rmSync(dir, { recursive: true });
  prepared(store);
  expect(existsSync(dir)).toBe(false);
});
