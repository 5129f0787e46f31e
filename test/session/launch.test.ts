/** The launch service: the caller's own session, the trusted owner's, and everything that must not be a way to another. */
import { spawnSync } from "node:child_process";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import type { WriteStream } from "node:fs";
import { connect as connectTo, createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { connect } from "proctor";
import type { RunView, Session } from "proctor";
import { openLauncher } from "proctor/launch";
import type { LaunchRequest, LauncherContext } from "proctor/launch";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually, killSeen, livingProcesses, processesOf } from "./processes.ts";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const CHILD = fileURLToPath(new URL("./launch-child.mjs", import.meta.url));

let base: string;
const open: Session[] = [];
const streams: WriteStream[] = [];
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "launch-")));
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.destroy();
  await Promise.all(open.splice(0).map((session) => session.end({ graceMs: 0 }).catch(() => undefined)));
  for (const left of processesOf(base)) killSeen(left);
  rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

const session = async (name: string, embedded = false): Promise<Session> => {
  const one = await connect({ dir: join(base, name), embedded });
  open.push(one);
  return one;
};

interface Child {
  readonly run: RunView;
  readonly id: string;
  readonly hasOwner: boolean;
  ask(
    what: string,
    argument?: unknown,
    where?: "owner" | "own",
  ): Promise<{ answer?: unknown; error?: { code: string; message: string } }>;
}

/** A session in a process that a run of `owner` started, `before` it a shell's words. */
async function child(owner: Session, before = "exec"): Promise<Child> {
  const [input, output] = [join(base, "in"), join(base, "out")];
  spawnSync("/bin/sh", ["-c", `mkfifo ${input} ${output}`]);
  const run = await owner.bash(
    `${before} ${process.execPath} ${CHILD} ${DIST} ${join(base, "child")} ${input} ${output}`,
    { background: true, watch: false },
  );
  const lines = createInterface({ input: createReadStream(output) })[Symbol.asyncIterator]();
  const stream = createWriteStream(input);
  stream.on("error", () => undefined); // what was said to a child that has gone
  streams.push(stream);
  const next = async (): Promise<Record<string, unknown>> =>
    JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
  const { id, hasOwner } = await next();
  return {
    run,
    id: String(id),
    hasOwner: hasOwner === true,
    async ask(what, argument, where = "owner") {
      stream.write(`${JSON.stringify({ where, what, argument })}\n`);
      return next();
    },
  };
}

const viewOf = (reply: { answer?: unknown; error?: unknown }): RunView => {
  expect(reply.error).toBeUndefined();
  return reply.answer as RunView;
};

const hostsOf = (dir: string): ReturnType<typeof livingProcesses> =>
  livingProcesses().filter((p) => p.command.includes(`host-main.js ${dir}`));

