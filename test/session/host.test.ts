/** The session host: started once, replaced when killed, gone when its owner is. */
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "proctor";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRoot } from "../privilege.ts";
import { eventually, killSeen, livingProcesses, processesOf, uniqueSleep } from "./processes.ts";
import type { SeenProcess } from "./processes.ts";

const ENTRY = new URL("../../dist/index.js", import.meta.url).href;
const CLI = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const OWNER = fileURLToPath(new URL("../chaos/owner.mjs", import.meta.url));

let base: string;
let dir: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "host-"));
  dir = join(base, "s");
});
afterEach(() => {
  for (const left of processesOf(base)) killSeen(left);
  rmSync(base, { recursive: true, force: true });
});

const hosts = (): SeenProcess[] =>
  livingProcesses().filter(
    (p) => p.command.includes("host-main.js") && p.command.includes(dir) && !p.command.includes("guardian.sh"),
  );
const guardians = (): SeenProcess[] =>
  livingProcesses().filter((p) => p.command.includes("guardian.sh") && p.command.includes(dir));
const launchers = (): SeenProcess[] =>
  livingProcesses().filter((p) => p.command.startsWith("proctor-launcher") && p.command.includes(dir));

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

function ownerProcess(commands: readonly (readonly string[])[]): {
  pid: number;
  started: Promise<string[]>;
  gone: Promise<void>;
  kill: (signal: NodeJS.Signals) => void;
} {
  const config = join(base, "owner.json");
  writeFileSync(
    config,
    JSON.stringify({ entry: ENTRY, dir, plans: commands.map((one) => ({ commands: one, interactive: false })) }),
  );
  const child = spawn(process.execPath, [OWNER, config], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return {
    pid: child.pid ?? 0,
    started: eventually("the owner's runs", () => text.includes("\n")).then(
      () => (JSON.parse(text.split("\n")[0] ?? "{}") as { ids: string[] }).ids,
    ),
    gone: new Promise((resolve) => child.on("exit", () => resolve())),
    kill: (signal) => child.kill(signal),
  };
}

test("fifty that come at once are served by one host", async () => {
  const sessions = await Promise.all(Array.from({ length: 50 }, () => connect({ dir, own: false })));
  expect(new Set(sessions.map((s) => s.id)).size).toBe(1);
  expect(hosts()).toHaveLength(1);
  const results = await Promise.all(sessions.map((s, i) => s.bash(`echo ${i}`)));
  expect(results.map((r) => r.output)).toEqual(sessions.map((_, i) => String(i)));
  await sessions[0]?.end();
  expect(existsSync(dir)).toBe(false);
});

test("a host that is killed is replaced; the run goes on and ends with its own code and its whole log", async () => {
  const session = await connect({ dir });
  const run = await session.bash("echo begin; sleep 1.2; echo end; exit 7", { background: true });
  await eventually("the command to have begun", () => textOf(run.log.path) === "begin\n");
  const [first] = hosts();
  if (first === undefined) throw new Error("no host");
  killSeen(first);
  await eventually("another host", () => hosts().some((h) => h.pid !== first.pid));
  const { run: ended } = await session.wait(run.id, { timeoutMs: 20_000 });
  expect(ended).toMatchObject({ state: "ended", cause: "completed", exitCode: 7 });
  expect(readFileSync(ended.log.path, "utf8")).toBe("begin\nend\n");
  expect((await session.bash("echo next")).output).toBe("next");
  await session.end();
});

test("a time limit holds although the host that set it was killed", async () => {
  const session = await connect({ dir });
  const run = await session.bash("sleep 300", { background: true, timeoutMs: 1500 });
  const [first] = hosts();
  if (first !== undefined) killSeen(first);
  expect((await session.wait(run.id, { timeoutMs: 20_000 })).run).toMatchObject({ cause: "timeout", exitCode: 143 });
  await session.end();
});

test("a sequence goes on with its next stage under the next host", async () => {
  const session = await connect({ dir });
  const run = await session.bash(["echo one; sleep 1", "echo two; exit 5", "echo three"], {
    background: true,
    env: { GIVEN: "kept" },
  });
  await eventually("the first stage", async () => (await session.status(run.id)).stages?.length === 1);
  for (const host of hosts()) killSeen(host);
  const { run: ended } = await session.wait(run.id, { timeoutMs: 20_000 });
  expect(ended).toMatchObject({ state: "ended", exitCode: 5, cause: "completed" });
  expect(ended.stages).toHaveLength(2);
  await session.end();
});

test("a guardian that is killed is replaced, and the new one does its work", async () => {
  const session = await connect({ dir });
  const [first] = guardians();
  if (first === undefined) throw new Error("no guardian");
  killSeen(first);
  await eventually("another guardian", () => guardians().some((g) => g.pid !== first.pid));
  const [host] = hosts();
  if (host !== undefined) killSeen(host);
  await eventually("another host", () => hosts().some((h) => h.pid !== host?.pid));
  expect((await session.bash("echo served")).output).toBe("served");
  await session.end();
});

test.each([["SIGKILL"], ["SIGTERM"]] as const)(
  "when the owner dies of %s its runs, its host and its directory are gone",
  async (signal) => {
    const owner = ownerProcess([
      ["sleep 300"],
      ["(env -i setsid sleep 301.123 &); trap '' TERM; while :; do sleep 0.1; done"],
      ["sleep 302 & echo left"],
    ]);
    await owner.started;
    owner.kill(signal);
    await eventually("the directory to be removed", () => !existsSync(dir), 10_000);
    await eventually("no process", () => processesOf(dir, "sleep 301.123").length === 0);
  },
);

test("when owner and host are killed together the guardian cleans up", async () => {
  const owner = ownerProcess([["sleep 300"], ["(env -i setsid sleep 301.456 &); sleep 300"]]);
  await owner.started;
  for (const host of hosts()) killSeen(host);
  owner.kill("SIGKILL");
  await eventually("the directory to be removed", () => !existsSync(dir), 15_000);
  await eventually("no process", () => processesOf(dir, "sleep 301.456").length === 0);
});

test("a launcher that is killed makes the run's end unknown, never a guess; its members can still be stopped", async () => {
  const session = await connect({ dir });
  const mark = uniqueSleep();
  // Without a control group, which root has, nothing but its environment tells whose it is once the launcher is gone.
  const escape = isRoot ? "env -i setsid" : "setsid";
  const run = await session.bash(`echo before; (${escape} sleep ${mark} &); sleep 0.8; exit 3`, { background: true });
  await eventually("the escapee", () => livingProcesses().some((p) => p.command === `sleep ${mark}`));
  for (const launcher of launchers()) if (launcher.command.includes(run.id)) killSeen(launcher);
  const { run: ended } = await session.wait(run.id, { timeoutMs: 20_000 });
  expect(ended).toMatchObject({ state: "ended", cause: "lost", exitCode: null, signal: null });
  expect(ended.message).toContain("not known");
  expect(await session.stop(run.id)).toMatchObject({ alreadyEnded: true, confirmed: true });
  expect(livingProcesses().filter((p) => p.command === `sleep ${mark}`)).toEqual([]);
  await session.end();
});

test("a scribe that is killed leaves a true prefix, and the run says so", async () => {
  const session = await connect({ dir });
  const run = await session.bash("echo kept; sleep 0.7; echo late; exit 2", { background: true });
  await eventually("the first line", () => textOf(run.log.path) === "kept\n");
  // The launcher comes first: its child of the same name is the scribe.
  const mine = launchers().filter((p) => p.command.includes(run.id));
  const scribe = mine.find((p) =>
    mine.some(
      (q) =>
        q.pid !== p.pid &&
        Number(readFileSync(`/proc/${p.pid}/stat`, "latin1").split(") ")[1]?.split(" ")[1]) === q.pid,
    ),
  );
  if (scribe === undefined) throw new Error("no scribe");
  killSeen(scribe);
  const { run: ended } = await session.wait(run.id, { timeoutMs: 20_000 });
  expect(ended).toMatchObject({ state: "ended" });
  expect(readFileSync(ended.log.path, "utf8")).toBe("kept\n");
  expect(ended.notes.join()).toContain("incomplete");
  await session.end();
});

test("a launcher that was killed while it waited for a command is replaced: the command runs, once", async () => {
  const session = await connect({ dir });
  await session.bash("true");
  const spare = await eventually("a launcher that waits", () => {
    const forks = livingProcesses().filter((p) => p.command.startsWith("proctor-nursery") && p.command.includes(dir));
    return forks.find((p) => forks.some((q) => q.pid === p.ppid));
  });
  killSeen(spare);
  const out = join(dir, "once");
  expect(await session.bash(`echo ran >> ${out}`)).toMatchObject({ exitCode: 0, cause: "completed" });
  expect(textOf(out)).toBe("ran\n");
  await session.end();
});

test("a lease that is taken up again within its grace keeps the session", async () => {
  const session = await connect({ dir });
  const run = await session.bash("sleep 300", { background: true });
  const path = join(dir, "host.sock");
  const [host] = hosts();
  if (host === undefined) throw new Error("no host");
  killSeen(host); // the connection is lost, the owner lives
  await eventually("the session to be served again", async () => (await session.status(run.id)).state === "running");
  expect(existsSync(path)).toBe(true);
  await session.end();
  expect(existsSync(dir)).toBe(false);
});

test("a host with nothing to do and nobody attached ends; the next caller finds everything", async () => {
  process.env["PROCTOR_HOST_LINGER_MS"] = "200";
  try {
    const { SessionClient, openSession } = await import("../../dist/session/index.js");
    const place = openSession(dir, null);
    const client = new SessionClient(place, { lease: null, start: true });
    await client.open();
    client.close();
    await eventually("the host to end", () => hosts().length === 0 && guardians().length === 0);
    const again = await connect({ dir, own: false });
    expect(await again.list()).toEqual([]);
    await again.end();
  } finally {
    delete process.env["PROCTOR_HOST_LINGER_MS"];
  }
});

test("removing the directory ends the session", async () => {
  const session = await connect({ dir, own: false });
  const mark = uniqueSleep();
  await session.bash(`sleep ${mark}`, { background: true });
  await eventually("the command", () => livingProcesses().some((p) => p.command === `sleep ${mark}`));
  rmSync(dir, { recursive: true });
  await eventually("everything to be gone", () => processesOf(dir, `sleep ${mark}`).length === 0);
});

test("directories that are open, not empty or no directories are refused by name", async () => {
  const open = join(base, "open");
  mkdirSync(open);
  chmodSync(open, 0o755);
  await expect(connect({ dir: open })).rejects.toMatchObject({
    code: "ERR_SESSION_DIR",
    message: expect.stringContaining("chmod 700"),
  });
  const full = join(base, "full");
  mkdirSync(full, { mode: 0o700 });
  writeFileSync(join(full, "thesis.txt"), "mine");
  await expect(connect({ dir: full })).rejects.toMatchObject({
    code: "ERR_SESSION_DIR",
    message: expect.stringContaining("thesis.txt"),
  });
  const file = join(base, "file");
  writeFileSync(file, "");
  await expect(connect({ dir: file })).rejects.toMatchObject({
    code: "ERR_SESSION_DIR",
    message: expect.stringContaining(file),
  });
});

test.runIf(isRoot)("another user's directory is refused", async () => {
  mkdirSync(dir, { mode: 0o700 });
  const { chownSync } = await import("node:fs");
  chownSync(dir, 12345, 12345);
  await expect(connect({ dir })).rejects.toMatchObject({
    code: "ERR_SESSION_DIR",
    message: expect.stringContaining("12345"),
  });
});

async function replaceHost(): Promise<void> {
  const [host] = hosts();
  if (host !== undefined) killSeen(host);
  await eventually("another host", () => hosts().some((h) => h.pid !== host?.pid));
}

test("a run whose record was damaged is listed with what is known, and can be stopped; the others are as before", async () => {
  const session = await connect({ dir, own: false });
  const good = await session.bash("echo good");
  const bad = await session.bash("echo bad; exit 4");
  const live = await session.bash("sleep 300", { background: true });
  for (const { id } of [bad, live]) writeFileSync(join(dir, "runs", id, "run.json"), '{"v":1,"id":"');
  await replaceHost();
  const runs = new Map((await session.list()).map((run) => [run.id, run]));
  expect([...runs.keys()].toSorted()).toEqual([good.id, bad.id, live.id].toSorted());
  expect(runs.get(good.id)?.notes).toEqual([]);
  expect(runs.get(bad.id)).toMatchObject({ command: "echo bad; exit 4", state: "ended", exitCode: 4 });
  expect(runs.get(live.id)).toMatchObject({
    command: "sleep 300",
    state: "running",
    pid: live.pid ?? expect.anything(),
  });
  for (const { id } of [bad, live])
    expect(runs.get(id)?.notes.join("\n")).toContain(`${join(dir, "runs", id, "run.json")} is damaged`);
  expect(await session.stop(live.id)).toMatchObject({ confirmed: true, run: { state: "ended", cause: "stopped" } });
  expect((await session.bash("echo on")).output).toBe("on");
  await session.end();
});

test("a sequence whose stage's record was damaged does not run that stage again", async () => {
  const session = await connect({ dir, own: false });
  const out = join(dir, "ran");
  const run = await session.bash([`echo one >> ${out}; sleep 2`, `echo two >> ${out}`], { background: true });
  const stage = await eventually("the first stage", async () => (await session.status(run.id)).stages?.[0]?.id);
  await eventually("its line", () => textOf(out) === "one\n");
  writeFileSync(join(dir, "runs", stage, "run.json"), "");
  await replaceHost();
  expect((await session.wait(run.id)).run).toMatchObject({ state: "ended", exitCode: 0 });
  expect(textOf(out)).toBe("one\ntwo\n");
  await session.end();
});

test("a sequence whose record was damaged is named as such, with the place", async () => {
  const session = await connect({ dir, own: false });
  const run = await session.bash(["true", "true"]);
  writeFileSync(join(dir, "runs", run.id, "run.json"), "{}");
  await replaceHost();
  await expect(session.status(run.id)).rejects.toMatchObject({
    code: "ERR_HOST_RECORD",
    message: expect.stringContaining(join(dir, "runs", run.id, "run.json")) as string,
  });
  await session.end();
});

test("no control group of a session is left", async () => {
  const groups = (): string[] => {
    const line = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((one) => one.split(" ")[2] === "cgroup2");
    const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    const parent = line === undefined || own === undefined ? null : join(line.split(" ")[1] ?? "", own);
    return parent === null ? [] : readdirSync(parent).filter((name) => name.startsWith("proctor-session-"));
  };
  for (const embedded of [false, true]) {
    const session = await connect({ dir, embedded });
    await session.bash("true");
    const { id } = JSON.parse(readFileSync(join(dir, "session.json"), "utf8")) as { id: string };
    await session.end();
    await eventually("the group's removal", () => !groups().includes(`proctor-session-${id}`));
  }
});

test("a socket that was tidied away is made anew: callers come through, and runs start", async () => {
  const session = await connect({ dir, own: false });
  const run = await session.bash("sleep 300", { background: true });
  for (const name of ["host.sock", "host.launch"]) rmSync(join(dir, name));
  const other = await connect({ dir, own: false });
  expect((await other.list()).map(({ id }) => id)).toEqual([run.id]);
  for (let i = 0; i < 3; i++) expect(await other.bash("echo on")).toMatchObject({ output: "on", exitCode: 0 });
  expect(hosts()).toHaveLength(1);
  await other.end();
});

test("callers with another runtime directory find the host of a session with a long path", async () => {
  const long = join(dir, "d".repeat(100));
  const runtime = mkdtempSync(join(tmpdir(), "runtime-"));
  const cli = (args: string[], env: Record<string, string>): string =>
    execFileSync(process.execPath, [CLI, args[0] ?? "", "--session", long, ...args.slice(1)], {
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
  const { id } = JSON.parse(cli(["run", "-b", "--json", "sleep 300"], { XDG_RUNTIME_DIR: runtime })) as { id: string };
  const ids = (env: Record<string, string>): string[] =>
    (JSON.parse(cli(["list", "--json"], env)) as { runs: { id: string }[] }).runs.map((one) => one.id);
  expect(ids({ XDG_RUNTIME_DIR: join(runtime, "other") })).toEqual([id]);
  // The login ends, and its runtime directory goes with it.
  rmSync(runtime, { recursive: true });
  expect(ids({ XDG_RUNTIME_DIR: runtime })).toEqual([id]);
  cli(["stop-all"], {});
  await (await connect({ dir: long, own: false })).end();
});

test("a host that is stopped holds nobody up for ever: the caller is told which process it is", async () => {
  const session = await connect({ dir, own: false });
  await session.bash("true");
  const [host] = hosts();
  if (host === undefined) throw new Error("no host");
  process.env["PROCTOR_HOST_ANSWER_MS"] = "300";
  process.kill(host.pid, "SIGSTOP");
  try {
    await expect(connect({ dir, own: false })).rejects.toMatchObject({
      code: "ERR_HOST_UNREACHABLE",
      retryable: true,
      message: expect.stringContaining(`kill -CONT ${host.pid}`) as string,
    });
  } finally {
    delete process.env["PROCTOR_HOST_ANSWER_MS"];
    process.kill(host.pid, "SIGCONT");
  }
  expect((await session.bash("echo on")).output).toBe("on");
  await session.end();
});

test("a host without a descriptor left still tells of its runs", async () => {
  const session = await connect({ dir, own: false });
  const ended = await session.bash("echo one");
  const run = await session.bash("sleep 1; echo two; sleep 300", { background: true });
  await eventually("its line", () => textOf(run.log.path) === "two\n");
  const [host] = hosts();
  if (host === undefined) throw new Error("no host");
  execFileSync("prlimit", ["--pid", String(host.pid), "--nofile=3:20000"]);
  const runs = await session.list();
  expect(runs.map(({ id }) => id)).toEqual([ended.id, run.id]);
  expect(runs[1]?.notes.join()).toContain("could not be counted (EMFILE)");
  execFileSync("prlimit", ["--pid", String(host.pid), "--nofile=20000:20000"]);
  expect((await session.status(run.id)).notes).toEqual([]);
  await session.end();
});

test("a caller of another version, or without the token, is refused and told what to do", async () => {
  const session = await connect({ dir });
  const ask = (hello: object): Promise<{ error?: { message: string; data: { code: string } } }> =>
    new Promise((resolve) => {
      const socket = connectSocket(join(dir, "host.sock"));
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "hello", params: hello })}\n`);
      let text = "";
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes("\n")) {
          socket.destroy();
          resolve(JSON.parse(text) as { error?: { message: string; data: { code: string } } });
        }
      });
    });
  const { token } = JSON.parse(readFileSync(join(dir, "session.json"), "utf8")) as { token: string };
  expect((await ask({ protocol: 99, token })).error?.data.code).toBe("ERR_HOST_PROTOCOL");
  expect((await ask({ protocol: 1, token: "guess" })).error?.data.code).toBe("ERR_SESSION_OWNER");
  expect((await session.bash("echo still here")).output).toBe("still here");
  await session.end();
});

test("garbage on the socket ends that connection only", async () => {
  const session = await connect({ dir });
  await new Promise<void>((resolve) => {
    const socket = connectSocket(join(dir, "host.sock"));
    socket.on("close", () => resolve());
    socket.on("error", () => undefined);
    socket.write("not json at all\n");
  });
  expect((await session.bash("echo still here")).output).toBe("still here");
  await session.end();
});

test("a session directory with a path too long for a socket works", async () => {
  const long = join(base, "d".repeat(60), "e".repeat(60));
  const session = await connect({ dir: long });
  expect((await session.bash("echo far")).output).toBe("far");
  await session.end();
  expect(existsSync(long)).toBe(false);
});

test("a link to the session's directory is the same session", async () => {
  const session = await connect({ dir });
  symlinkSync(dir, join(base, "link"));
  const other = await connect({ dir: join(base, "link"), own: false });
  expect(other.id).toBe(session.id);
  await session.end();
});

test("after the end of a session nothing of it is left in the registry", async () => {
  const session = await connect({ dir });
  const registry = join(
    process.env["XDG_STATE_HOME"] ?? join(process.env["HOME"] ?? "", ".local/state"),
    "proctor",
    "registry",
  );
  expect(readdirSync(registry)).toContain(session.id);
  await session.end();
  expect(readdirSync(registry)).not.toContain(session.id);
});
