import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunResult, RunView } from "../../src/model/index.ts";
import { eventually, livingProcesses } from "../session/processes.ts";
import { newWorld } from "./command-line.ts";
import type { Call, World } from "./command-line.ts";

/** A duration for sleep that no other process of the machine has. */
function mark(): string {
  return `300.${process.pid}${Math.floor(Math.random() * 1e9)}`;
}

function withMark(text: string): number {
  return livingProcesses().filter((p) => p.command === `sleep ${text}`).length;
}

/** Starts a run in the foreground and waits until its command has said, behind its first line, that it is there. */
async function foreground(world: World, first: string, rest: string): Promise<Call> {
  const call = world.start(["run", "--json", `${first}\necho here > ready\n${rest}`]);
  await eventually("the command to run", () => {
    try {
      return readFileSync(join(world.work, "ready"), "utf8") === "here\n";
    } catch {
      return false;
    }
  });
  return call;
}

describe("signals to a run in the foreground", () => {
  it("Ctrl-C reaches the command; what its shell left behind goes too; 130", async () => {
    const world = newWorld();
    const [left, front] = [mark(), mark()];
    const call = await foreground(world, `sleep ${left} & trap 'echo caught; exit 3' INT`, `sleep ${front} & wait`);
    await eventually("both to run", () => withMark(left) === 1 && withMark(front) === 1);
    call.child.kill("SIGINT");
    const answer = await call.ended;
    const result = JSON.parse(answer.out) as RunResult;
    expect([answer.code, result.exitCode, result.cause, result.leftovers]).toEqual([130, 3, "completed", []]);
    expect(result.output).toMatch(/caught/);
    expect(withMark(left) + withMark(front)).toBe(0);
  });

  it("Ctrl-C alone ends no command that goes on after it; twice stops it; 130", async () => {
    const world = newWorld();
    const call = await foreground(world, "trap 'echo again > caught' INT", "while :; do sleep 0.05; done");
    call.child.kill("SIGINT");
    await eventually("the command to get it", () => readable(join(world.work, "caught")));
    call.child.kill("SIGINT");
    const answer = await call.ended;
    const result = JSON.parse(answer.out) as RunResult;
    expect([answer.code, result.state, result.cause]).toEqual([130, "ended", "stopped"]);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s stops the run and leaves with %i", async (signal, code) => {
    const world = newWorld();
    const text = mark();
    const call = await foreground(world, ":", `sleep ${text}`);
    call.child.kill(signal);
    const answer = await call.ended;
    expect(answer.code).toBe(code);
    expect((JSON.parse(answer.out) as RunResult).cause).toBe("stopped");
    expect(withMark(text)).toBe(0);
  });

  it("asked once more, it waits for no grace period", async () => {
    const world = newWorld();
    const call = await foreground(world, "trap '' TERM", "while :; do sleep 0.05; done");
    call.child.kill("SIGTERM");
    await eventually("the stop to begin", async () => {
      const { runs } = await world.json<{ runs: RunView[] }>(["list"]);
      return runs[0]?.state === "stopping";
    });
    call.child.kill("SIGTERM");
    const answer = await call.ended;
    expect([answer.code, (JSON.parse(answer.out) as RunResult).signal]).toEqual([143, "SIGKILL"]);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("%s before the command has started is not lost", async (signal, code) => {
    const world = newWorld();
    await world.run(["true"]); // the host serves: what differs is how far the start has come
    for (let i = 0; i < 8; i++) {
      const call = world.start(["run", "--json", "sleep 60"]);
      setTimeout(() => call.child.kill(signal), 30 * (i + 1));
      const answer = await call.ended;
      // Before its own handlers stand the signal ends the program itself, as it ends any other.
      expect(answer.signal ?? answer.code).toSatisfy((end) => end === signal || end === code);
      if (answer.signal === null) expect((JSON.parse(answer.out) as RunResult).state).toBe("ended");
    }
    const { runs } = await world.json<{ runs: RunView[] }>(["list"]);
    expect(runs.filter((r) => r.state !== "ended")).toEqual([]);
  });

  it("killed, it leaves a run that goes on and can be waited for", async () => {
    const world = newWorld();
    const call = await foreground(world, ":", "until [ -e go ]; do sleep 0.05; done; exit 9");
    call.child.kill("SIGKILL");
    await call.ended;
    const { runs } = await world.json<{ runs: RunView[] }>(["list"]);
    const [run] = runs;
    expect(run?.state).toBe("running");
    await world.shell("touch go");
    const waited = await world.json<RunView>(["wait", run?.id ?? ""]);
    expect([waited.answer.code, waited.exitCode]).toEqual([0, 9]);
  });
});

function readable(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}
