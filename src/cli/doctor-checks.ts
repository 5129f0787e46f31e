/**
 * The checks of `doctor`. Each tries the thing itself instead of looking for its name, and says of what is
 * missing what it costs and how to get it.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ProctorError, errnoOf, formatDuration, formatSize, messageOf } from "../model/index.ts";
import type { Check } from "../model/index.ts";
import { Multiplexer, diskError, diskUnder, findProgram, SystemdScope, systemCgroups } from "../os/index.ts";
import { findSession, socketPath } from "../session/access.ts";

/** A check, and whether no command can be run where it fails. */
export interface CheckResult {
  readonly check: Check;
  readonly isNeeded: boolean;
}

/** How long a probe may take, in milliseconds. */
const PROBE_MS = 10_000;
/** The first version of Node that proctor is tested on. */
const NODE_FLOOR = [20, 19] as const;
/** About what the files of one start take. */
const START_BYTES = 32 * 1024;
/** With less room than this a single log can fill the disk. */
const LOW_BYTES = 2 * 1024 ** 3;

/** Makes every check. */
export async function runChecks(sessionDir: string): Promise<readonly CheckResult[]> {
  const optional = (check: Check): CheckResult => ({ check, isNeeded: false });
  const needed = (check: Check): CheckResult => ({ check, isNeeded: true });
  return [
    needed(checkNode()),
    needed(await checkBash()),
    needed(await checkPerl()),
    needed(await checkRun()),
    needed(checkDirectory(sessionDir)),
    needed(checkSocket(sessionDir)),
    optional(checkDisk(sessionDir)),
    optional(await checkCgroups()),
    optional(checkPressure()),
    optional(await checkSandbox()),
    optional(await checkTerminals()),
  ];
}

/** What a program said, or why it could not. */
function probe(program: string, args: readonly string[]): Promise<{ ok: boolean; text: string }> {
  return new Promise((resolve_) => {
    execFile(program, [...args], { timeout: PROBE_MS, encoding: "utf8" }, (error, stdout, stderr) => {
      const said = (stdout || stderr).trim().split("\n")[0] ?? "";
      resolve_(
        error === null
          ? { ok: true, text: said }
          : { ok: false, text: said === "" ? (errnoOf(error) ?? messageOf(error)) : said },
      );
    });
  });
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const ok = major > NODE_FLOOR[0] || (major === NODE_FLOOR[0] && minor >= NODE_FLOOR[1]);
  return {
    name: "node",
    ok,
    detail: ok
      ? `${process.version} (${process.execPath})`
      : `${process.version} is older than ${NODE_FLOOR.join(".")}; install a newer one.`,
  };
}

async function checkBash(): Promise<Check> {
  const path = process.env["PROCTOR_SHELL"] ?? findProgram("bash");
  if (path === null)
    return {
      name: "bash",
      ok: false,
      detail: "not on PATH. Every command is run by it: install bash, or name one in PROCTOR_SHELL.",
    };
  const { ok, text } = await probe(path, ["--version"]);
  return {
    name: "bash",
    ok,
    detail: ok ? `${text.replace(/^GNU bash, /, "")} (${path})` : `${path} can't be run: ${text}`,
  };
}

async function checkPerl(): Promise<Check> {
  const path = findProgram("perl");
  if (path === null)
    return {
      name: "perl",
      ok: false,
      detail: "not on PATH. The launcher of every run needs it: install perl (perl-base on Debian).",
    };
  const { ok, text } = await probe(path, ["-e", 'printf "%vd", $^V']);
  return { name: "perl", ok, detail: ok ? `${text} (${path})` : `${path} can't be run: ${text}` };
}

/** One command through everything that a run needs: launcher, pipe, log, exit status, removal. */
async function checkRun(): Promise<Check> {
  const name = "launcher";
  let dir: string | null = null;
  try {
    const { connect } = await import("../session/connect.ts");
    dir = mkdtempSync(join(tmpdir(), "proctor-doctor-"));
    const session = await connect({ dir: join(dir, "s"), embedded: true });
    try {
      const began = performance.now();
      const result = await session.bash("echo it works; exit 7");
      const took = formatDuration(performance.now() - began);
      const ok = result.exitCode === 7 && result.output.trim() === "it works";
      return {
        name,
        ok,
        detail: ok
          ? `a command was run and recorded in ${took}`
          : `a command ended with ${result.cause ?? result.state} instead of exit status 7: ${result.message ?? "no message"}`,
      };
    } finally {
      await session.end();
    }
  } catch (error) {
    return { name, ok: false, detail: `no command can be run: ${messageOf(error)}` };
  } finally {
    if (dir !== null) rmSync(dir, { recursive: true, force: true });
  }
}

function checkSocket(sessionDir: string): Check {
  const name = "socket";
  try {
    const path = socketPath(resolve(sessionDir));
    return { name, ok: true, detail: `${path} (${Buffer.byteLength(path)} of 103 bytes)` };
  } catch (error) {
    return { name, ok: false, detail: messageOf(error) };
  }
}

