/**
 * The helper `rtk` (https://github.com/rtk-ai/rtk) behind the port of filters.
 *
 * Theory: only `rtk pipe` reads its input and nothing else; any other `rtk X` would run X. So nothing
 * but `--version`, `pipe --help` and `pipe -f NAME` is ever called, in a private home, in a process
 * group of its own that is killed as a whole when its time is up. A program of the same name that is
 * another one answers these questions otherwise, and is not used.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { errnoOf, type FilterName, messageOf } from "../model/index.ts";
import type { FilterOutcome, FilterProcess } from "../ports/index.ts";
import { findOnPath } from "./path-search.ts";

/** `rtk pipe` came with this version. */
const LEAST_VERSION = [0, 37] as const;
const PROBE_MS = 3000;
const FILTER_MS = 10_000;
/** No filter has a reason to say more. */
const MAX_OUTPUT_BYTES: number = 2 * 1024 * 1024;

/** How the helper is found and how long it may take. */
export interface RtkOptions {
  /** The environment whose PATH is searched. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly probeMs?: number;
  readonly filterMs?: number;
}

/** Makes the helper. What was found out about a program is kept until its file changes. */
export function rtkProcess(options: RtkOptions = {}): FilterProcess {
  const env = options.env ?? process.env;
  let known: { readonly file: string; readonly mark: string; readonly why: string | null } | null = null;

  async function probe(file: string, mark: string, home: string): Promise<FilterOutcome | null> {
    if (known !== null && known.file === file && known.mark === mark) {
      return known.why === null ? null : { kind: "unsuitable", why: known.why };
    }
    const ask = (args: readonly string[]): Promise<Ended> =>
      call(file, args, null, env, home, options.probeMs ?? PROBE_MS);
    const version = await ask(["--version"]);
    if (version.kind === "spawn-failed") return version;
    let why = version.kind === "ended" ? versionProblem(version.output) : `rtk --version ${version.why}`;
    if (why === null) {
      const help = await ask(["pipe", "--help"]);
      if (help.kind === "spawn-failed") return help;
      if (help.kind === "failed") why = `rtk pipe --help ${help.why}`;
    }
    known = { file, mark, why };
    return why === null ? null : { kind: "unsuitable", why };
  }

  async function filter(name: FilterName, input: Uint8Array): Promise<FilterOutcome> {
    const found = findOnPath("rtk", env["PATH"] ?? "");
    if (found === null) return { kind: "absent" };
    let home: string;
    try {
      home = mkdtempSync(join(env["TMPDIR"] ?? tmpdir(), "proctor-rtk-"));
    } catch (error) {
      return { kind: "failed", why: `there is no place for its home: ${messageOf(error)}` };
    }
    try {
      const refused = await probe(found.file, found.mark, home);
      if (refused !== null) return refused;
      const ended = await call(found.file, ["pipe", "-f", name], input, env, home, options.filterMs ?? FILTER_MS);
      return ended.kind === "ended" ? { kind: "filtered", output: ended.output } : ended;
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }

  return { name: "rtk", filter };
}

/** Why the answer to --version is not that of an rtk that can be used; null when it is. */
function versionProblem(output: Uint8Array): string | null {
  const line = Buffer.from(output).toString("utf8").trim();
  const match = /^rtk v?(\d+)\.(\d+)\.(\d+)/.exec(line);
  if (match === null) return "the rtk on PATH is another program of that name";
  const [major, minor] = [Number(match[1]), Number(match[2])];
  const isNew = major > LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor >= LEAST_VERSION[1]);
  return isNew ? null : `${match[0]} has no pipe, which came with ${LEAST_VERSION.join(".")}`;
}

type Ended =
  | { readonly kind: "ended"; readonly output: Uint8Array }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "spawn-failed"; readonly why: string };

/** Runs the program to its end. Resolves once, whatever happens. */
function call(
  file: string,
  args: readonly string[],
  input: Uint8Array | null,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  limitMs: number,
): Promise<Ended> {
  return new Promise((resolve) => {
    let child: ChildProcessByStdio<Writable, Readable, null>;
    try {
      child = spawn(file, args, {
        cwd: home,
        env: privateEnv(env, home),
        stdio: ["pipe", "pipe", "ignore"],
        detached: true,
      });
    } catch (error) {
      // Most failures come as an event; those that Node does not expect are thrown.
      resolve({ kind: "spawn-failed", why: `could not be started: ${messageOf(error)}` });
      return;
    }
    const parts: Buffer[] = [];
    let size = 0;
    let isDone = false;
    const timer = setTimeout(() => end({ kind: "failed", why: `took longer than ${limitMs} ms` }), limitMs);

    function end(outcome: Ended): void {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      if (child.exitCode === null && child.signalCode === null) killGroup(child.pid);
      child.stdin.destroy();
      child.stdout.destroy();
      resolve(outcome);
    }
    child.on("error", (error) => end({ kind: "spawn-failed", why: `could not be started: ${messageOf(error)}` }));
    // It may end without reading all that it is given; its status says what came of that.
    child.stdin.on("error", () => undefined);
    child.stdout.on("error", (error) => end({ kind: "failed", why: `could not be read: ${messageOf(error)}` }));
    child.stdout.on("data", (part: Buffer) => {
      size += part.length;
      if (size > MAX_OUTPUT_BYTES) end({ kind: "failed", why: `said more than ${MAX_OUTPUT_BYTES} bytes` });
      else parts.push(part);
    });
    child.on("close", (code, signal) => {
      if (code === 0) end({ kind: "ended", output: Buffer.concat(parts) });
      else end({ kind: "failed", why: signal === null ? `ended with status ${code}` : `was killed by ${signal}` });
    });
    child.stdin.end(input ?? undefined);
  });
}

/** A private home: some versions write a database and a configuration there. */
function privateEnv(env: Readonly<Record<string, string | undefined>>, home: string): NodeJS.ProcessEnv {
  return {
    PATH: env["PATH"],
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_CACHE_HOME: home,
    RTK_DB_PATH: join(home, "rtk.db"),
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
  };
}

/** Kills the program and what it started. Only while it is not reaped: its pid is nobody else's then. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (errnoOf(error) !== "ESRCH" && errnoOf(error) !== "EPERM") throw error;
  }
}
