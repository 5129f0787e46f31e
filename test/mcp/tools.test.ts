import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { greetedServer, startServer } from "./mcp-process.ts";
import type { McpProcess } from "./mcp-process.ts";

/** The last two lines of an answer about a run. */
function lastLines(text: string): readonly string[] {
  return text.split("\n").slice(-2);
}

describe("bash", () => {
  let server: McpProcess;
  beforeAll(async () => {
    server = await greetedServer();
    return () => server.dispose();
  });

  test("answers with one text that ends with exit status and log, and the whole result beside it", async () => {
    const answer = await server.tool("bash", {
      command: ["echo to-stdout; echo to-stderr >&2; exit 37"],
      name: "greeting",
    });
    expect(answer.isError).toBe(false);
    expect(answer.result["content"]).toHaveLength(1);
    expect(answer.result["structuredContent"]).toBeUndefined();
    expect(answer.text).toMatch(/^to-stdout\nto-stderr\n/);
    const [status, log] = lastLines(answer.text);
    expect(status).toMatch(/^Exit status 37 /);
    expect(log).toContain(answer.run.log.path);
    expect(answer.run).toMatchObject({
      name: "greeting",
      exitCode: 37,
      cause: "completed",
      state: "ended",
      promoted: false,
      output: "to-stdout\nto-stderr",
    });
  });

  test("a text for the command is a list of one", async () => {
    expect((await server.tool("bash", { command: "echo one" })).run).toMatchObject({
      kind: "run",
      exitCode: 0,
      output: "one",
    });
  });

  test("stages stop at the first that fails, and the answer is that stage's", async () => {
    const answer = await server.tool("bash", { command: ["echo first", "echo second; exit 4", "touch third"] });
    expect(answer.isError).toBe(false);
    expect(answer.run).toMatchObject({ kind: "sequence", exitCode: 4, output: "second" });
    expect(lastLines(answer.text)[0]).toContain("stage 2 of 3");
    expect(existsSync(join(server.home, "third"))).toBe(false);
  });

  test.each([
    ["grep zzz-none /etc/passwd", 1],
    ["no-such-command-at-all", 127],
    ["kill -9 $$", 137],
  ])("the command's own failure is an answer: %s", async (command, exitCode) => {
    const answer = await server.tool("bash", { command: [command] });
    expect(answer.isError).toBe(false);
    expect(answer.run.exitCode).toBe(exitCode);
  });

  test("a run that proctor ended is an error", async () => {
    const answer = await server.tool("bash", { command: ["echo before; sleep 300"], timeout: 1 });
    expect(answer.isError).toBe(true);
    expect(answer.run).toMatchObject({ cause: "timeout", output: "before" });
    expect(lastLines(answer.text)[0]).toContain("timeout");
  });

  test("gets the directory and the variables that were asked for, and no secret of the server's", async () => {
    const other = await startServer({ env: { SOME_TOKEN: "hidden", PLAIN: "seen" } });
    const answer = await other.tool("bash", {
      command: ['echo "$PWD $PLAIN $ADDED $NUMBER ${SOME_TOKEN:-withheld}"'],
      cwd: "/",
      env: { ADDED: "a b", NUMBER: 7 },
    });
    expect(answer.run.output).toBe("/ seen a b 7 withheld");
  });

  test("names a few of many leftover processes, and their number", async () => {
    const answer = await server.tool("bash", { command: ["for i in $(seq 1 30); do sleep 300 & done; echo left"] });
    expect(answer.run.leftovers).toHaveLength(30);
    expect(answer.text).toMatch(/Still running from this command: (\d+ sleep 300; ){5}and 25 more\n/);
  });

  test("has nothing on its standard input", async () => {
    expect((await server.tool("bash", { command: ["cat; echo end"] })).run.output).toBe("end");
  });

  test("shows bytes that are no text, and terminal sequences, as text", async () => {
    const answer = await server.tool("bash", {
      command: [String.raw`printf 'a\033[31mred\033[0m\000\377\342\202b\007\n'`],
    });
    expect(answer.text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(answer.text.isWellFormed()).toBe(true);
    expect(answer.text).toContain("red");
  });
});

describe("a background run", () => {
  test("is answered at once, waited for, read, and stopped", async () => {
    const server = await startServer();
    const started = await server.tool("bash", {
      command: ["echo up; seq 1 3; sleep 300"],
      background: true,
      name: "server",
    });
    expect(started.isError).toBe(false);
    expect(started.run).toMatchObject({ promoted: true, state: "running", cause: null });
    expect(started.text).toMatch(/runner_wait.*runner_logs.*runner_stop/);
    const { id } = started.run;
    expect(lastLines(started.text)[0]).toContain(id);

    const ready = await server.tool("runner_wait", { id, match: "^3$", timeout: 30 });
    expect(ready.text).toMatch(/^Matched: 3\n/);
    expect(ready.run.state).toBe("running");

    const notYet = await server.tool("runner_wait", { id: id.slice(0, 6), timeout: 0.1 });
    expect(notYet.isError).toBe(false);
    expect(notYet.text).toMatch(/^Not yet/);

    const status = await server.tool("runner_status", { id });
    expect(status.text).toContain("Last line: 3");
    expect(status.run).toMatchObject({ id, state: "running" });

    const list = await server.tool("runner_list");
    expect(list.text).toContain(id);
    expect(list.runs).toMatchObject([{ id, name: "server", state: "running" }]);

    const logs = await server.tool("runner_logs", { id, lines: 2 });
    expect(logs.text).toMatch(/^2\n3\n/);

    const stopped = await server.tool("runner_stop", { id, reason: "enough" });
    expect(stopped.isError).toBe(false);
    expect(stopped.run).toMatchObject({ id, confirmed: true, alreadyEnded: false, survivors: [] });
    expect(stopped.run.run).toMatchObject({ state: "ended", cause: "stopped" });
    expect(stopped.text).toMatch(/^Stopped; nothing of it is left/);

    const again = await server.tool("runner_stop", { id });
    expect(again.isError).toBe(false);
    expect(again.run).toMatchObject({ alreadyEnded: true, confirmed: true });
  });

  test("that ends is told with its output", async () => {
    const server = await startServer();
    const { run } = await server.tool("bash", { command: ["sleep 0.3; echo the-result; exit 5"], background: true });
    const answer = await server.tool("runner_wait", { id: run.id });
    expect(answer.isError).toBe(false);
    expect(answer.run).toMatchObject({ exitCode: 5, output: "the-result" });
    expect(answer.text).toMatch(/^the-result\nExit status 5/);
  });

  test("that ends without the line that was waited for says so at once", async () => {
    const server = await startServer();
    const { run } = await server.tool("bash", { command: ["sleep 0.3; echo something else"], background: true });
    const answer = await server.tool("runner_wait", { id: run.id, match: "ready" });
    expect(answer.text).toMatch(/^It ended, and no line matched ready\.\nsomething else\n/);
  });

  test("stop_all stops what runs and tells what it stopped", async () => {
    const server = await startServer();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++)
      ids.push((await server.tool("bash", { command: ["sleep 300"], background: true })).run.id);
    await server.tool("bash", { command: ["true"] });
    const answer = await server.tool("runner_stop_all");
    expect(answer.runs.map((report) => report.id).toSorted()).toEqual(ids.toSorted());
    expect(answer.runs.every((report) => report.confirmed)).toBe(true);
    expect((await server.tool("runner_stop_all")).text).toBe("Nothing was running.");
  });
});

