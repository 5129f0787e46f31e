import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { eventually } from "../session/processes.ts";
import { PROGRAM, newWorld } from "./command-line.ts";

describe("proctor run", () => {
  it("shows the output, how it ended, and where the log is", async () => {
    const world = newWorld();
    const answer = await world.call(["run", "echo one; echo two >&2; exit 3"]);
    expect(answer.code).toBe(3);
    expect(answer.err).toBe("");
    expect(answer.out).toMatch(/^one\ntwo\nExit status 3 after \d+ ms\nFull log: \/.*output\.log \(8 B, 2 lines\)\n$/);
  });

  it.each([
    ["exit 0", 0],
    ["exit 42", 42],
    ["kill -TERM $$", 143],
    ["exit 137", 137],
    ["no-such-program-here", 127],
  ])("%s leaves with %i", async (command, code) => {
    expect((await newWorld().call(["run", command])).code).toBe(code);
  });

  it("runs a sequence until a command fails, and leaves with its status", async () => {
    const world = newWorld();
    const result = await world.run(["echo 1", "exit 5", "touch never"]);
    expect(result.answer.code).toBe(5);
    expect(result.stages?.map((s) => s.exitCode)).toEqual([0, 5]);
    expect(existsSync(join(world.work, "never"))).toBe(false);
  });

  it("leaves with 124 when a command took too long", async () => {
    const result = await newWorld().run(["--timeout", "300ms", "sleep 30"]);
    expect([result.answer.code, result.cause, result.state]).toEqual([124, "timeout", "ended"]);
  });

  it("never leaves with 0 when the run was ended before it was through", async () => {
    const answer = await newWorld().call([
      "run",
      "--idle-timeout",
      "300ms",
      "trap 'exit 0' TERM; while :; do sleep 0.1; done",
    ]);
    expect(answer.code).toBe(125);
    expect(answer.err).toMatch(/^proctor: .+\n$/);
  });

  it("mixes commands and files in order; a file has no limit of length", async () => {
    const world = newWorld();
    const long = `# ${"x".repeat(300_000)}\necho from-file`;
    writeFileSync(join(world.work, "long.sh"), long);
    const result = await world.run(["echo first", "-f", "long.sh", "-f", "-", "--", "echo last"], {
      input: "echo from-stdin\n",
    });
    const outputs = result.stages?.map((stage) => readFileSync(stage.log.path, "utf8"));
    expect(outputs).toEqual(["first\n", "from-file\n", "from-stdin\n", "last\n"]);
  });

  it("gives the command the caller's directory, umask, variables and file for input", async () => {
    const world = newWorld();
    writeFileSync(join(world.work, "in.txt"), "from the file\n");
    const answer = await world.shell(
      "umask 027; $PROCTOR run --stdin in.txt --env 'A=x=y z' 'pwd; umask; echo \"$A\"; cat'",
    );
    expect(answer.out.split("\n").slice(0, 4)).toEqual([world.work, "0027", "x=y z", "from the file"]);
  });

  it("withholds what looks like a secret, and says so where it failed", async () => {
    const world = newWorld();
    const env = { MY_API_KEY: "s3cret", PLAIN: "p" };
    const command = 'echo "[${MY_API_KEY-none}] [$PLAIN]"';
    expect((await world.run([command], { env })).output.trim()).toBe("[none] [p]");
    expect((await world.run(["--env-all", command], { env })).output.trim()).toBe("[s3cret] [p]");
    expect((await world.run(["--env", "MY_API_KEY=given", command], { env })).output.trim()).toBe("[given] [p]");
    const failed = await world.call(["run", "exit 1"], { env });
    expect(failed.out).toMatch(/Withheld.*MY_API_KEY/);
    expect((await world.shell(`grep -rl --exclude=output.log s3cret ${world.session} || echo nowhere`)).out).toBe(
      "nowhere\n",
    );
  });

  it("goes to the background at once, or when the threshold is reached, with 0", async () => {
    const world = newWorld();
    for (const [args, env] of [
      [["-b"], {}],
      [["--promote-after", "0"], {}],
      [["--promote-after", "200ms"], {}],
    ] as const) {
      const result = await world.run([...args, "sleep 30"], { env });
      expect([args, result.answer.code, result.promoted, result.state]).toEqual([args, 0, true, "running"]);
      expect((await world.stop(result.id)).confirmed).toBe(true);
    }
    const answer = await world.call(["run", "-b", "sleep 30"]);
    expect(answer.out).toMatch(/^Still running.*: id [a-z0-9]+\nFull log: /);
  });

  it("goes by the settings of the environment and of the command, and names those that can't be used", async () => {
    const world = newWorld();
    const env = { PROCTOR_RESULT_MAX_LINES: "7", PROCTOR_PROMOTE_AFTER_MS: "lots" };
    const pragma = '# @proctor: {"maxResultLines": 20, "bogusKey": 1, "errorPatterns": ["("]}\n';
    const command = `cat ${fileURLToPath(import.meta.url)}; exit 1`;
    const own = await world.run([pragma + command], { env });
    const other = await world.run([command], { env });
    expect(other.shownLines).toBeLessThanOrEqual(7);
    expect(own.shownLines).toBeLessThanOrEqual(20);
    expect(own.shownLines).toBeGreaterThan(other.shownLines);
    expect(own.notes.join("\n")).toMatch(
      /PROCTOR_PROMOTE_AFTER_MS.*"lots"[^]*bogusKey[^]*errorPatterns\[0\] in the command's pragma: "\("/,
    );
    expect(other.notes.join("\n")).not.toMatch(/bogusKey/);
    const long = "for i in {1..2000}; do echo plain line; done";
    const text = `${long}; echo my marker; ${long}; echo my other marker; ${long}; exit 1`;
    const pattern = await world.run([`# @proctor: {"errorPatterns": ["marker$"], "errorMaxEntries": 1}\n${text}`]);
    expect(pattern.output).toMatch(/^my (other )?marker$/m);
    const none = await world.run([`# @proctor: {"maxResultLines": 5, "errorMaxEntries": 0}\n${text}`]);
    expect(none.shownLines).toBeLessThanOrEqual(5);
    const promoted = await world.run(["sleep 30"], { env: { PROCTOR_PROMOTE_AFTER_MS: "100" } });
    expect([promoted.promoted, promoted.answer.code]).toEqual([true, 0]);
    const full = await world.run(["yes"], { env: { PROCTOR_LOG_MAX_BYTES: "65536" } });
    expect(full.cause).toBe("log_limit");
  });

  it("prints exactly one document under --json, however large", async () => {
    const world = newWorld();
    writeFileSync(join(world.work, "big.sh"), `: ${"c".repeat(900_000)}; echo done`);
    const piped = await world.shell("$PROCTOR run --json -f big.sh | cat");
    expect(JSON.parse(piped.out)).toMatchObject({ output: expect.stringMatching(/^done/), exitCode: 0 });
    expect(piped.out.length).toBeGreaterThan(900_000);
  });

  it("ends quietly when its reader is gone, and keeps the command's status", async () => {
    const world = newWorld();
    const answer = await world.shell("$PROCTOR run 'seq 1 100; exit 7' | true; echo ${PIPESTATUS[0]}");
    expect([answer.out, answer.err]).toEqual(["7\n", ""]);
  });

  it("tells a full disk behind standard output", async () => {
    const world = newWorld();
    const answer = await world.shell("[ -e /dev/full ] && $PROCTOR list --json > /dev/full; echo $?");
    expect(answer.out).toBe(process.platform === "linux" ? "125\n" : "1\n");
    expect(answer.err).toMatch(
      process.platform === "linux" ? /^proctor: Standard output can't be written \(ENOSPC\)/ : /^$/,
    );
  });

  it("makes a session for the process that PROCTOR_OWNER_PID names, and refuses one that does not live", async () => {
    const world = newWorld();
    const refused = await world.run(["true"], { env: { PROCTOR_OWNER_PID: "2147483600" } });
    expect(refused.answer.code).toBe(125);
    expect(refused.answer.out).toMatch(/"ERR_SESSION_OWNER".*2147483600/);
    expect(existsSync(world.session)).toBe(false);
    const mark = `300.${process.pid}${Date.now() % 100_000}`;
    const owner = world.spawn("sleep", ["300"]);
    const run = await world.run(["-b", `sleep ${mark}`], { env: { PROCTOR_OWNER_PID: String(owner.child.pid) } });
    expect(run.state).toBe("running");
    owner.child.kill("SIGKILL");
    await eventually("the session to end with its owner", () => !existsSync(world.session));
  });

  it("works in a terminal: waits to the end without a session, and shows a line of progress", async () => {
    const world = newWorld();
    const line = `${process.execPath} ${PROGRAM} run 'echo begin; sleep 2; echo end'`;
    const args = process.platform === "darwin" ? ["-q", "/dev/null", "sh", "-c", line] : ["-qec", line, "/dev/null"];
    const answer = await world.spawn("script", args, {
      env: { PROCTOR_SESSION_DIR: undefined, TERM: "xterm", PROCTOR_PROMOTE_AFTER_MS: undefined },
      input: "",
    }).ended;
    expect(answer.out).toMatch(/\r\x1b\[K1\.\d s {2}6 B {2}begin/);
    expect(answer.out).toMatch(/\r\x1b\[Kbegin\r\nend\r\nExit status 0/);
    expect((await world.call(["session", "end"], { env: { PROCTOR_SESSION_DIR: undefined } })).code).toBe(0);
  });

  it("is an executable of its own after the build", () => {
    expect(statSync(PROGRAM).mode & 0o111).toBe(0o111);
    expect(readFileSync(PROGRAM, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});
