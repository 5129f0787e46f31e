import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rtkProcess } from "../../src/os/index.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "rtk-test-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Puts a program named rtk on the PATH of the test. `pipe` is the body that runs for `rtk pipe -f NAME`, with `name` and `input`. */
function install(options: {
  version?: string;
  help?: string;
  pipe?: string;
  start?: string;
  mode?: number;
  interpreter?: string;
}): void {
  const file = join(dir, "rtk");
  writeFileSync(
    file,
    `#!${options.interpreter ?? process.execPath}
const fs = require("node:fs");
const args = process.argv.slice(2);
fs.appendFileSync(${JSON.stringify(join(dir, "calls"))}, JSON.stringify(args) + "\\n");
${options.start ?? ""}
if (args.join(" ") === "--version") { console.log(${JSON.stringify(options.version ?? "rtk 0.49.1")}); process.exit(0); }
if (args.join(" ") === "pipe --help") { ${options.help ?? "process.exit(0)"} }
if (args[0] !== "pipe" || args[1] !== "-f" || args.length !== 3) { fs.writeFileSync(${JSON.stringify(join(dir, "ran-something-else"))}, ""); process.exit(9); }
const name = args[2];
const input = () => fs.readFileSync(0);
${options.pipe ?? 'process.stdout.write(`[rtk:${name}] ${input().toString().split("\\n")[0]}`);'}
`,
  );
  chmodSync(file, options.mode ?? 0o755);
}

/** The PATH is the test's folder and Node's own, since the stub's interpreter has none to look up. */
const helper = (more: { probeMs?: number; filterMs?: number } = {}): ReturnType<typeof rtkProcess> =>
  rtkProcess({ env: { PATH: `${dir}:${dirname(process.execPath)}`, TMPDIR: dir }, ...more });
const calls = (): string[] =>
  existsSync(join(dir, "calls")) ? readFileSync(join(dir, "calls"), "utf8").trim().split("\n") : [];
const text = (outcome: Awaited<ReturnType<ReturnType<typeof rtkProcess>["filter"]>>): string =>
  outcome.kind === "filtered"
    ? Buffer.from(outcome.output).toString()
    : `${outcome.kind}: ${"why" in outcome ? outcome.why : ""}`;
const INPUT = Buffer.from("first line\nlast line\n");