describe("runner_logs", () => {
  let server: McpProcess;
  let id = "";
  beforeAll(async () => {
    server = await greetedServer();
    ({ id } = (await server.tool("bash", { command: ["for i in $(seq 1 5000); do echo line number $i; done"] })).run);
    return () => server.dispose();
  });

  test("gives the end, within bounds, from the beginning of a line, and says how to get more", async () => {
    const answer = await server.tool("runner_logs", { id });
    expect(Buffer.byteLength(answer.text)).toBeLessThan(10_000);
    expect(answer.text).toMatch(/^line number \d+\n/);
    expect(answer.text).toContain("line number 5000\n[bytes ");
    expect(answer.text).toMatch(/give lines, from or grep/);
    expect(answer.run.run.id).toBe(id);
  });

  test("paging by from reads every line once", async () => {
    const lines: string[] = [];
    let from = 0;
    for (;;) {
      const answer = await server.tool("runner_logs", { id, from });
      lines.push(...answer.run.text.trimEnd().split("\n"));
      const next = /go on with from: (\d+)/.exec(answer.text);
      if (next === null) break;
      from = Number(next[1]);
    }
    expect(lines).toEqual(Array.from({ length: 5000 }, (_, i) => `line number ${i + 1}`));
  });

  test("paging through one long line tears no character", async () => {
    const { run } = await server.tool("bash", { command: ["printf 'x'; printf 'aé€😀%.0s' $(seq 1 5000)"] });
    const parts: string[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const answer = await server.tool("runner_logs", { id: run.id, from });
      parts.push(answer.run.text);
      const next = /go on with from: (\d+)/.exec(answer.text);
      from = next === null ? null : Number(next[1]);
    }
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join("")).toBe(`x${"aé€😀".repeat(5000)}`);
    expect((await server.tool("runner_logs", { id: run.id })).run.text).not.toContain("\ufffd");
  });

  test("gives as many lines as were asked for", async () => {
    const answer = await server.tool("runner_logs", { id, lines: 700 });
    expect(answer.run.text.split("\n")).toHaveLength(701);
    expect(answer.run.text.startsWith("line number 4301\n")).toBe(true);
  });

  test("gives only lines that match, and says how many", async () => {
    const answer = await server.tool("runner_logs", { id, grep: "9{3}$" });
    expect(answer.text).toMatch(
      /^line number 999\nline number 1999\nline number 2999\nline number 3999\nline number 4999\n\[5 lines matched\]\n/,
    );
  });

  test("from a line on gives what stands there, and says where it goes on", async () => {
    const some = await server.tool("runner_logs", { id, fromLine: 4000, lines: 3 });
    expect(some.text).toMatch(
      /^line number 4000\nline number 4001\nline number 4002\n\[bytes \d+ to (\d+) of \d+; go on with from: \1\]\n/,
    );
    const page = await server.tool("runner_logs", { id, fromLine: 2 });
    expect(Buffer.byteLength(page.text)).toBeLessThan(10_000);
    const next = await server.tool("runner_logs", { id, from: page.run.to });
    expect(next.run.text.split("\n")[0]).toBe(`line number ${page.run.text.split("\n").length + 1}`);
    const last = await server.tool("runner_logs", { id, fromLine: 4999 });
    expect(last.text).toMatch(/^line number 4999\nline number 5000\n\[.*, the end so far\]\n/);
    const matching = await server.tool("runner_logs", { id, fromLine: 1500, grep: "9{3}$", lines: 2 });
    expect(matching.text).toMatch(/^line number 1999\nline number 2999\n\[2 lines matched; go on with from: \d+\]\n/);
    const all = await server.tool("runner_logs", { id, fromLine: 4500, grep: "9{3}$" });
    expect(all.text).toMatch(/^line number 4999\n\[1 line matched\]\n/);
  });

  test("says that a line is not there, and refuses two beginnings", async () => {
    const beyond = await server.tool("runner_logs", { id, fromLine: 5001 });
    expect(beyond.isError).toBe(false);
    expect(beyond.text).toMatch(/^\[there is no line 5001: the log has \d+ bytes so far\]\n/);
    const both = await server.tool("runner_logs", { id, fromLine: 1, from: 0 });
    expect([both.isError, both.text]).toEqual([true, "from and fromLine exclude each other. Accepted: one of them."]);
  });

  test("of many that match gives the last, and says that there are more", async () => {
    const answer = await server.tool("runner_logs", { id, grep: "line" });
    expect(Buffer.byteLength(answer.text)).toBeLessThan(10_000);
    expect(answer.text).toContain("line number 5000\n");
    expect(answer.text).toContain("more matched");
  });
});

