/** Limits where no control group can be written: watched over the whole membership, and said to be soft. */
import { afterAll, expect, test } from "vitest";
import { bareEngine } from "./bare-engine.ts";

const engine = bareEngine(() => ({
  scope: null,
  cgroups: {
    description: "none",
    prepare: () => Promise.resolve(),
    create: () => null,
    ofSession: () => null,
    find: () => null,
  },
}));
afterAll(() => engine.close());

const MIB = 1024 ** 2;
const hog = (mib: number): string =>
  `${process.execPath} -e 'globalThis.a=Buffer.alloc(${mib}*${MIB},1);setTimeout(()=>{},900)'`;

test("memory of all processes together, each of which stays under it", async () => {
  const view = await engine.endOf(`${hog(120)} & ${hog(120)} & wait`, { memoryBytes: 250 * MIB });
  expect(view).toMatchObject({ cause: "resource_limit", resource: "memory" });
  expect(view.message).toMatch(/watched/);
  expect(view.mechanisms).toEqual(["memory: watched every 250 ms (soft: no memory cgroup can be written here)"]);
});

test("memory just not hit", async () => {
  expect(await engine.endOf(hog(40), { memoryBytes: 400 * MIB })).toMatchObject({ cause: "completed", exitCode: 0 });
});

test("memory of a grandchild that left its session", async () => {
  const view = await engine.endOf(`bash -c "setsid ${hog(300).replaceAll('"', '\\"')} & wait"; exit 0`, {
    memoryBytes: 200 * MIB,
  });
  expect(view).toMatchObject({ cause: "resource_limit", resource: "memory" });
});

test("memory of one that handles SIGTERM: it is stopped all the same", async () => {
  const view = await engine.endOf(`trap 'echo handled' TERM; ${hog(300)}; exit 0`, { memoryBytes: 200 * MIB });
  expect(view).toMatchObject({ cause: "resource_limit", resource: "memory" });
});

test("CPU time of all processes together", async () => {
  const burn = `${process.execPath} -e 'const e=Date.now()+20000;while(Date.now()<e);'`;
  const view = await engine.endOf(`${burn} & ${burn} & ${burn} & wait`, { cpuTimeMs: 2000 });
  expect(view).toMatchObject({ cause: "resource_limit", resource: "cpu_time" });
});

test("CPU time of processes that have ended already counts", async () => {
  const burn = `${process.execPath} -e 'for(const e=process.cpuUsage();;){const c=process.cpuUsage(e);if(c.user+c.system>700000)break}'`;
  const view = await engine.endOf(`for i in 1 2 3 4 5 6; do ${burn}; done; sleep 30`, { cpuTimeMs: 2000 });
  expect(view).toMatchObject({ cause: "resource_limit", resource: "cpu_time" });
});
