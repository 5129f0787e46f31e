/** Refuses what can't be meant, naming the field, the value and what is accepted, before anything is started. */
import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { MAX_DURATION_MS, NO_LIMITS, ProctorError, errnoOf } from "../model/index.ts";
import type { Limits } from "../model/index.ts";
import type { SupervisorPolicy } from "../machine/index.ts";
import type { LimitOptions, RunConfig, SupervisorOptions } from "./config.ts";

/** Linux refuses any single argument or variable above this (execve(2), MAX_ARG_STRLEN), in bytes. */
const MAX_ARGUMENT_BYTES = 131_071;
/** A process does not live with fewer: its three streams, the loader, a library. */
const MIN_OPEN_FILES = 8;

/** Every field there is: one that is misspelt would be a limit that nobody enforces. */
const FIELDS = {
  config: [
    "provider",
    "binary",
    "minVersion",
    "profile",
    "workspace",
    "args",
    "env",
    "stdin",
    "stderr",
    "waitDelayMs",
    "supervisor",
    "limits",
    "signal",
    "deadlineMs",
    "onEvent",
    "session",
    "name",
    "logMaxBytes",
    "detached",
  ],
  supervisor: [
    "idleKillMs",
    "idleKillGraceMs",
    "restartOnCrash",
    "maxRestartBackoffMs",
    "watchdogMs",
    "watchdogResetBy",
  ],
  limits: ["cpuTimeMs", "memoryBytes", "openFiles", "processes", "fileSizeBytes"],
} as const satisfies {
  readonly config: readonly (keyof RunConfig)[];
  readonly supervisor: readonly (keyof SupervisorOptions)[];
  readonly limits: readonly (keyof LimitOptions)[];
};

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

/** An object with no other fields than these; `where` names it in front of theirs. */
function fields(where: string, value: unknown, known: readonly string[]): void {
  if (value === undefined) return;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong(where, value, `an object with ${known.join(", ")}`);
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) throw wrong(where === "config" ? name : `${where}.${name}`, "unknown", known.join(", "));
  }
}

function text(field: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== "string" || value === "" || value.includes("\0"))
    throw wrong(field, value, "a text that is not empty and has no NUL");
}

/**
 * Checks everything that can be checked without starting anything.
 *
 * @throws ProctorError `ERR_INPUT_AGENT`, `ERR_INPUT_CWD`, `ERR_INPUT_ENV`, `ERR_INPUT_STDIN`.
 */
export function checkConfig(config: RunConfig): void {
  if (config === undefined || config === null) throw wrong("config", config, "an object");
  fields("config", config, FIELDS.config);
  fields("supervisor", config.supervisor, FIELDS.supervisor);
  fields("limits", config.limits, FIELDS.limits);
  for (const field of ["binary", "minVersion", "profile", "session", "name"] as const) text(field, config[field]);
  const { onEvent, detached, signal, stderr }: { [K in keyof RunConfig]: unknown } = config;
  if (onEvent !== undefined && typeof onEvent !== "function") throw wrong("onEvent", onEvent, "a function");
  if (detached !== undefined && typeof detached !== "boolean") throw wrong("detached", detached, "true or false");
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw wrong("signal", signal, "an AbortSignal");
  if (stderr !== undefined && typeof stderr !== "function" && !isWritable(stderr))
    throw wrong("stderr", stderr, "a writable stream, or a function that takes bytes");
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
  const env: unknown = config.env;
  if (env !== undefined && (typeof env !== "object" || env === null || Array.isArray(env)))
    throw wrong("env", env, "an object of names and texts");
  for (const [name, value] of Object.entries(config.env ?? {})) {
    if (value !== undefined && typeof value !== "string") throw wrong(`env.${name}`, value, "a text");
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

function isWritable(value: unknown): boolean {
  return typeof value === "object" && value !== null && "write" in value && typeof value.write === "function";
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