/** The nearest directory that exists: where a session directory would be made. */
function existing(dir: string): string {
  try {
    if (statSync(dir).isDirectory()) return dir;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
  }
  const parent = dirname(dir);
  return parent === dir ? dir : existing(parent);
}

/** Writes what a start writes, where it would write it. */
function checkDirectory(sessionDir: string): Check {
  const name = "directory";
  const dir = existing(resolve(sessionDir));
  let trial: string | null = null;
  try {
    findSession(sessionDir);
    trial = mkdtempSync(join(dir, ".proctor-doctor-"));
    writeFileSync(join(trial, "room"), new Uint8Array(START_BYTES));
    return { name, ok: true, detail: `${dir} can be written` };
  } catch (error) {
    if (error instanceof ProctorError) return { name, ok: false, detail: error.message };
    return { name, ok: false, detail: diskError(dir, error).message };
  } finally {
    if (trial !== null) rmSync(trial, { recursive: true, force: true });
  }
}

function checkDisk(sessionDir: string): Check {
  const name = "disk";
  const dir = existing(resolve(sessionDir));
  const disk = diskUnder(dir);
  if (disk === null) return { name, ok: false, detail: `${dir}: how much room is left is not known` };
  const room = `${dir}: ${formatSize(disk.freeBytes)} free`;
  if (disk.isMemory)
    return {
      name,
      ok: false,
      detail: `${room}, in memory: every byte of a log takes memory. Put sessions on a disk: XDG_STATE_HOME, or --session DIR.`,
    };
  const ok = disk.freeBytes >= LOW_BYTES;
  return {
    name,
    ok,
    detail: ok ? room : `${room}: a single log may grow to 1 GiB. Free some room, or set a lower cap: --log-max S.`,
  };
}

async function checkCgroups(): Promise<Check> {
  const name = "cgroup";
  if (process.platform !== "linux")
    return {
      name,
      ok: false,
      detail: "this system has none: memory limits are watched by polling, not enforced by the kernel.",
    };
  const { description } = systemCgroups();
  if (!/watched, not enforced/.test(description)) return { name, ok: true, detail: description };
  const scope = new SystemdScope({ name: "proctor-doctor", recordPath: "", env: process.env });
  const [program = "", ...args] = scope.trial;
  const { ok, text } = await probe(program, args);
  if (ok && text.split(" ").includes("memory"))
    return { name, ok: true, detail: `memory limits in a scope of the service manager's: ${scope.name}` };
  return {
    name,
    ok: false,
    detail: `${description}; ${scope.name}: ${text === "" ? "no memory controller" : text}. To have them: run in a systemd user session, or as root.`,
  };
}

function checkPressure(): Check {
  const name = "pressure";
  try {
    const line = readFileSync("/proc/pressure/cpu", "utf8").split("\n")[0] ?? "";
    return { name, ok: true, detail: `/proc/pressure: cpu ${line}` };
  } catch (error) {
    return {
      name,
      ok: false,
      detail: `/proc/pressure can't be read (${errnoOf(error) ?? messageOf(error)}): how busy the machine is, is not known. Linux has it from 4.20 on, with psi=1 on the kernel's command line.`,
    };
  }
}

async function checkSandbox(): Promise<Check> {
  const name = "sandbox";
  const cost = "commands can't be run in a sandbox";
  if (process.platform === "darwin") {
    const { ok, text } = await probe("/usr/bin/sandbox-exec", ["-p", "(version 1)(allow default)", "/usr/bin/true"]);
    return { name, ok, detail: ok ? "sandbox-exec works" : `sandbox-exec fails (${text}): ${cost}.` };
  }
  const path = findProgram("bwrap");
  if (path === null) return { name, ok: false, detail: `bwrap is not on PATH: ${cost}. Install bubblewrap.` };
  const { ok, text } = await probe(path, [
    "--ro-bind",
    "/",
    "/",
    "--unshare-pid",
    "--proc",
    "/proc",
    "--die-with-parent",
    "true",
  ]);
  return {
    name,
    ok,
    detail: ok
      ? `bubblewrap works (${path})`
      : `bwrap fails (${text}): ${cost}. It needs user namespaces: sysctl kernel.unprivileged_userns_clone, or AppArmor's restriction of them.`,
  };
}

/** A pane of a multiplexer on a server of the check's own: opened, read, and taken away. */
async function checkTerminals(): Promise<Check> {
  const name = "terminal";
  const dir = mkdtempSync(join(tmpdir(), "proctor-doctor-"));
  const failed: string[] = [];
  try {
    for (const program of ["rmux", "tmux"]) {
      const path = findProgram(program);
      if (path === null) continue;
      const { text } = await probe(path, ["-V"]);
      if (await new Multiplexer(path, join(dir, "panes"), process.env).works())
        return { name, ok: true, detail: `${text} works (${path}): interactive runs are shown in its panes` };
      failed.push(path);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  const cost = "interactive runs have no pane; proctor attach works all the same. Install tmux.";
  return {
    name,
    ok: false,
    detail:
      failed.length === 0
        ? `neither rmux nor tmux is on PATH: ${cost}`
        : `${failed.join(" and ")} can't run a command and show it: ${cost}`,
  };
}
