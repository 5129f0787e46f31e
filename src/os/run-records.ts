/** Reading what stands on disk about a run, and what can still be told of one whose record is damaged. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { NO_LIMITS, errnoOf } from "../model/index.ts";
import type { RunRecord, RunStateRecord } from "../model/index.ts";
import { STATUS, STATUS_RESERVED } from "./launch-status.ts";

/** The file that holds a run's command. */
export const COMMAND_FILE = "command";

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads a run's record and checks the fields that everything else relies on; one of a newer kind is refused, not
 * guessed at.
 *
 * @throws Error that says what is wrong with it; the system's own when it can't be read.
 */
export function readRunRecord(path: string, id: string): RunRecord {
  const value = readJson(path);
  if (!isObject(value) || value["v"] !== 1) throw new Error("not a run record of version 1");
  if (value["id"] !== id) throw new Error(`its id is ${JSON.stringify(value["id"])}`);
  if (!Array.isArray(value["commands"]) || value["commands"].length === 0) throw new Error("it names no command");
  if (typeof value["cwd"] !== "string" || !isObject(value["limits"]) || !isObject(value["env"])) {
    throw new Error("cwd, limits or env is missing");
  }
  return value as unknown as RunRecord;
}

/**
 * Reads where a run stands.
 *
 * @throws Error as `readRunRecord` does.
 */
export function readStateRecord(path: string, id: string): RunStateRecord {
  const value = readJson(path);
  if (!isObject(value) || value["v"] !== 1 || value["id"] !== id || typeof value["phase"] !== "string") {
    throw new Error("not a state record of version 1");
  }
  return value as unknown as RunStateRecord;
}

/**
 * What is known of a run without its record: its command, that it was begun, and with the status file who its
 * processes are, so that it can be listed, read and stopped. null: nothing was begun here.
 */
export function salvagedRecord(dir: string, id: string): RunRecord | null {
  if (!existsSync(join(dir, STATUS)) && !existsSync(join(dir, STATUS_RESERVED))) return null;
  let command = "(not known: its record is damaged)";
  let createdAt = 0;
  try {
    createdAt = statSync(dir).birthtimeMs;
    command = readFileSync(join(dir, COMMAND_FILE), "utf8").replace(/\n$/, "");
  } catch (error) {
    if (errnoOf(error) === null) throw error;
  }
  return {
    v: 1,
    id,
    kind: "run",
    serial: 0,
    name: null,
    commands: [command],
    parent: null,
    cwd: "/",
    env: {},
    unrecorded: [],
    withheld: [],
    umask: 0o077,
    stdin: null,
    interactive: false,
    limits: NO_LIMITS,
    createdAt,
  };
}
