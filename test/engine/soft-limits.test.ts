/** Limits where no control group can be written: watched over the whole membership, and said to be soft. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SessionEngine, SessionProcesses } from "../../src/engine/index.ts";
import { NO_LIMITS, newId } from "../../src/model/index.ts";
import type { Limits, RunView } from "../../src/model/index.ts";
import { findProgram, perlLauncher, processTable, runStore, systemClock, terminals } from "../../src/os/index.ts";

const dir = realpathSync(mkdtempSync(join(tmpdir(), "proctor-soft-")));
const table = processTable();
const engine = new SessionEngine(
  {
    sessionId: "soft-limits",
    sessionDir: dir,
    clock: systemClock,
    table,
    launcher: perlLauncher(table, findProgram("perl") ?? "perl", {
      socketPath: () => join(dir, "launch.sock"),
      cgroupFile: null,
    }),
    store: runStore(dir),
    cgroups: { description: "none", create: () => null, ofSession: () => null, find: () => null },
    queue: {
      join: () => ({ kind: "off", why: "a test without one" }),
      rejoin: () => ({ kind: "off", why: "a test without one" }),
      refuseWhenFull: () => undefined,
      leave: () => undefined,
      onChange: () => () => undefined,
      close: () => undefined,
    },
    retention: { ttlMs: 3_600_000, totalBytes: 1 << 30 },
    heavinessOf: () => Promise.resolve("light"),
    perl: findProgram("perl") ?? "perl",
    shell: findProgram("bash") ?? "bash",
    hidden: [],
    terminals,
    answers: () => ({
      answersFrom: (to) => Promise.resolve({ bytes: new Uint8Array(), to }),
      close: () => Promise.resolve(),
    }),
    panes: {
      backend: () => Promise.resolve("built-in"),
      show: () => Promise.resolve(),
      adopt: () => Promise.resolve(),
      ended: () => undefined,
      invitation: () => null,
      close: () => undefined,
    },
    processes: new SessionProcesses(table, null, ({ pid }) => pid === process.pid),
    report: (error) => {
      throw error;
    },
  },
  { removeDirectory: () => rmSync(dir, { recursive: true, force: true }) },
);
afterAll(() => engine.end({ reason: null, graceMs: 0 }));

async function endOf(command: string, limits: Partial<Limits>): Promise<RunView> {
  const { id } = await engine.start({
    id: newId(),
    commands: [command],
    name: null,
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "" },
    unrecorded: [],
    withheld: [],
    umask: 0o22,
    stdin: null,
    interactive: false,
    limits: { ...NO_LIMITS, ...limits },
  });
  return (await engine.wait({ id, timeoutMs: null })).run;
}

const MIB = 1024 ** 2;
const hog = (mib: number): string =>
  `${process.execPath} -e 'globalThis.a=Buffer.alloc(${mib}*${MIB},1);setTimeout(()=>{},900)'`;

test("memory of all processes together, each of which stays under it", async () => {
  const view = await endOf(`${hog(120)} & ${hog(120)} & wait`, { memoryBytes: 250 * MIB });
  expect(view).toMatchObject({ cause: "resource_limit", resource: "memory" });
  expect(view.message).toMatch(/watched/);
  expect(view.mechanisms).toEqual(["memory: watched every 250 ms (soft: no memory cgroup can be written here)"]);
});

test("memory just not hit", async () => {
  expect(await endOf(hog(40), { memoryBytes: 400 * MIB })).toMatchObject({ cause: "completed", exitCode: 0 });
});

test("CPU time of all processes together", async () => {
  const burn = `${process.execPath} -e 'const e=Date.now()+20000;while(Date.now()<e);'`;
  const view = await endOf(`${burn} & ${burn} & ${burn} & wait`, { cpuTimeMs: 2000 });
  expect(view).toMatchObject({ cause: "resource_limit", resource: "cpu_time" });
});
