/** Sandboxes in force: what is inside can't get out, and nothing runs without the one that was asked for. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { connect } from "../../src/index.ts";
import { sandboxPolicy } from "../../src/os/index.ts";
import { eventually, livingProcesses } from "../session/processes.ts";
import { bash, exitOf, observed, place } from "./runs.ts";

const at = place();
afterAll(() => at.close());
mkdirSync(join(at.work, ".git", "hooks"), { recursive: true });

function stdoutOf(path: string | undefined): string {
  return readFileSync(path ?? "", "utf8");
}

describe("read-only", () => {
  test("reads pass, writes are refused and named", async () => {
    writeFileSync(join(at.work, "data"), "content");
    const outcome = await bash(at, "cat data; touch new", { profile: "read-only" });
    expect(stdoutOf(outcome.report?.log.stdout)).toBe("content");
    expect(existsSync(join(at.work, "new"))).toBe(false);
    expect(outcome.report?.notes.join()).toMatch(/The sandbox "read-only" refused a write: .*Read-only file system/);
    expect(outcome.report?.mechanisms).toEqual(["sandbox: read-only by bubblewrap, network none"]);
  });

  test("a private TMPDIR can be written", async () => {
    const outcome = await bash(at, 'echo x > "$TMPDIR/file" && cat "$TMPDIR/file"', { profile: "read-only" });
    expect(stdoutOf(outcome.report?.log.stdout)).toBe("x\n");
  });
});

describe("workspace-write", () => {
  test("the workspace can be written, what is beside it can't, nor what git runs by itself", async () => {
    const outcome = await bash(at, "touch inside; touch ../beside; touch .git/hooks/pre-commit; ls -a", {
      profile: "workspace-write",
    });
    expect(outcome.report?.exitCode).toBe(0);
    expect(existsSync(join(at.work, "inside"))).toBe(true);
    expect(existsSync(join(at.dir, "beside"))).toBe(false);
    expect(existsSync(join(at.work, ".git/hooks/pre-commit"))).toBe(false);
  });

  test("there is no network, and with +network there is", async () => {
    const server = createServer((socket) => socket.end("reached\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    try {
      const shut = await bash(at, script, { profile: "workspace-write" });
      expect(exitOf(shut)[0]).toBe(1);
      const open = await bash(at, script, { profile: "workspace-write+network" });
      expect(stdoutOf(open.report?.log.stdout)).toBe("reached\n");
    } finally {
      server.close();
    }
  });
});

describe("a refusal is named", () => {
  test("of a protected path inside something writable", async () => {
    const outcome = await bash(at, "echo x > .git/hooks/post-commit; exit 4", { profile: "workspace-write" });
    expect(exitOf(outcome)[0]).toBe(4);
    expect(outcome.report?.notes.join()).toMatch(
      /The sandbox "workspace-write" refused a write: .*post-commit: Read-only file system/,
    );
  });

  test("of a tool, whose output the agent tells", async () => {
    const result = { type: "tool_result", id: "t", output: "npm error EROFS: read-only file system", isError: true };
    const outcome = await bash(at, `echo '${JSON.stringify(result)}'`, { profile: "workspace-write" });
    expect(outcome.report?.notes).toEqual([
      'The sandbox "workspace-write" refused a write: npm error EROFS: read-only file system',
    ]);
  });

  test("though megabytes of other errors follow", async () => {
    const outcome = await bash(at, "touch /etc/x; head -c 3000000 /dev/zero | tr '\\0' x >&2", {
      profile: "read-only",
    });
    expect(outcome.report?.notes.join()).toMatch(/refused a write: touch: .*Read-only file system/);
  });

  test("of the network, where there is none", async () => {
    const outcome = await bash(at, "exec 3<>/dev/tcp/192.0.2.1/80", { profile: "workspace-write" });
    expect(outcome.report?.notes.join()).toMatch(/refused the network: .*Network is unreachable/);
  });

  test("and without a sandbox the same words are nobody's refusal", async () => {
    const outcome = await bash(at, "echo 'Read-only file system' >&2; exit 1");
    expect(outcome.report?.notes).toEqual([]);
  });
});

test("a session's token can't be read from inside, so nobody asks its host for a way out", async () => {
  const outcome = await bash(at, `cat ${join(at.session, "session.json")}; ls ${at.session}`, {
    profile: "workspace-write",
  });
  expect(stdoutOf(outcome.report?.log.stdout)).not.toContain("session.json");
  expect(stdoutOf(outcome.report?.log.stdout)).not.toContain("token");
});

describe("there is no way out", () => {
  test("for root: nothing can be mounted, unmounted or made a device of", async () => {
    const beside = join(at.dir, "out");
    const outcome = await bash(
      at,
      `umount -l ${at.session}; ls ${at.session}/session.json; mount -o remount,rw /; mount -t tmpfs x /mnt; ` +
        `mknod ./disk b 8 0; echo x > ${beside}; echo x > /proc/sys/kernel/core_pattern; grep CapEff /proc/self/status`,
      { profile: "workspace-write" },
    );
    const out = stdoutOf(outcome.report?.log.stdout);
    // CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID for root; nothing for others (capabilities(7)).
    expect(out).toMatch(process.getuid?.() === 0 ? /^CapEff:\s+00000000000000fb\n$/ : /^CapEff:\s+0{16}\n$/);
    expect(existsSync(beside)).toBe(false);
    expect(existsSync(join(at.work, "disk"))).toBe(false);
  });

  test("by a daemon's socket: multiplexers, buses and container engines are not to be seen", async () => {
    const dir = mkdtempSync("/tmp/tmux-proctor-");
    const socket = join(dir, "default");
    const server = createServer((connection) => connection.end("outside\n"));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const reach = `${process.execPath} -e 'require("net").connect("${socket}").on("error",e=>console.log(e.code)).pipe(process.stdout)'`;
    try {
      const inside = await bash(at, `${reach}; ls -A ${dir} /run/user /run/dbus 2>&1`, {
        profile: "workspace-write",
      });
      expect(stdoutOf(inside.report?.log.stdout)).toMatch(/^ENOENT\n/);
      expect(stdoutOf(inside.report?.log.stdout)).not.toMatch(/default|_bus/);
      const outside = await bash(at, reach);
      expect(stdoutOf(outside.report?.log.stdout)).toBe("outside\n");
    } finally {
      server.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });

  test("unless a profile opens one on purpose", () => {
    const dir = mkdtempSync("/tmp/tmux-proctor-");
    const file = join(at.dir, "opened.json");
    writeFileSync(file, JSON.stringify({ writable: [dir] }));
    try {
      expect(sandboxPolicy(file, at.work).denied).not.toContain(`${dir}/`);
      expect(sandboxPolicy("read-only", at.work).denied).toContain(`${dir}/`);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

test("a profile file: readable, writable, denied, protected", async () => {
  for (const name of ["open", "shut", "kept"]) {
    mkdirSync(join(at.dir, name), { recursive: true });
    writeFileSync(join(at.dir, name, "file"), name);
  }
  const profile = join(at.dir, "profile.json");
  writeFileSync(
    profile,
    JSON.stringify({
      writable: [".", at.dir],
      denied: [join(at.dir, "shut")],
      protected: [join(at.dir, "kept")],
      network: "none",
    }),
  );
  const outcome = await bash(
    at,
    `cat ../open/file ../kept/file; cat ../shut/file; touch ../open/new; touch ../kept/new; touch ../shut/new`,
    { profile },
  );
  expect(stdoutOf(outcome.report?.log.stdout)).toBe("openkept");
  expect(existsSync(join(at.dir, "open/new"))).toBe(true);
  expect(existsSync(join(at.dir, "kept/new"))).toBe(false);
  expect(existsSync(join(at.dir, "shut/new"))).toBe(false);
});

test.each([
  [{ writable: "x" }, /writable must be a list/],
  [{ wriitable: [] }, /"wriitable" is no field/],
  [{ network: "some" }, /network: "some"/],
  [{ denied: ["no-such"] }, /denied: no-such/],
])("a profile that can't be meant: %j", (profile, message) => {
  const file = join(at.dir, "bad.json");
  writeFileSync(file, JSON.stringify(profile));
  expect(() => sandboxPolicy(file, at.work)).toThrow(message);
});

describe("some domains only", () => {
  const file = join(at.dir, "domains.json");
  const fetchOf = (port: number): string =>
    `curl -sS -m 5 --noproxy '' http://localhost:${port}/; curl -sS -m 5 https://example.org/; touch ../beside-too; touch here-too`;

  test("what is on the list is reached, what is not is refused, and files are held as ever", async () => {
    writeFileSync(file, JSON.stringify({ writable: ["."], network: { allow: ["localhost"] } }));
    const server = createHttpServer((_, response) => response.end("reached\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      const outcome = await bash(at, `${fetchOf(port)}; cat ${join(at.session, "session.json")}; exit 3`, {
        profile: file,
      });
      if (isMissing(outcome.error)) return expect(outcome.events).toEqual([]);
      expect(exitOf(outcome)[0]).toBe(3);
      expect(stdoutOf(outcome.report?.log.stdout)).toBe("reached\n");
      expect(stdoutOf(outcome.report?.log.stderr)).toMatch(/response 403/);
      expect(outcome.report?.notes.join()).toMatch(/refused the network: .*response 403/);
      expect(outcome.report?.notes.join()).toMatch(/refused a write: .*Read-only file system/);
      expect(existsSync(join(at.dir, "beside-too"))).toBe(false);
      expect(existsSync(join(at.work, "here-too"))).toBe(true);
      expect(outcome.report?.mechanisms.join()).toContain("allow localhost");
    } finally {
      server.close();
    }
  });

  test("a session that is new with the run is hidden too", async () => {
    const session = join(at.dir, "new-session");
    writeFileSync(file, JSON.stringify({ network: { allow: ["localhost"] } }));
    const outcome = await bash(at, `ls -A ${session}; echo listed`, { profile: file, session });
    if (isMissing(outcome.error)) return expect(outcome.events).toEqual([]);
    expect(stdoutOf(outcome.report?.log.stdout)).toBe("listed\n");
    await (await connect({ dir: session, own: false })).end({ graceMs: 0 });
  });

  test("two lists at the same time are refused", async () => {
    const other = join(at.dir, "other-domains.json");
    writeFileSync(file, JSON.stringify({ network: { allow: ["localhost"] } }));
    writeFileSync(other, JSON.stringify({ network: { allow: ["example.org"] } }));
    const [first, second] = await Promise.all([
      bash(at, "sleep 1", { profile: file }),
      new Promise((resolve) => setTimeout(resolve, 600)).then(() => bash(at, "true", { profile: other })),
    ]);
    expect(second.error).toMatchObject({ code: "ERR_REFUSED_SANDBOX" });
    if (!isMissing(first.error)) expect(first.report?.exitCode).toBe(0);
  });

  /** Where socat or ripgrep are missing, the refusal is what there is to see. */
  function isMissing(error: unknown): boolean {
    return error instanceof Error && /socat|ripgrep/.test(error.message);
  }
});

