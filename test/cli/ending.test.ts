import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StopReport } from "../../src/model/index.ts";
import { eventually, killSeen, livingProcesses, processesOf } from "../session/processes.ts";
import { newWorld } from "./command-line.ts";

describe("proctor stop and stop-all", () => {
  it("stops a run with the reason given, and again without an error", async () => {
    const world = newWorld();
    const { id } = await world.run(["-b", "sleep 300"]);
    const report = await world.json<StopReport>(["stop", id, "--reason", "wrong branch"]);
    expect([report.answer.code, report.confirmed, report.run.cause]).toEqual([0, true, "stopped"]);
    expect(report.run.message).toMatch(/wrong branch/);
    const again = await world.call(["stop", id]);
    expect([again.code, again.out]).toEqual([0, `${id} had ended already: sleep 300\n`]);
  });

  it("--grace 0 kills at once", async () => {
    const world = newWorld();
    const { id } = await world.run(["-b", "trap '' TERM; touch deaf; while :; do sleep 0.1; done"]);
    await eventually("the trap", () => existsSync(join(world.work, "deaf")));
    const report = await world.json<StopReport>(["stop", id, "--grace", "0"]);
    expect([report.confirmed, report.signals]).toEqual([true, ["SIGKILL"]]);
  });

  it("stops everything in the session", async () => {
    const world = newWorld();
    for (let i = 0; i < 3; i++) await world.run(["-b", "sleep 300"]);
    const { stopped, answer } = await world.json<{ stopped: StopReport[] }>(["stop-all"]);
    expect([answer.code, stopped.map((r) => r.confirmed)]).toEqual([0, [true, true, true]]);
    const none = await world.json<{ stopped: StopReport[] }>(["stop-all"]);
    expect([none.answer.code, none.stopped]).toEqual([0, []]);
  });
});

describe("proctor session end", () => {
  it("stops the runs, removes the directory, and may be called again", async () => {
    const world = newWorld();
    await world.run(["-b", "sleep 300"]);
    const answer = await world.call(["session", "end", "--json"]);
    expect(JSON.parse(answer.out)).toMatchObject({ ended: true, stopped: [{ confirmed: true }] });
    expect(existsSync(world.session)).toBe(false);
    await eventually("the host to leave", () => processesOf(world.session).length === 0);
    const again = await world.call(["session", "--json", "end", world.session]);
    expect([again.code, JSON.parse(again.out)]).toEqual([0, { ended: true, stopped: [] }]);
  });

  it("ends a session whose host and guardian were killed", async () => {
    const world = newWorld();
    const mark = `300.${process.pid}${Math.floor(Math.random() * 1e9)}`;
    await world.run(["-b", `sleep ${mark}`]);
    const own = (): ReturnType<typeof livingProcesses> =>
      processesOf(world.session).filter((p) => /host-main|guardian/.test(p.command));
    // Stopped first, so that neither replaces the other before it is killed itself.
    await eventually("host and guardian to be gone", () => {
      for (const seen of own()) killSeen(seen, "SIGSTOP");
      for (const seen of own()) killSeen(seen);
      return own().length === 0;
    });
    const answer = await world.call(["session", "end", "--json"]);
    expect(answer.code).toBe(0);
    expect(existsSync(world.session)).toBe(false);
    expect(livingProcesses().filter((p) => p.command.includes(mark))).toEqual([]);
  });
});

describe("what dead sessions left", () => {
  it("is cleaned up by the next call, which does not wait for it", async () => {
    const world = newWorld();
    const mark = `300.${process.pid}${Math.floor(Math.random() * 1e9)}`;
    const owner = world.spawn("sleep", ["300"]);
    const lost = join(world.root, "lost");
    await world.run(["--session", lost, "-b", `sleep ${mark}`], {
      env: { PROCTOR_OWNER_PID: String(owner.child.pid) },
    });
    // Everything that could notice is killed first, then the owner.
    await eventually("host and guardian to be gone", () => {
      const own = processesOf(lost).filter((p) => /host-main|guardian/.test(p.command));
      for (const seen of own) killSeen(seen, "SIGSTOP");
      for (const seen of own) killSeen(seen);
      return own.length === 0;
    });
    owner.child.kill("SIGKILL");
    await owner.ended;
    expect(livingProcesses().some((p) => p.command.includes(mark))).toBe(true);
    expect((await world.call(["list"])).code).toBe(0);
    await eventually(
      "the session and its processes to be gone",
      () => !existsSync(lost) && !livingProcesses().some((p) => p.command.includes(mark)),
    );
  });
});
