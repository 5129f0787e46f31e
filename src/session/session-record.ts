/**
 * A session's own record, `session.json`: who the session is, and for which process it lives. It is read by
 * every caller, and anything may have happened to it meanwhile: a record counts only when each of its fields
 * is what it must be, and a message names the field that is not, never the token in it.
 */
import { ID_PATTERN } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";

/** The latest time that a date can tell, in milliseconds (ECMA-262, "Time Values and Time Range"). */
const MAX_TIME_MS = 8.64e15;

/** What stands in a session's own file. */
export interface SessionRecord {
  readonly v: 1;
  readonly id: string;
  /** Proves that a caller can read the session's files. */
  readonly token: string;
  readonly createdAt: number;
  /** The process for which the session lives; null: until it is ended. */
  readonly owner: ProcessIdentity | null;
}

/** What reading a record came to; `problem` is a sentence without its end: `"token" is missing`. */
export type ReadRecord =
  | { readonly kind: "record"; readonly record: SessionRecord }
  | { readonly kind: "damaged"; readonly problem: string }
  | { readonly kind: "other-version"; readonly problem: string };

/** Reads a session's record from the text of its file. */
export function readSessionRecord(text: string): ReadRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes what it read, and that may be the token.
    return damaged(text.trim() === "" ? "it is empty" : "it is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return damaged(`it holds ${kindOf(value)}, not an object`);
  const fields = new Map<string, unknown>(Object.entries(value));
  const v = fields.get("v");
  if (v !== 1) {
    return Number.isSafeInteger(v)
      ? { kind: "other-version", problem: `its version ("v") is ${String(v)}, and this proctor reads version 1` }
      : damaged(wrong("v", v, "1"));
  }
  const id = fields.get("id");
  if (typeof id !== "string" || !ID_PATTERN.test(id)) return damaged(wrong("id", id, "an id"));
  const token = fields.get("token");
  if (typeof token !== "string" || token === "") return damaged(wrong("token", token, "a text"));
  const createdAt = fields.get("createdAt");
  if (typeof createdAt !== "number" || !(createdAt >= 0 && createdAt <= MAX_TIME_MS))
    return damaged(wrong("createdAt", createdAt, "a time in milliseconds"));
  const owner = fields.get("owner");
  if (owner === null) return { kind: "record", record: { v, id, token, createdAt, owner } };
  if (typeof owner !== "object") return damaged(wrong("owner", owner, "an object or null"));
  const parts = new Map<string, unknown>(Object.entries(owner));
  const pid = parts.get("pid");
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0)
    return damaged(wrong("owner.pid", pid, "a pid"));
  const start = parts.get("start");
  if (typeof start !== "string") return damaged(wrong("owner.start", start, "a text"));
  const boot = parts.get("boot");
  if (typeof boot !== "string") return damaged(wrong("owner.boot", boot, "a text"));
  return { kind: "record", record: { v, id, token, createdAt, owner: { pid, start, boot } } };
}

function damaged(problem: string): ReadRecord {
  return { kind: "damaged", problem };
}

function wrong(field: string, value: unknown, wanted: string): string {
  if (value === undefined) return `"${field}" is missing`;
  const given = kindOf(value);
  return `"${field}" is ${given === wanted ? "not one that can be used" : `${given}, not ${wanted}`}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "string":
      return value === "" ? "an empty text" : "a text";
    case "number":
      return "a number";
    case "boolean":
      return String(value);
    default:
      return "an object";
  }
}

/** The problem of a record in words that go on a person's screen, with what to do about it. */
export function recordAdvice(dir: string, read: Exclude<ReadRecord, { kind: "record" }>): string {
  const path = `${dir}/session.json`;
  switch (read.kind) {
    case "damaged":
      return (
        `${path} is damaged: ${read.problem}. The session can't be reached until the file is restored; to give the ` +
        `session up, remove ${dir} (a host that still serves it then stops its runs) and end by hand what is left of it.`
      );
    case "other-version":
      return `${path} is of another version: ${read.problem}. Use the proctor that made it, or end that session with it.`;
    default:
      return read satisfies never;
  }
}
