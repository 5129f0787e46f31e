/** Launchers and scribes that carry out one run after the other: no run notices what another was. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "proctor";
import type { Session } from "proctor";
import { run } from "proctor/agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, killSeen, livingProcesses, uniqueSleep } from "./processes.ts";
import type { SeenProcess } from "./processes.ts";

let dir: string;
let session: Session;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "launchers-"));
  session = await connect({ dir: join(dir, "s") });
});
afterAll(async () => {
  await session.end();
  rmSync(dir, { recursive: true, force: true });
});

/** Launchers that wait for a plan, each with the scribe that waits with it. */
function waiting(): { launcher: SeenProcess; scribe: SeenProcess }[] {
  const all = livingProcesses().filter((p) => p.command.startsWith("proctor-nursery") && p.command.includes(dir));
  return all.flatMap((scribe) => {
    const launcher = all.find((p) => p.pid === scribe.ppid);
    return launcher !== undefined && all.some((p) => p.pid === launcher.ppid) ? [{ launcher, scribe }] : [];
  });
}

/** The launcher of a run, by its status file. */
function launcherOf(id: string): string {
  return readFileSync(join(dir, "s", "runs", id, "status"), "latin1").split("\n")[0] ?? "";
}

test("short runs one after the other need no new processes of ours", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 20; i += 1) ids.push((await session.bash(`echo ${i}`)).id);
  expect(new Set(ids.map(launcherOf)).size).toBeLessThan(10);
});

test("what a run leaves behind is that run's, whoever runs next", async () => {
  const mark = uniqueSleep();
  const leave = `sleep ${mark} > /dev/null 2>&1 & until grep -q sleep /proc/$!/comm; do :; done`;
  const left = await session.bash(leave);
  const next = await session.bash("echo next");
  expect([left.leftovers.length, next.leftovers, next.output]).toEqual([1, [], "next"]);
  expect(launcherOf(next.id)).not.toBe(launcherOf(left.id));
  expect((await session.stop(next.id)).signals).toEqual([]);
  expect((await session.status(left.id)).leftovers).toEqual(left.leftovers);
  expect(await session.stop(left.id)).toMatchObject({ confirmed: true, signals: ["SIGTERM"] });
});

test("each log has its own limit, and each command its own surroundings", async () => {
  const small = { limits: { logMaxBytes: 1 << 20 } };
  const many = (n: number): string => `seq 1 ${n} | sed 's/$/ of a line that is long enough to count/'`;
  await session.bash("true", small);
  const large = await session.bash(many(60_000));
  expect([large.cause, large.log.lines]).toEqual(["completed", 60_000]);
  const cut = await session.bash(many(60_000), small);
  expect([cut.cause, cut.log.bytes]).toEqual(["log_limit", 1 << 20]);
  const look = 'echo "${LEFT-}${GIVEN-}"; umask; grep Sig[BIC] /proc/self/status; ulimit -n; ls /proc/self/fd | wc -l';
  const before = await session.bash(look);
  await session.bash("umask 0; cd /; export LEFT=here; ulimit -n 64; trap '' TERM; exec 3</", {
    env: { GIVEN: "once" },
  });
  expect((await session.bash(look)).output).toBe(before.output);
});

test("a scribe that waits is no process of a run that needs none", async () => {
  await session.bash("true");
  const found = await eventually("scribes that wait", () => (waiting().length > 0 ? waiting() : null));
  // So that it does not leave by itself in time.
  for (const { scribe } of found) killSeen(scribe, "SIGSTOP");
  try {
    const at = { provider: "lines", binary: "/bin/true", args: [], workspace: dir, session: join(dir, "s") } as const;
    expect((await run({ ...at, onEvent: () => undefined })).leftovers).toEqual([]);
  } finally {
    // Whoever gets one of the others does without it.
    for (const { scribe } of found) killSeen(scribe, "SIGCONT");
  }
});

test("a scribe that is killed while it waits costs no byte of the next run", async () => {
  await session.bash("true");
  const victims = await eventually("scribes that wait", () => (waiting().length > 0 ? waiting() : null));
  for (const { scribe } of victims) killSeen(scribe);
  const results = await Promise.all(Array.from({ length: 4 }, () => session.bash("seq 1 100000 | tail -n 99999")));
  for (const { exitCode, cause, log, notes } of results)
    expect([exitCode, cause, log.lines, notes]).toEqual([0, "completed", 99_999, []]);
});

test("a log that somebody empties, or writes to, has no hole, and what they wrote stays", async () => {
  const [first, second] = [join(dir, "first"), join(dir, "second")];
  const until = (path: string): string => `until [ -e ${path} ]; do sleep 0.02; done`;
  const one = await session.bash(`seq 1 1000; ${until(first)}; echo two; ${until(second)}; echo three`, {
    background: true,
  });
  await eventually("the first lines", () => statSync(one.log.path).size > 3000);
  truncateSync(one.log.path);
  writeFileSync(first, "");
  await eventually("the second", () => readFileSync(one.log.path, "utf8") === "two\n");
  appendFileSync(one.log.path, "a note\n");
  writeFileSync(second, "");
  await session.wait(one.id, { timeoutMs: 20_000 });
  expect(readFileSync(one.log.path, "utf8")).toBe("two\na note\nthree\n");
});

test("launchers that were busy at once are let go after a rest", async () => {
  await Promise.all(Array.from({ length: 24 }, () => session.bash("sleep 0.2")));
  await eventually("the many", () => waiting().length > 4);
  await eventually("the rest", () => waiting().length <= 2);
  expect((await session.bash("echo still")).output).toBe("still");
});