test("what can't be enforced is not run", async () => {
  const file = join(at.dir, "domains.json");
  writeFileSync(file, JSON.stringify({ readable: ["."], network: { allow: ["example.org"] } }));
  const outcome = await bash(at, `touch ${join(at.dir, "ran")}`, { profile: file });
  expect(outcome.error).toMatchObject({ code: "ERR_REFUSED_SANDBOX" });
  expect(outcome.events).toEqual([]);
  expect(existsSync(join(at.dir, "ran"))).toBe(false);
});

test("who kills bwrap leaves nothing inside", async () => {
  const duration = `${process.pid}.771`;
  let bwrap = 0;
  const running = bash(at, `setsid sleep ${duration} & echo up; wait`, {
    profile: "read-only",
    onEvent: (event) => {
      if (event.kind === "process.started") bwrap = event.payload.pid;
    },
  });
  const sleeper = await eventually("the process inside", () =>
    livingProcesses().find((p) => p.command === `sleep ${duration}`),
  );
  await eventually("the start to be told", () => bwrap > 0);
  process.kill(bwrap, "SIGKILL");
  const outcome = await running;
  expect(exitOf(outcome)[2]).toBe(true);
  expect(livingProcesses().some((p) => p.pid === sleeper.pid && p.start === sleeper.start)).toBe(false);
});