describe("rtk", () => {
  it("is given the log and the filter's name, and its output comes back", async () => {
    install({});
    expect(text(await helper().filter("cargo-test", INPUT))).toBe("[rtk:cargo-test] first line");
    expect(existsSync(join(dir, "ran-something-else"))).toBe(false);
  });

  it("is asked who it is once, and again when its file changes", async () => {
    install({});
    const rtk = helper();
    await rtk.filter("pytest", INPUT);
    await rtk.filter("pytest", INPUT);
    expect(calls()).toEqual(['["--version"]', '["pipe","--help"]', '["pipe","-f","pytest"]', '["pipe","-f","pytest"]']);
    install({ version: "rtk 0.16.0 (older)" });
    expect(text(await rtk.filter("pytest", INPUT))).toContain("0.37");
  });

  it("that is not installed is absent, and found when it is installed later", async () => {
    const rtk = helper();
    expect((await rtk.filter("grep", INPUT)).kind).toBe("absent");
    install({});
    expect((await rtk.filter("grep", INPUT)).kind).toBe("filtered");
  });

  it("in a relative folder of PATH is not taken", async () => {
    install({});
    expect((await rtkProcess({ env: { PATH: ".::rtk" } }).filter("grep", INPUT)).kind).toBe("absent");
  });

  it.each([
    ["another program of that name", { version: "Rust Type Kit 1.2.3" }, "another program"],
    ["one that is too old", { version: "rtk 0.36.9" }, "0.37"],
    ["one that says no to pipe --help", { help: "process.exit(2)" }, "pipe --help ended with status 2"],
    ["one that says no to --version", { start: "process.exit(3)" }, "--version ended with status 3"],
  ])("%s is unsuitable, and is never given a log", async (_what, options, why) => {
    install(options);
    const rtk = helper();
    const outcome = await rtk.filter("pytest", INPUT);
    expect(outcome.kind).toBe("unsuitable");
    expect(text(outcome)).toContain(why);
    expect((await rtk.filter("pytest", INPUT)).kind).toBe("unsuitable");
    expect(calls().filter((call) => call.includes("-f"))).toEqual([]);
  });

  it("that hangs when asked who it is is given up", async () => {
    install({ start: "setInterval(() => {}, 1000); return;" });
    expect(text(await helper({ probeMs: 300 }).filter("pytest", INPUT))).toContain("longer than 300 ms");
  });

  it.each([
    ["fails", "process.exit(1)", "ended with status 1"],
    ["fails after half of its output", 'process.stdout.write("half"); process.exit(101)', "ended with status 101"],
    ["is killed", 'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)', "killed by SIGKILL"],
    ["floods", 'for (;;) fs.writeSync(1, "x".repeat(65536))', "said more than"],
  ])("that %s has failed", async (_what, pipe, why) => {
    install({ pipe });
    const outcome = await helper().filter("go-test", INPUT);
    expect(outcome.kind).toBe("failed");
    expect(text(outcome)).toContain(why);
  });

  it("that hangs is killed with all that it started", async () => {
    const pidFile = join(dir, "pid");
    install({
      pipe: `const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
fs.writeFileSync(${JSON.stringify(pidFile)}, String(child.pid)); setInterval(() => {}, 1000);`,
    });
    const rtk = helper({ filterMs: 1500 });
    expect(text(await rtk.filter("pytest", INPUT))).toContain("longer than 1500 ms");
    const pid = Number(readFileSync(pidFile, "utf8"));
    // A killed process may stay a zombie until its new parent reaps it.
    const state = (): string =>
      existsSync(`/proc/${pid}/stat`)
        ? ((readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "")[0] ?? "")
        : "gone";
    if (process.platform === "linux") await expect.poll(state).toMatch(/^(?:Z|X|gone)$/);
    else await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("that does not read its input gives what it says all the same", async () => {
    install({ pipe: 'process.stdout.write("short");' });
    expect(text(await helper().filter("pytest", Buffer.alloc(4 * 1024 * 1024, 97)))).toBe("short");
  });

  it("passes bytes on as they are", async () => {
    install({ pipe: "process.stdout.write(input());" });
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const outcome = await helper().filter("grep", bytes);
    expect(outcome.kind === "filtered" && bytes.equals(outcome.output)).toBe(true);
  });

  it("has a home of its own, which is gone afterwards", async () => {
    install({
      pipe: 'fs.writeFileSync(process.env.HOME + "/x", "1"); process.stdout.write(process.env.HOME + " " + process.env.RTK_DB_PATH + " " + process.cwd());',
    });
    const [home = "", db = "", cwd = ""] = text(await helper().filter("grep", INPUT)).split(" ");
    expect(home.startsWith(dir)).toBe(true);
    expect(db.startsWith(home)).toBe(true);
    expect(cwd.endsWith(home.slice(dir.length))).toBe(true);
    expect(existsSync(home)).toBe(false);
  });

  it("that the system can't start is a spawn failure", async () => {
    install({ interpreter: "/nowhere/interpreter" });
    const outcome = await helper().filter("pytest", INPUT);
    expect(outcome.kind).toBe("spawn-failed");
    expect(text(outcome)).toContain("could not be started");
  });

  it("that vanished between two logs is absent, not a failure", async () => {
    install({});
    const rtk = helper();
    await rtk.filter("grep", INPUT);
    rmSync(join(dir, "rtk"));
    expect((await rtk.filter("grep", INPUT)).kind).toBe("absent");
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH: gone.
    return false;
  }
}