describe("the caller's own session", () => {
  test.each([true, false])("start, get, list, logs, stop and onChange are on it (embedded: %s)", async (embedded) => {
    const one = await session("s", embedded);
    const launcher = await openLauncher({ session: one });
    expect(launcher.forOwner).toBeUndefined();
    const ended: string[] = [];
    launcher.onChange((event) => event.kind === "ended" && ended.push(event.run.id));
    const run = await launcher.start({ command: "echo launched; sleep 300", name: "server" });
    expect(run).toMatchObject({ session: one.id, name: "server" });
    await eventually("its output", async () => (await launcher.logs(run.id)).text === "launched\n");
    expect((await launcher.logs(run.id, { fromLine: 1, lines: 1 })).text).toBe("launched\n");
    await expect(launcher.logs(run.id, { fromLine: 0 })).rejects.toMatchObject({
      code: "ERR_INPUT_NUMBER",
      message: expect.stringMatching(/^fromLine: 0 can't be used\. Accepted: a whole number from 1 /) as string,
    });
    expect((await launcher.list()).map(({ id }) => id)).toEqual([run.id]);
    expect((await launcher.stop(run.id, { graceMs: 0 })).confirmed).toBe(true);
    expect(await launcher.get(run.id)).toMatchObject({ state: "ended", cause: "stopped" });
    await eventually("the event", () => ended.includes(run.id));
  });

  test("released, it starts nothing more and hears nothing more; what it started goes on", async () => {
    const one = await session("s", true);
    const launcher = await openLauncher({ session: one });
    const heard: string[] = [];
    launcher.onChange((event) => heard.push(event.run.id));
    const run = await launcher.start({ command: "sleep 300" });
    launcher.release();
    await expect(launcher.start({ command: "touch never" })).rejects.toMatchObject({
      code: "ERR_REFUSED_SESSION_ENDING",
    });
    await eventually("the subscription to end", async () => {
      const before = heard.length;
      await one.bash("true");
      return heard.length === before;
    });
    expect(await one.status(run.id)).toMatchObject({ state: "running" });
  });
});

describe("the owner's session", () => {
  test("a routed start is the owner's run: it survives the child, ends with the owner, and wakes nobody", async () => {
    const owner = await session("owner");
    const one = await child(owner);
    expect(one.hasOwner).toBe(true);
    const routed = viewOf(await one.ask("start", { command: "echo routed; sleep 300" }));
    expect(routed.session).toBe(owner.id);
    await one.ask("follow");
    const second = viewOf(await one.ask("start", { command: "exit 5" }));
    await owner.wait(second.id, { timeoutMs: 10_000 });
    await eventually("the child to hear of it", async () =>
      JSON.stringify((await one.ask("events")).answer).includes(`["ended","${second.id}"]`),
    );
    expect(viewOf(await one.ask("get", second.id))).toMatchObject({ exitCode: 5 });
    expect((viewOf(await one.ask("list")) as unknown as RunView[]).map(({ id }) => id)).toEqual([
      one.run.id,
      routed.id,
      second.id,
    ]);
    expect(await owner.openWork()).toEqual([]);
    await owner.stop(one.run.id);
    expect(await owner.status(routed.id)).toMatchObject({ state: "running" });
    await owner.end({ graceMs: 0 });
    await eventually("the routed run to be gone", () => processesOf(base, routed.id).length === 0);
  });

  test("released, the child keeps nothing of the owner; what was handed over goes on", async () => {
    const owner = await session("owner");
    const one = await child(owner);
    const routed = viewOf(await one.ask("start", { command: "sleep 300" }));
    await one.ask("release", null, "own");
    expect(await one.ask("start", { command: `touch ${join(base, "never")}` })).toMatchObject({
      error: { code: "ERR_REFUSED_SESSION_ENDING" },
    });
    expect(await owner.status(routed.id)).toMatchObject({ state: "running" });
    expect(await owner.list()).toHaveLength(2);
  });
});

/** Stands between callers and a host, and holds back what goes either way until it is told to let it through. */
class Gate {
  readonly #server: Server;
  readonly #pairs = new Set<{ readonly caller: Socket; readonly host: Socket }>();
  readonly #held: (() => void)[] = [];
  /** Which messages are held back. */
  holds: "requests" | "answers" | null = null;
  /** How many are held back. */
  get count(): number {
    return this.#held.length;
  }

  static async before(of: Session): Promise<Gate> {
    const path = join(of.dir, "host.sock");
    const behind = join(of.dir, "host.behind");
    renameSync(path, behind);
    const gate = new Gate(behind);
    await new Promise<void>((resolve) => gate.#server.listen(path, resolve));
    return gate;
  }

  private constructor(behind: string) {
    this.#server = createServer((caller) => {
      const host = connectTo(behind);
      const pair = { caller, host };
      this.#pairs.add(pair);
      const pass = (from: Socket, to: Socket, kind: "requests" | "answers"): void => {
        from.on("data", (chunk) => {
          if (this.holds === kind) this.#held.push(() => to.write(chunk));
          else to.write(chunk);
        });
        from.on("error", () => undefined);
        from.on("close", () => {
          this.#pairs.delete(pair);
          to.destroy();
        });
      };
      pass(caller, host, "requests");
      pass(host, caller, "answers");
    });
  }

  open(): void {
    this.holds = null;
    for (const letThrough of this.#held.splice(0)) letThrough();
  }

  /** The connections end, and with them what is held back. */
  cut(): void {
    this.holds = null;
    this.#held.length = 0;
    for (const { caller, host } of this.#pairs) {
      caller.destroy();
      host.destroy();
    }
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}

describe("a start that is on its way", () => {
  const RELEASED = { error: { code: "ERR_REFUSED_SESSION_ENDING" } };
  let owner: Session;
  let one: Child;
  let gate: Gate;
  beforeEach(async () => {
    owner = await session("owner");
    one = await child(owner);
    gate = await Gate.before(owner);
  });
  afterEach(() => gate.close());
  /** The commands of the owner's runs, its child's left out. */
  const routed = async (): Promise<readonly string[]> =>
    (await owner.list()).filter(({ id }) => id !== one.run.id).map(({ command }) => command);
  const begin = async (holds: "requests" | "answers"): Promise<void> => {
    gate.holds = holds;
    await one.ask("begin", { command: "sleep 300" });
    await eventually("it to be on its way", () => gate.count > 0);
  };
  const release = (): Promise<unknown> => one.ask("release", null, "own");

  test("released before the owner was reached: nothing is started", async () => {
    await begin("requests"); // the first thing that is said is the greeting
    await release();
    gate.open();
    expect(await one.ask("outcome")).toMatchObject(RELEASED);
    expect(await routed()).toEqual([]);
  });

  test.each(["requests", "answers"] as const)(
    "sent when the service is released: it is handed over, and says so (%s held back)",
    async (held) => {
      await one.ask("list"); // reached
      await begin(held);
      await release();
      gate.open();
      expect(viewOf(await one.ask("outcome"))).toMatchObject({ session: owner.id, state: "running" });
      expect(await routed()).toEqual(["sleep 300"]);
    },
  );

  test.each([true, false])(
    "lost before the owner heard of it: started once, or not at all when it was released (released: %s)",
    async (isReleased) => {
      await one.ask("list");
      await begin("requests");
      if (isReleased) await release();
      gate.cut();
      const outcome = await one.ask("outcome");
      if (isReleased) expect(outcome).toMatchObject(RELEASED);
      else expect(viewOf(outcome)).toMatchObject({ session: owner.id });
      expect(await routed()).toEqual(isReleased ? [] : ["sleep 300"]);
    },
  );

  test.each([true, false])(
    "recorded when its answer is lost: it is handed over, once (released: %s)",
    async (isReleased) => {
      await one.ask("list");
      await begin("answers");
      if (isReleased) await release();
      gate.cut();
      expect(viewOf(await one.ask("outcome"))).toMatchObject({ session: owner.id });
      expect(await routed()).toEqual(["sleep 300"]);
    },
  );

  test("the owner's host is killed when it has recorded it: the next one has it", async () => {
    await one.ask("list");
    await begin("answers");
    gate.close(); // before the next host makes its socket in this place
    for (const p of hostsOf(join(base, "owner")).filter(({ command }) => !command.includes("guardian"))) killSeen(p);
    expect(viewOf(await one.ask("outcome"))).toMatchObject({ session: owner.id, state: "running" });
    expect(await routed()).toEqual(["sleep 300"]);
  });

  test("nothing that the owner tells after the release is heard", async () => {
    await one.ask("follow");
    await one.ask("list");
    await begin("answers"); // the connection stays open for it
    await release();
    gate.open();
    const { id } = viewOf(await one.ask("outcome"));
    await owner.stop(id, { graceMs: 0 });
    expect((await one.ask("events")).answer).not.toContainEqual(["ended", id]);
  });
});

describe("no way to another session", () => {
  test("an argument names no owner: fields that nobody knows are refused before anything starts", async () => {
    const [one, victim] = [await session("s", true), await session("victim", true)];
    const named = { session: one, owner: victim.dir } as LauncherContext;
    await expect(openLauncher(named)).rejects.toMatchObject({ code: "ERR_INPUT_PARAMS" });
    const launcher = await openLauncher({ session: one });
    for (const field of ["session", "owner", "dir", "caller"]) {
      const request = { command: "true", [field]: victim.dir } as LaunchRequest;
      await expect(launcher.start(request)).rejects.toMatchObject({ code: "ERR_INPUT_PARAMS", details: { field } });
    }
    expect(await one.list()).toEqual([]);
    expect(await victim.list()).toEqual([]);
  });

  test("an object that looks like a session is none", async () => {
    const victim = await session("victim", true);
    const looksLike = { ...victim, id: victim.id, dir: victim.dir } as Session;
    await expect(openLauncher({ session: looksLike })).rejects.toMatchObject({ code: "ERR_INPUT_PARAMS" });
    await expect(openLauncher({ session: Object.create(victim) as Session })).rejects.toMatchObject({
      code: "ERR_INPUT_PARAMS",
    });
  });

  test("variables of the environment name no owner", async () => {
    const victim = await session("victim");
    const run = await victim.bash("sleep 300", { background: true });
    const saved = { ...process.env };
    Object.assign(process.env, {
      PROCTOR_RUN_ID: run.id,
      PROCTOR_SESSION: victim.id,
      PROCTOR_SESSION_DIR: victim.dir,
      PROCTOR_OWNER_PID: String(process.pid),
    });
    try {
      for (const embedded of [true, false])
        expect((await openLauncher({ session: await session(`s-${embedded}`, embedded) })).forOwner).toBeUndefined();
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in saved)) Reflect.deleteProperty(process.env, name);
    }
  });

  test("variables inside a run change nothing about whose run it is", async () => {
    const [owner, victim] = [await session("owner"), await session("victim")];
    const one = await child(
      owner,
      `exec env PROCTOR_RUN_ID=aaaaaaaa PROCTOR_SESSION=${victim.id} PROCTOR_SESSION_DIR=${victim.dir}`,
    );
    expect(viewOf(await one.ask("start", { command: "true" })).session).toBe(owner.id);
  });

  test("a record that was there before the session is not believed", async () => {
    const victim = await session("victim");
    mkdirSync(join(base, "s"), { mode: 0o700 });
    writeFileSync(
      join(base, "s", "host.owner"),
      JSON.stringify({ v: 1, of: "guessed-id", owner: { session: victim.id, dir: victim.dir } }),
      { mode: 0o600 },
    );
    expect((await openLauncher({ session: await session("s") })).forOwner).toBeUndefined();
  });

  test("a process that calls itself a launcher is none", async () => {
    const [owner, victim] = [await session("owner"), await session("victim")];
    const run = await victim.bash("sleep 300", { background: true });
    // Its title names the victim's run; the run's own status file names another process.
    const posing = `perl -e '$0 = "proctor-launcher ${join(victim.dir, "runs", run.id)}"; system(@ARGV)'`;
    const one = await child(owner, posing);
    expect(viewOf(await one.ask("start", { command: "true" })).session).toBe(owner.id);
    expect(await victim.list()).toHaveLength(1);
  });

  test("the first host's record stands, whoever starts the next one", async () => {
    const owner = await session("owner");
    const one = await child(owner);
    for (const host of hostsOf(join(base, "child"))) killSeen(host);
    const outside = await connect({ dir: join(base, "child"), own: false });
    await eventually("a host to answer", async () => (await outside.list()).length === 0);
    expect(viewOf(await one.ask("start", { command: "true" })).session).toBe(owner.id);
    expect(JSON.parse(readFileSync(join(base, "child", "host.owner"), "utf8"))).toMatchObject({
      of: one.id,
      owner: { session: owner.id },
    });
  });
});

