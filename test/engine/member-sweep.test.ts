/** The stop protocol under a clock and a process table in the test's hands. */
import { describe, expect, test } from "vitest";
import { MemberSweep } from "../../src/engine/member-sweep.ts";
import { Membership } from "../../src/engine/membership.ts";
import { SessionProcesses } from "../../src/engine/session-processes.ts";
import type { SweepReport } from "../../src/engine/member-sweep.ts";
import { FakeClock, FakeProcessTable } from "../../src/testing/index.ts";
import type { Invention } from "../../src/testing/index.ts";

const LAUNCHER = 100;
const SCRIBE = 101;
const COMMAND = 102;

interface Scene {
  readonly clock: FakeClock;
  readonly table: FakeProcessTable;
  readonly members: Membership;
  readonly sweep: (graceMs: number) => MemberSweep;
}

function scene(
  command: Partial<Invention> = {},
  options: { subreaper?: boolean; group?: () => readonly number[] } = {},
): Scene {
  const clock = new FakeClock();
  const table = new FakeProcessTable();
  const launcher = table.invent({ pid: LAUNCHER, ppid: 1 });
  const scribe = table.invent({ pid: SCRIBE, ppid: LAUNCHER, pgid: LAUNCHER, sid: LAUNCHER });
  const leader = table.invent({ pid: COMMAND, ppid: LAUNCHER, sid: LAUNCHER, ...command });
  const group = options.group === undefined ? null : { joinFile: "", pids: options.group, remove: () => true };
  const processes = new SessionProcesses(table, group, () => false);
  const members = new Membership(table, "run1", processes);
  members.launched({
    launcher,
    scribe,
    command: leader,
    subreaper: options.subreaper ?? true,
    terminal: null,
    leader: launcher,
  });
  return {
    clock,
    table,
    members,
    sweep: (graceMs) => new MemberSweep(members, table, clock, null, () => false, graceMs),
  };
}

async function finished(clock: FakeClock, sweep: MemberSweep, ms = 20_000): Promise<SweepReport> {
  let report: SweepReport | null = null;
  const done = sweep.run().then((r) => (report = r));
  await clock.advance(ms);
  expect(report, "the sweep to be over").not.toBeNull();
  return done;
}

describe("a sweep", () => {
  test("asks with SIGTERM, continues with SIGCONT, and needs no more where that is enough", async () => {
    const { clock, table, sweep } = scene();
    table.invent({ pid: 103, ppid: COMMAND, pgid: COMMAND, sid: LAUNCHER });
    const report = await finished(clock, sweep(5000));
    expect(report).toEqual({ signals: ["SIGTERM"], survivors: [] });
    expect(table.snapshot().map((p) => p.identity.pid)).toEqual([LAUNCHER, SCRIBE]);
    expect(table.sent.map((s) => s.signal)).not.toContain("SIGKILL");
    expect(clock.armed).toBe(0);
  });

  test("kills at the end of the grace period, not before", async () => {
    const { clock, table, sweep } = scene({ diesOf: (signal) => signal === "SIGKILL" });
    let over = false;
    const done = sweep(5000)
      .run()
      .then((report) => {
        over = true;
        return report;
      });
    await clock.advance(4990);
    expect(over).toBe(false);
    expect(table.sent.map((s) => s.signal)).toEqual(["SIGTERM", "SIGCONT"]);
    await clock.advance(1000);
    expect((await done).signals).toEqual(["SIGTERM", "SIGKILL"]);
    expect(clock.armed).toBe(0);
  });

  test("a grace period of 0 is SIGKILL at once", async () => {
    const { clock, table, sweep } = scene();
    expect(await finished(clock, sweep(0), 100)).toEqual({ signals: ["SIGKILL"], survivors: [] });
    expect(table.sent.some((s) => s.signal === "SIGTERM")).toBe(false);
  });

  test("names who survives SIGKILL, and ends", async () => {
    const { clock, sweep } = scene({ diesOf: () => false });
    const report = await finished(clock, sweep(100));
    expect(report.survivors).toEqual([{ pid: COMMAND, command: `invented ${COMMAND}` }]);
    expect(clock.armed).toBe(0);
  });

  test("never signals launcher, scribe or a stranger that has a member's pid by now", async () => {
    const { clock, table, members, sweep } = scene({ diesOf: (signal) => signal === "SIGKILL" });
    table.invent({ pid: 103, ppid: COMMAND, pgid: COMMAND, sid: LAUNCHER });
    members.find();
    table.end(103);
    table.invent({ pid: 103, ppid: 1 });
    await finished(clock, sweep(200));
    expect(table.sent.filter((s) => [LAUNCHER, SCRIBE, 103].includes(s.pid))).toEqual([]);
    expect(table.identify(103)).not.toBeNull();
  });

  test("a member that is forked while the others are being killed is killed as well", async () => {
    const { clock, table, sweep } = scene({ diesOf: (signal) => signal === "SIGKILL" });
    let forked = false;
    table.invent({
      pid: 103,
      ppid: COMMAND,
      pgid: 103,
      sid: 103,
      diesOf: (signal) => {
        if (signal !== "SIGKILL") return false;
        if (!forked) table.invent({ pid: 104, ppid: LAUNCHER, pgid: 104, sid: 104 });
        forked = true;
        return true;
      },
    });
    expect((await finished(clock, sweep(50))).survivors).toEqual([]);
    expect(table.identify(104)).toBeNull();
  });

  test("without a subreaper members are found by session, marker and what was seen before", async () => {
    const { clock, table, members, sweep } = scene({}, { subreaper: false });
    table.invent({ pid: 103, ppid: 1, pgid: 103, sid: LAUNCHER });
    table.invent({ pid: 104, ppid: 1, environment: ["PROCTOR_RUN_ID=run1"] });
    table.invent({ pid: 105, ppid: COMMAND });
    members.find();
    table.end(COMMAND); // 105 loses its only tie, but was seen
    table.invent({ pid: 106, ppid: 1, environment: ["PROCTOR_RUN_ID=run2"] });
    expect((await finished(clock, sweep(50))).survivors).toEqual([]);
    expect(table.snapshot().map((p) => p.identity.pid)).toEqual([LAUNCHER, SCRIBE, 106]);
  });

  test("when the launcher was killed, what is left in the session's control group and has no living launcher above it goes", async () => {
    const { clock, table, sweep } = scene({}, { group: () => [LAUNCHER, SCRIBE, COMMAND, 103, 200, 201] });
    table.invent({ pid: 103, ppid: LAUNCHER }); // left group, session and environment
    table.end(LAUNCHER);
    table.invent({ pid: 300, ppid: 1 });
    const other = table.invent({ pid: 200, ppid: 1 });
    table.invent({ pid: 201, ppid: 200 });
    expect(other.pid).toBe(200);
    await finished(clock, sweep(50));
    expect(table.identify(103)).toBeNull();
    expect(table.identify(300), "not in the session's group").not.toBeNull();
  });

  test("a second request can only shorten the grace period", async () => {
    const { clock, table, sweep } = scene({ diesOf: (signal) => signal === "SIGKILL" });
    const one = sweep(5000);
    const done = one.run();
    await clock.advance(100);
    one.hasten(60_000);
    await clock.advance(100);
    expect(table.sent.some((s) => s.signal === "SIGKILL")).toBe(false);
    one.hasten(0);
    await clock.advance(100);
    expect((await done).signals).toEqual(["SIGTERM", "SIGKILL"]);
  });
});
