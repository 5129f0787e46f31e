/**
 * Which project files the user has trusted, and with which content: one small file for each under the
 * user's state directory, named by the hash of the project file's path.
 *
 *   $XDG_STATE_HOME/proctor/trust/HASH   {"v":1,"path":…,"sha256":…,"trustedAt":…}, 0600
 *
 * A record that can't be read, or that others may write, trusts nothing.
 */
import { readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../model/index.ts";
import { diskError, isDiskError, makePrivateDir, replaceFile } from "../os/private-files.ts";
import { stateHome } from "./session-dir.ts";

/** A trusted project file. */
export interface TrustRecord {
  readonly path: string;
  /** Of the content that is trusted, in hexadecimal. */
  readonly sha256: string;
  /** ISO 8601. */
  readonly trustedAt: string;
}

/** The hash that a content is known by. */
export function contentHash(content: string | Uint8Array): string {
  // Loaded only where there is a project file: every start of the command line would pay for it.
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex");
}

/** Whether the file at `path` is trusted with the content that `hash` is of. */
export function isTrusted(path: string, hash: string, env: NodeJS.ProcessEnv): "trusted" | "changed" | "unknown" {
  const record = readRecord(recordFile(path, env));
  if (record === null || record.path !== path) return "unknown";
  return record.sha256 === hash ? "trusted" : "changed";
}

/**
 * Trusts the file at `path`, an absolute path without symbolic links, with the content that `hash` is of.
 *
 * @throws ProctorError `ERR_HOST_DISK` when that can't be recorded.
 */
export function recordTrust(path: string, hash: string, env: NodeJS.ProcessEnv): TrustRecord {
  const record: TrustRecord = { path, sha256: hash, trustedAt: new Date().toISOString() };
  const file = recordFile(path, env);
  try {
    makePrivateDir(trustDir(env));
    replaceFile(file, `${JSON.stringify({ v: 1, ...record })}\n`);
  } catch (error) {
    throw isDiskError(error) || errnoOf(error) === "EACCES" ? diskError(file, error) : error;
  }
  return record;
}

/** Trusts the file at `path` no longer; false when it was not trusted. */
export function removeTrust(path: string, env: NodeJS.ProcessEnv): boolean {
  const file = recordFile(path, env);
  const wasTrusted = readRecord(file)?.path === path;
  rmSync(file, { force: true });
  return wasTrusted;
}

/** Every trusted file, by path. */
export function trustRecords(env: NodeJS.ProcessEnv): readonly TrustRecord[] {
  let names: string[];
  try {
    names = readdirSync(trustDir(env));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
  return names
    .flatMap((name) => readRecord(join(trustDir(env), name)) ?? [])
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function trustDir(env: NodeJS.ProcessEnv): string {
  return join(stateHome(env), "trust");
}

function recordFile(path: string, env: NodeJS.ProcessEnv): string {
  return join(trustDir(env), contentHash(path).slice(0, 32));
}

function readRecord(file: string): TrustRecord | null {
  if (!/^[0-9a-f]{32}$/.test(file.slice(-32))) return null; // a neighbour that is being written
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.uid !== process.geteuid?.() || (stat.mode & 0o022) !== 0) return null;
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isRecord(value) ? { path: value.path, sha256: value.sha256, trustedAt: value.trustedAt } : null;
  } catch (error) {
    // Gone, unreadable or damaged: it trusts nothing, and can be written anew.
    if (errnoOf(error) === null && !(error instanceof SyntaxError)) throw error;
    return null;
  }
}

function isRecord(value: unknown): value is TrustRecord & { readonly v: 1 } {
  return (
    typeof value === "object" &&
    value !== null &&
    "v" in value &&
    value.v === 1 &&
    "path" in value &&
    typeof value.path === "string" &&
    "sha256" in value &&
    typeof value.sha256 === "string" &&
    "trustedAt" in value &&
    typeof value.trustedAt === "string"
  );
}