test("a pattern that would take for ever is refused, and the server goes on", async () => {
  const server = await startServer();
  const { run } = await server.tool("bash", { command: [`echo ${"a".repeat(60)}!; sleep 300`], background: true });
  await server.tool("runner_wait", { id: run.id, match: "!" });
  const searched = await server.tool("runner_logs", { id: run.id, grep: "(a+)+$" });
  expect(searched.isError).toBe(true);
  expect(searched.text).toMatch(/^grep: "\(a\+\)\+\$" takes too long/);
  const waited = await server.tool("runner_wait", { id: run.id, match: "(a+)+$" });
  expect(waited.text).toMatch(/^match: .* takes too long/);
  expect((await server.tool("bash", { command: ["echo alive"] })).run.output).toBe("alive");
});

test("--structured adds the same document as structuredContent", async () => {
  const server = await startServer({ args: ["--structured"] });
  const answer = await server.tool("bash", { command: ["echo both"] });
  expect(answer.result["structuredContent"]).toEqual(answer.run);
  const list = await server.tool("runner_list");
  expect(list.result["structuredContent"]).toEqual({ runs: list.runs });
});

test("runner_input writes nothing to a run that has ended, and refuses one without a terminal", async () => {
  const server = await startServer();
  const ended = await server.tool("bash", { command: ["true"] });
  expect((await server.tool("runner_input", { id: ended.run.id, text: "x", enter: true })).run).toMatchObject({
    id: ended.run.id,
    written: 0,
  });
  const running = await server.tool("bash", { command: ["sleep 300"], background: true });
  const refused = await server.tool("runner_input", { id: running.run.id, text: "x" });
  expect(refused.isError).toBe(true);
  expect(refused.refusal?.code).toBe("ERR_INPUT_NOT_INTERACTIVE");
});