test("the polite signal reaches what is inside", async () => {
  const stop = new AbortController();
  const binary = at.script(
    "claude-inside",
    `#!/bin/bash\ntrap 'echo "{\\"type\\":\\"result\\",\\"is_error\\":true}"; exit 0' INT\necho '{"type":"system","session_id":"s"}'\nwhile :; do sleep 0.05; done\n`,
  );
  const outcome = await observed(
    {
      provider: "claude",
      binary,
      workspace: at.work,
      session: at.session,
      args: [],
      profile: "workspace-write",
      signal: stop.signal,
    },
    (event) => {
      if (event.kind === "provider.event") stop.abort();
    },
  );
  expect(outcome.report).toMatchObject({ cause: "aborted", exitCode: 0 });
  expect(outcome.events.some((e) => e.kind === "provider.event" && e.payload.event.type === "done")).toBe(true);
});

test("limits hold outside the sandbox", async () => {
  const outcome = await bash(at, "ulimit -Sn", { profile: "read-only", limits: { openFiles: 77 } });
  expect(stdoutOf(outcome.report?.log.stdout)).toBe("77\n");
});

test("a command of the shell in a sandbox: its refusal is a note of its result", async () => {
  const { resolveSandbox } = await import("../../src/os/index.ts");
  const { SessionClient, findSession, runCommand, commandEnvironment } = await import("../../src/session/index.ts");
  const { NO_LIMITS, newId } = await import("../../src/model/index.ts");
  await connect({ dir: at.session, own: false });
  const found = findSession(at.session);
  if (found === null) throw new Error("no session");
  const client = new SessionClient(found, { lease: null, start: true });
  const { env } = commandEnvironment(process.env, {}, false);
  const result = await runCommand(
    client,
    {
      id: newId(),
      commands: ["touch /etc/proctor-was-here"],
      name: null,
      cwd: at.work,
      env,
      unrecorded: [],
      withheld: [],
      umask: 0o22,
      stdin: null,
      interactive: false,
      limits: NO_LIMITS,
      sandbox: resolveSandbox("workspace-write", at.work),
    },
    { background: false, promoteAfterMs: null },
  );
  client.close();
  expect(result.notes.join()).toMatch(/The sandbox "workspace-write" refused a write/);
  expect(result.mechanisms).toEqual(["sandbox: workspace-write by bubblewrap, network none"]);
});
