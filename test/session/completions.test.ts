/** Completions are handed over, not fired: a model over interleavings, and real processes that are killed. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { connect } from "proctor";
import type { RunEvent, RunView, Session } from "proctor";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { INITIAL_HANDOFF, isOpenWork, stepHandoff } from "../../src/machine/index.ts";
import { CompletionReceiver } from "../../src/session/completions.ts";
import { eventually, killSeen, livingProcesses, processesOf } from "./processes.ts";

const ENTRY = new URL("../../dist/index.js", import.meta.url).href;
const RECEIVER = fileURLToPath(new URL("./receiver.mjs", import.meta.url));

describe("the model", () => {
  test("watched work is open until its end was acknowledged, whatever comes in between and how often", () => {
    const input = fc.constantFrom(
      { kind: "watched" as const },
      { kind: "ended" as const, isOwn: false },
      { kind: "ended" as const, isOwn: true },
      { kind: "acknowledged" as const },
    );
    fc.assert(
      fc.property(fc.array(input, { maxLength: 20 }), (history) => {
        let state = INITIAL_HANDOFF;
        let isWatched = false;
        let ended: boolean | null = null;
        let isAdmitted = false;
        for (const one of history) {
          state = stepHandoff(state, one);
          if (one.kind === "watched") isWatched = true;
          if (one.kind === "ended") ended ??= one.isOwn;
          if (one.kind === "acknowledged" && ended !== null) isAdmitted = true;
          expect(isOpenWork(state)).toBe(isWatched && ended !== true && !isAdmitted);
        }
      }),
    );
  });
});

/** A session as a bad connection shows it: calls that fail before or after they did something, stale answers, events lost and doubled. */
class BadConnection {
  readonly work = new Map<string, "running" | "ended" | "closed">();
  readonly listeners = new Set<(event: RunEvent) => void>();
  readonly faults: string[];
  stale: RunView[] = [];
  constructor(faults: readonly string[]) {
    this.faults = [...faults];
  }
  view(id: string): RunView {
    return { id, state: this.work.get(id) === "running" ? "running" : "ended" } as RunView;
  }
  onChange(listener: (event: RunEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  async openWork(): Promise<readonly RunView[]> {
    const fault = this.faults.shift();
    if (fault === "before") throw new Error("the connection was lost");
    const now = [...this.work].filter(([, state]) => state !== "closed").map(([id]) => this.view(id));
    const answer = fault === "stale" ? this.stale : now;
    this.stale = now;
    await Promise.resolve();
    if (fault === "after") throw new Error("the answer was lost");
    return answer;
  }
  async acknowledge(ids: readonly string[]): Promise<readonly string[]> {
    const fault = this.faults.shift();
    if (fault === "before") throw new Error("the connection was lost");
    for (const id of ids) if (this.work.get(id) === "ended") this.work.set(id, "closed");
    await Promise.resolve();
    if (fault === "after") throw new Error("the answer was lost");
    return ids;
  }
  end(id: string, events: number): void {
    this.work.set(id, "ended");
    for (let i = 0; i < events; i++)
      for (const listener of this.listeners) listener({ kind: "ended", run: this.view(id) });
  }
}

test("over every kind of bad connection each completion is admitted once, and no work stays open", async () => {
  const action = fc.oneof(
    fc.record({ do: fc.constant("end" as const), which: fc.nat(7), events: fc.nat(3) }),
    fc.record({ do: fc.constant("look" as const) }),
    fc.record({ do: fc.constant("turn" as const), turns: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ do: fc.constant("replace" as const) }),
  );
  const faults = fc.array(fc.constantFrom("none", "before", "after", "stale"), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 25 }),
      faults,
      fc.array(fc.boolean(), { maxLength: 6 }),
      async (actions, bad, refusals) => {
        const source = new BadConnection(bad);
        for (let i = 0; i < 8; i++) source.work.set(`run-${i}`, "running");
        const admitted: string[] = [];
        const refuse = [...refusals];
        const receive = (): CompletionReceiver =>
          new CompletionReceiver(
            source,
            async (runs) => {
              await Promise.resolve();
              if (refuse.shift() === true) throw new Error("not now");
              admitted.push(...runs.map(({ id }) => id));
            },
            admitted,
          );
        const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
        let receiver = receive();
        for (const one of actions) {
          if (one.do === "end") source.end(`run-${one.which}`, one.events);
          if (one.do === "look") receiver.look();
          if (one.do === "turn") for (let i = 0; i < one.turns; i++) await turn();
          if (one.do === "replace") {
            // What it was doing is finished or not; the next one knows what was admitted.
            receiver.close();
            await turn();
            receiver = receive();
          }
        }
        for (let i = 0; i < 8; i++) if (source.work.get(`run-${i}`) === "running") source.end(`run-${i}`, 0);
        for (let i = 0; i < 60 && [...source.work.values()].some((state) => state !== "closed"); i++) {
          receiver.look();
          await turn();
        }
        receiver.close();
        expect(admitted.toSorted()).toEqual([...source.work.keys()].toSorted());
        expect([...source.work.values()].filter((state) => state !== "closed")).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

describe("real sessions", () => {
  let base: string;
  const open: Session[] = [];
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "completions-")));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((session) => session.end({ graceMs: 0 }).catch(() => undefined)));
    for (const left of processesOf(base)) killSeen(left);
    rmSync(base, { recursive: true, force: true });
  });
  const session = async (embedded: boolean): Promise<Session> => {
    const one = await connect({ dir: join(base, "s"), embedded });
    open.push(one);
    return one;
  };

  test.each([true, false])(
    "a background run is open work until its completion was admitted (embedded: %s)",
    async (embedded) => {
      const one = await session(embedded);
      const gate = join(base, "gate");
      const run = await one.bash(`while [ ! -e ${gate} ]; do sleep 0.02; done; exit 3`, { background: true });
      await one.bash("echo foreground");
      expect((await one.openWork()).map(({ id, state }) => [id, state])).toEqual([[run.id, "running"]]);
      expect(await one.acknowledge([run.id])).toEqual([]); // nothing to admit yet
      writeFileSync(gate, "");
      await one.wait(run.id, { timeoutMs: 10_000 });
      expect((await one.openWork()).map(({ id, exitCode }) => [id, exitCode])).toEqual([[run.id, 3]]);
      expect(await one.acknowledge([run.id])).toEqual([run.id]);
      expect(await one.acknowledge([run.id, run.id])).toEqual([]);
      expect(await one.openWork()).toEqual([]);
    },
  );

  test.each([true, false])(
    "a step of a workflow is done when its open work is, as the changes tell (embedded: %s)",
    async (embedded) => {
      const one = await session(embedded);
      const gate = join(base, "gate");
      const wait = `while [ ! -e ${gate} ]; do sleep 0.02; done`;
      const runs = [
        await one.bash(wait, { background: true }),
        await one.bash(`${wait}; exit 1`, { background: true }),
      ];
      const seen: string[] = [];
      const done = new Promise<void>((resolve, reject) => {
        one.onChange((event) => {
          seen.push(event.kind);
          // Ended is not enough: whoever was told must have said so.
          if (event.kind === "acknowledged")
            one.openWork().then((work) => {
              if (work.length === 0) resolve();
            }, reject);
        });
      });
      await one.list(); // the subscription stands
      writeFileSync(gate, "");
      for (const { id } of runs) await one.wait(id, { timeoutMs: 20_000 });
      expect(await one.openWork()).toHaveLength(2);
      one.onCompletions(() => undefined);
      await done;
      expect(seen.filter((kind) => kind === "acknowledged")).toHaveLength(2);
      expect(seen.indexOf("ended")).toBeLessThan(seen.indexOf("acknowledged"));
    },
  );

  test("a sequence is told as one, and what ended together is told together", async () => {
    const one = await session(true);
    const gate = join(base, "gate");
    const wait = `while [ ! -e ${gate} ]; do sleep 0.02; done`;
    const runs = [
      await one.bash([wait, "echo two"], { background: true }),
      await one.bash(wait, { background: true }),
      await one.bash(wait, { background: true, watch: false }),
    ];
    const told: string[][] = [];
    writeFileSync(gate, "");
    for (const { id } of runs) await one.wait(id, { timeoutMs: 10_000 });
    one.onCompletions((batch) => void told.push(batch.map(({ id }) => id)));
    await eventually("no open work", async () => (await one.openWork()).length === 0);
    expect(told).toEqual([[runs[0]?.id, runs[1]?.id]]);
  });

  test.each([true, false])("what the watcher stopped itself is no news (embedded: %s)", async (embedded) => {
    const one = await session(embedded);
    const mine = await one.bash("sleep 300", { background: true });
    const other = await one.bash("sleep 300", { background: true });
    await one.stop(mine.id);
    expect((await one.openWork()).map(({ id }) => id)).toEqual([other.id]);
    const stranger = await connect({ dir: one.dir, own: false });
    if (embedded) return;
    await stranger.stop(other.id);
    // Somebody else stopped it: that is news.
    expect((await one.openWork()).map(({ id, cause }) => [id, cause])).toEqual([[other.id, "stopped"]]);
  });

  test("a completion waits for its receiver through the death of the host", async () => {
    const one = await session(false);
    const first = await one.bash("sleep 0.2; exit 4", { background: true });
    const second = await one.bash("exit 5", { background: true });
    await one.wait(second.id, { timeoutMs: 10_000 });
    await one.acknowledge([second.id]);
    const hosts = livingProcesses().filter(
      ({ command }) => command.includes("host-main.js") && command.includes(base) && !command.includes("guardian"),
    );
    for (const host of hosts) killSeen(host);
    await one.wait(first.id, { timeoutMs: 20_000 });
    expect((await one.openWork()).map(({ id, exitCode }) => [id, exitCode])).toEqual([[first.id, 4]]);
  });

  test.each(["before-admit", "after-admit", "after-acknowledge"])(
    "a receiver that is killed %s neither loses nor doubles one",
    async (step) => {
      const one = await session(false);
      const journal = join(base, "journal");
      const runs = await Promise.all([1, 2, 3].map((code) => one.bash(`exit ${code}`, { background: true })));
      for (const { id } of runs) {
        await one.wait(id, { timeoutMs: 10_000 });
      }
      const receive = (dieAt: string): Promise<NodeJS.Signals | null> =>
        new Promise((resolve) => {
          const child = spawn(process.execPath, [RECEIVER, ENTRY, one.dir, journal, dieAt], {
            stdio: ["ignore", "ignore", "inherit"],
          });
          child.on("exit", (_, signal) => resolve(signal));
        });
      expect(await receive(step)).toBe("SIGKILL");
      expect(await receive("never")).toBeNull();
      const admitted = existsSync(journal) ? readFileSync(journal, "utf8").split("\n").filter(Boolean) : [];
      expect(admitted.toSorted()).toEqual(runs.map(({ id }) => id).toSorted());
      expect(await one.openWork()).toEqual([]);
    },
  );
});
