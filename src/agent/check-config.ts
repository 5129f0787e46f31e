/** Refuses what can't be meant, naming the field, the value and what is accepted, before anything is started. */
import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { MAX_DURATION_MS, NO_LIMITS, ProctorError, errnoOf } from "../model/index.ts";
import type { Limits } from "../model/index.ts";
import type { SupervisorPolicy } from "../machine/index.ts";
import type { RunConfig } from "./config.ts";

/** Linux refuses any single argument or variable above this (execve(2), MAX_ARG_STRLEN), in bytes. */
const MAX_ARGUMENT_BYTES = 131_071;
/** A process does not live with fewer: its three streams, the loader, a library. */
const MIN_OPEN_FILES = 8;

function wrong(field: string, value: unknown, accepted: string): ProctorError {
  const shown =
    typeof value === "string" ? JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value) : String(value);
  return new ProctorError("ERR_INPUT_AGENT", `${field}: ${shown} can't be used. Accepted: ${accepted}.`, {
    details: { field, value: shown },
  });
}

function duration(field: string, value: number | undefined, zero: boolean = false): void {
  if (value === undefined) return;
  if (!Number.isFinite(value) || value > MAX_DURATION_MS || (zero ? value < 0 : value <= 0)) {
    throw wrong(field, value, `milliseconds, ${zero ? "from 0" : "more than 0"} up to ${MAX_DURATION_MS} (24 h)`);
  }
}

function count(field: string, value: number | undefined, min: number): void {
  if (value === undefined) return;
  if (!Number.isSafeInteger(value) || value < min) throw wrong(field, value, `a whole number from ${min}`);
}

/**
 * Checks everything that can be checked without starting anything.
 *
 * @throws ProctorError `ERR_INPUT_AGENT`, `ERR_INPUT_CWD`, `ERR_INPUT_ENV`, `ERR_INPUT_STDIN`.
 */
export function checkConfig(config: RunConfig): void {
  checkWorkspace(config.workspace);
  if (!Array.isArray(config.args)) throw wrong("args", config.args, "a list of strings");
  config.args.forEach((arg, i) => {
    if (typeof arg !== "string" || arg.includes("\0")) throw wrong(`args[${i}]`, arg, "a string without a NUL");
    if (Buffer.byteLength(arg) > MAX_ARGUMENT_BYTES) {
      throw wrong(
        `args[${i}]`,
        `${Buffer.byteLength(arg)} bytes`,
        `at most ${MAX_ARGUMENT_BYTES} bytes, which is the system's limit; give long input as stdin: { text }`,
      );
    }
  });
  for (const [name, value] of Object.entries(config.env ?? {})) {
    if (name === "" || name.includes("=") || name.includes("\0") || (value ?? "").includes("\0")) {
      throw new ProctorError(
        "ERR_INPUT_ENV",
        `env: ${JSON.stringify(name)} can't be passed on: a name must not be empty or contain "=", and neither name nor value a NUL.`,
        {
          details: { field: "env", value: name },
        },
      );
    }
  }
  checkStdin(config.stdin);
  duration("waitDelayMs", config.waitDelayMs, true);
  duration("deadlineMs", config.deadlineMs);
  const supervisor = config.supervisor ?? {};
  duration("supervisor.idleKillMs", supervisor.idleKillMs);
  duration("supervisor.idleKillGraceMs", supervisor.idleKillGraceMs, true);
  duration("supervisor.maxRestartBackoffMs", supervisor.maxRestartBackoffMs);
  duration("supervisor.watchdogMs", supervisor.watchdogMs);
  count("supervisor.restartOnCrash", supervisor.restartOnCrash, 0);
  const resetBy: unknown = supervisor.watchdogResetBy;
  if (resetBy !== undefined && resetBy !== "any" && resetBy !== "activity")
    throw wrong("supervisor.watchdogResetBy", resetBy, '"any" or "activity"');
  const limits = config.limits ?? {};
  duration("limits.cpuTimeMs", limits.cpuTimeMs);
  count("limits.memoryBytes", limits.memoryBytes, 1024 ** 2);
  count("limits.openFiles", limits.openFiles, MIN_OPEN_FILES);
  count("limits.processes", limits.processes, 1);
  count("limits.fileSizeBytes", limits.fileSizeBytes, 1);
  count("logMaxBytes", config.logMaxBytes, 64 * 1024);
  if (config.minVersion !== undefined && !/^\d+(\.\d+)*$/.test(config.minVersion))
    throw wrong("minVersion", config.minVersion, 'numbers with dots, "2.1.0"');
}

function checkWorkspace(workspace: unknown): void {
  const refuse = (why: string): ProctorError =>
    new ProctorError(
      "ERR_INPUT_CWD",
      `workspace: ${String(workspace)} ${why}. Accepted: the absolute path of a directory that exists.`,
      {
        details: { field: "workspace", value: String(workspace) },
      },
    );
  if (typeof workspace !== "string" || !isAbsolute(workspace)) throw refuse("is not an absolute path");
  let isDirectory = false;
  try {
    isDirectory = statSync(workspace).isDirectory();
    if (isDirectory) accessSync(workspace, constants.X_OK);
  } catch (error) {
    throw refuse(`can't be used (${errnoOf(error) ?? "unknown"})`);
  }
  if (!isDirectory) throw refuse("is not a directory");
}

function checkStdin(stdin: RunConfig["stdin"]): void {
  if (stdin === undefined || stdin === "stream") return;
  if (typeof stdin === "object" && "text" in stdin && typeof stdin.text === "string") return;
  if (typeof stdin !== "object" || !("file" in stdin) || typeof stdin.file !== "string")
    throw wrong("stdin", stdin, '"stream", { file } or { text }');
  let errno: string | null = null;
  let cause: unknown;
  try {
    accessSync(stdin.file, constants.R_OK);
    if (statSync(stdin.file).isDirectory()) errno = "EISDIR";
  } catch (error) {
    errno = errnoOf(error) ?? "unknown";
    cause = error;
  }
  if (errno === null) return;
  const what = errno === "EISDIR" ? "is a directory" : "can't be read";
  throw new ProctorError(
    "ERR_INPUT_STDIN",
    `stdin: ${stdin.file} ${what} (${errno}). Accepted: a file, a FIFO or a device that exists and may be read.`,
    { cause, details: { field: "stdin", value: stdin.file } },
  );
}

/** The supervisor's policy, with the defaults of the contract. */
export function policyOf(config: RunConfig): SupervisorPolicy {
  const { idleKillMs, watchdogMs, watchdogResetBy, restartOnCrash, maxRestartBackoffMs } = config.supervisor ?? {};
  return {
    idleKillMs: idleKillMs ?? null,
    watchdogMs: watchdogMs ?? null,
    watchdogResetBy: watchdogResetBy ?? "any",
    restartOnCrash: restartOnCrash ?? 0,
    maxRestartBackoffMs: maxRestartBackoffMs ?? 30_000,
  };
}

/** The engine's limits. Time is the supervisor's business. */
export function limitsOf(config: RunConfig): Limits {
  const { cpuTimeMs, memoryBytes, openFiles, processes, fileSizeBytes } = config.limits ?? {};
  return {
    ...NO_LIMITS,
    cpuTimeMs: cpuTimeMs ?? null,
    memoryBytes: memoryBytes ?? null,
    openFiles: openFiles ?? null,
    processes: processes ?? null,
    fileSizeBytes: fileSizeBytes ?? null,
    logMaxBytes: config.logMaxBytes ?? NO_LIMITS.logMaxBytes,
  };
}
