/** Waiting in all its forms: it returns when it came true, and at once when it no longer can. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "proctor";
import type { Session } from "proctor";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

describe.each([true, false])("a session (embedded: %s)", (embedded) => {
  let base: string;
  let session: Session;
  beforeEach(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "wait-")));
    session = await connect({ dir: join(base, "s"), embedded });
  });
  afterEach(async () => {
    await session.end({ graceMs: 0 });
    rmSync(base, { recursive: true, force: true });
  });
  const gate = (name: string): string => join(base, name);
  const behind = async (name: string, then = "true"): Promise<string> =>
    (await session.bash(`while [ ! -e ${gate(name)} ]; do sleep 0.02; done; ${then}`, { background: true })).id;

  test("until it is quiet: not while it prints, and then at once", async () => {
    const run = await session.bash("for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done; sleep 300", {
      background: true,
    });
    const { matched, over, run: view } = await session.wait(run.id, { quietMs: 700, timeoutMs: 30_000 });
    expect({ matched, over, state: view.state }).toEqual({ matched: true, over: false, state: "running" });
    expect(view.log.lines).toBe(8);
  });

  test("until it is quiet can't come true of what has ended", async () => {
    const run = await session.bash("sleep 0.1; echo out", { background: true });
    expect(await session.wait(run.id, { quietMs: 60_000 })).toMatchObject({ matched: false, over: true });
  });

  test("until a port of the run listens, and not a stranger's", async () => {
    const serve = (port: number): string =>
      `exec ${process.execPath} -e 'require("net").createServer().listen(${port}, "127.0.0.1", function () { console.log(this.address().port) })'`;
    const server = await session.bash(serve(0), { background: true });
    await session.wait(server.id, { match: "^\\d+$", timeoutMs: 20_000 });
    const port = Number((await session.logs(server.id)).text.trim());
    expect(await session.wait(server.id, { port, timeoutMs: 20_000 })).toMatchObject({ matched: true });
    const other = await session.bash("sleep 300", { background: true });
    expect(await session.wait(other.id, { port, timeoutMs: 300 })).toMatchObject({ matched: false, over: false });
    const ended = await session.bash("true");
    expect(await session.wait(ended.id, { port })).toMatchObject({ matched: false, over: true });
  });

  test("for all of several, and for any of them", async () => {
    const ids = [await behind("a", "exit 1"), await behind("b"), await behind("c")];
    expect(await session.waitForRuns(ids, "any", { timeoutMs: 100 })).toMatchObject({ matched: false, over: false });
    writeFileSync(gate("b"), "");
    const any = await session.waitForRuns(ids, "any");
    expect(any.matched).toBe(true);
    expect(any.runs.map(({ id, state }) => [id, state])).toEqual([
      [ids[0], "running"],
      [ids[1], "ended"],
      [ids[2], "running"],
    ]);
    writeFileSync(gate("a"), "");
    writeFileSync(gate("c"), "");
    const all = await session.waitForRuns(ids, "all");
    expect(all.matched).toBe(true);
    expect(all.runs.map(({ exitCode }) => exitCode)).toEqual([1, 0, 0]);
  });

  test("a line of several: over for all as soon as one can't, over for any when none can", async () => {
    const [first, second] = [await behind("a", "echo other"), await behind("b", "echo wanted; sleep 300")];
    writeFileSync(gate("a"), "");
    expect(await session.waitForRuns([first, second], "all", { match: "wanted" })).toMatchObject({
      matched: false,
      over: true,
    });
    writeFileSync(gate("b"), "");
    expect(await session.waitForRuns([first, second], "any", { match: "wanted" })).toMatchObject({ matched: true });
    expect(await session.waitForRuns([first], "any", { match: "wanted" })).toMatchObject({
      matched: false,
      over: true,
    });
  });

  test("a thousand that wait for one run, for its end and for its lines, are all told", async () => {
    const id = await behind("a", "echo wanted; exit 3");
    const ends = Array.from({ length: 900 }, () => session.wait(id, { timeoutMs: 60_000 }));
    const lines = Array.from({ length: 100 }, () => session.wait(id, { match: "wanted", timeoutMs: 60_000 }));
    const silent = session.wait(id, { match: "never", timeoutMs: 60_000 });
    writeFileSync(gate("a"), "");
    for (const { matched, run } of await Promise.all(ends))
      expect([matched, run.state, run.exitCode]).toEqual([true, "ended", 3]);
    for (const { matched } of await Promise.all(lines)) expect(matched).toBe(true);
    expect(await silent).toMatchObject({ matched: false, over: true });
  });

  test("what was waited for of a run that is stopped is over at once", async () => {
    const id = await behind("never");
    const waits = [
      session.wait(id, { match: "x", timeoutMs: 60_000 }),
      session.wait(id, { quietMs: 60_000, timeoutMs: 60_000 }),
      session.wait(id, { port: 9, timeoutMs: 60_000 }),
    ];
    await session.stop(id, { graceMs: 0 });
    for (const wait of waits) expect(await wait).toMatchObject({ matched: false, over: true });
    expect(await session.wait(id)).toMatchObject({ matched: true, over: true });
  });

  test("two conditions at once are refused, and so is a run that is not there, among several too", async () => {
    const run = await session.bash("true");
    await expect(session.wait(run.id, { match: "x", port: 80 })).rejects.toMatchObject({ code: "ERR_INPUT_USAGE" });
    await expect(session.waitForRuns([run.id, "zzzz-none"], "all")).rejects.toMatchObject({ code: "ERR_INPUT_ID" });
  });

  test("aborted, a wait ends and the run goes on", async () => {
    const id = await behind("never");
    const abort = new AbortController();
    const waits = [
      session.wait(id, { signal: abort.signal }),
      session.wait(id, { quietMs: 60_000, signal: abort.signal }),
      session.wait(id, { match: "x", signal: abort.signal }),
    ];
    abort.abort();
    for (const wait of waits)
      expect(await wait).toMatchObject({ matched: false, over: false, run: { state: "running" } });
  });
});