describe("an owner that can't take it", () => {
  /** Neither in the owner's session nor in the caller's was anything started. */
  const nothingStarted = async (one: Child): Promise<void> => {
    expect(existsSync(join(base, "never"))).toBe(false);
    expect((await one.ask("list", null, "own")).answer).toEqual([]);
  };

  test("gone: refused before anything is spawned, and never started in the caller's session instead", async () => {
    const owner = await session("owner");
    const one = await child(owner);
    const owned = await one.ask("list");
    expect(owned.error).toBeUndefined();
    for (const p of hostsOf(join(base, "owner"))) killSeen(p);
    await eventually("no host", () => {
      for (const p of hostsOf(join(base, "owner"))) killSeen(p);
      return hostsOf(join(base, "owner")).length === 0;
    });
    rmSync(join(base, "owner"), { recursive: true, force: true });
    expect(await one.ask("start", { command: `touch ${join(base, "never")}` })).toMatchObject({
      error: { code: "ERR_REFUSED_OWNER_UNAVAILABLE", message: expect.stringContaining("owner unavailable") as string },
    });
    await nothingStarted(one);
  });

  test("another session in its directory is not the owner", async () => {
    const owner = await session("owner");
    const one = await child(owner);
    for (const p of hostsOf(join(base, "owner"))) killSeen(p);
    rmSync(join(base, "owner"), { recursive: true, force: true });
    await eventually("no host", () => {
      for (const p of hostsOf(join(base, "owner"))) killSeen(p);
      return hostsOf(join(base, "owner")).length === 0;
    });
    const usurper = await session("owner", true);
    expect(usurper.id).not.toBe(owner.id);
    expect(await one.ask("start", { command: `touch ${join(base, "never")}` })).toMatchObject({
      error: { code: "ERR_REFUSED_OWNER_UNAVAILABLE" },
    });
    expect(await usurper.list()).toEqual([]);
    await nothingStarted(one);
  });

  test("of another build: refused, naming it, before anything is spawned", async () => {
    const owner = await session("owner");
    const one = await child(owner);
    await eventually("no host", () => {
      for (const p of hostsOf(join(base, "owner"))) killSeen(p);
      return hostsOf(join(base, "owner")).length === 0;
    });
    const path = join(base, "owner", "host.sock");
    rmSync(path, { force: true });
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (chunk: Buffer) => {
        const { id } = JSON.parse(chunk.toString().split("\n")[0] ?? "{}") as { id: number };
        const data = { code: "ERR_HOST_PROTOCOL", message: "I speak protocol 9", details: {} };
        socket.write(
          `${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: data.message, data } })}\n`,
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    try {
      expect(await one.ask("start", { command: `touch ${join(base, "never")}` })).toMatchObject({
        error: { code: "ERR_REFUSED_OWNER_UNAVAILABLE", message: expect.stringContaining("another version") as string },
      });
    } finally {
      server.close();
    }
    await nothingStarted(one);
  });

  test("closing: refused as such", async () => {
    const owner = await session("owner");
    const one = await child(owner, "exec env LAUNCH_CHILD_STAYS=1");
    const stubborn = await owner.bash(`trap '' TERM; touch ${join(base, "ready")}; while :; do sleep 0.05; done`, {
      background: true,
    });
    await eventually("the stubborn run", () => existsSync(join(base, "ready")));
    expect((await one.ask("list")).error).toBeUndefined();
    const ending = owner.end({ graceMs: 3000 });
    await eventually("the end to begin", async () =>
      JSON.stringify((await one.ask("get", stubborn.id)).answer ?? "stopping").includes("stopping"),
    );
    expect((await one.ask("start", { command: `touch ${join(base, "never")}` })).error?.code).toMatch(
      /ERR_REFUSED_(SESSION_ENDING|OWNER_UNAVAILABLE)/,
    );
    expect(existsSync(join(base, "never"))).toBe(false);
    await ending;
  });
});