test("an interactive run answers with its screen, and so does typing into it", async () => {
  const server = await startServer();
  const started = await server.tool("bash", {
    command: ["true", "read -p 'Really? ' a; echo \"so $a\"; read b; exit 2"],
    interactive: true,
  });
  expect(started.isError).toBe(false);
  expect(started.text).toMatch(
    /^It has started[^\n]*\nReally\?\n\[120 × 32, cursor at row 1, column 9, [^\n]*It waits for input: bash/,
  );
  expect(started.run).toMatchObject({ kind: "run", interactive: true, state: "running", screen: { text: "Really?" } });
  const typed = await server.tool("runner_input", { id: started.run.id, text: "yes", enter: true });
  expect(typed.text).toMatch(/^Typed\. The terminal shows:\nReally\? yes\nso yes\n/);
  expect(typed.run).toMatchObject({ id: started.run.id, written: 4 });
  expect((await server.tool("runner_status", { id: started.run.id })).text).toContain("so yes");
  const wrong = await server.tool("runner_input", { id: started.run.id, keys: ["Ctrl-Nothing"] });
  expect([wrong.isError, wrong.refusal?.code]).toEqual([true, "ERR_INPUT_KEY"]);
  const last = await server.tool("runner_input", { id: started.run.id, keys: ["Enter"] });
  expect(last.text.split("\n").slice(-2)[0]).toMatch(/^Exit status 2 /);
  const waited = await server.tool("runner_wait", { id: started.run.id });
  expect(waited.run).toMatchObject({ exitCode: 2, output: "Really? yes\nso yes" });
});
