/**
 * What was put into a configuration file, and what was there before: enough to take it out again to the byte. One
 * record and one copy of the original for each file, private to the user.
 *
 *   $XDG_STATE_HOME/proctor/clients/HASH.json     the record, 0600
 *   $XDG_STATE_HOME/proctor/clients/HASH.backup   the file as it was, 0600
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { errnoOf } from "../model/index.ts";
import { diskError, isDiskError, makePrivateDir, replaceFile } from "../os/private-files.ts";
import { stateHome } from "../session/access.ts";
import type { Entry, Json } from "./client.ts";

/** An entry that was put into a file. */
export interface KeptEntry {
  readonly entry: Entry;
  /** How many keys of its path were there before. */
  readonly depth: number;
  /** What stood in its place; absent when nothing did. */
  readonly previous?: Json | undefined;
}

/** A record as it is kept. */
export interface InstallRecord {
  readonly v: 1;
  readonly client: string;
  readonly path: string;
  /** Whether there was a file before. */
  readonly existed: boolean;
  /** The directories that were made for it, outermost first. */
  readonly directories: readonly string[];
  readonly entries: readonly KeptEntry[];
  /** Of the file as it was left; null when it was changed by others in between. */
  readonly sha256: string | null;
}

const RECORD: z.ZodType<InstallRecord> = z.object({
  v: z.literal(1),
  client: z.string(),
  path: z.string(),
  existed: z.boolean(),
  directories: z.array(z.string()),
  entries: z.array(
    z.object({
      entry: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("value"), path: z.array(z.string()), value: z.json() }),
        z.object({ kind: z.literal("member"), path: z.array(z.string()), value: z.string() }),
      ]),
      depth: z.number(),
      previous: z.json().optional(),
    }),
  ),
  sha256: z.string().nullable(),
});

/** Which file of which client, and whose. */
export interface RecordKey {
  readonly client: string;
  /** The configuration file, behind symbolic links. */
  readonly target: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The hash that a content is known by. */
export function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function place(key: RecordKey, kind: "json" | "backup"): string {
  const name = hashOf(Buffer.from(`${key.client}\0${key.target}`)).slice(0, 32);
  return join(stateHome(key.env), "clients", `${name}.${kind}`);
}

/** Where the copy of the original is. */
export function backupPath(key: RecordKey): string {
  return place(key, "backup");
}

/** The record of a file, or null when there is none that can be read. */
export function readRecord(key: RecordKey): InstallRecord | null {
  try {
    return RECORD.safeParse(JSON.parse(readFileSync(place(key, "json"), "utf8"))).data ?? null;
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The original; null when the copy is gone. */
export function readBackup(key: RecordKey): Buffer | null {
  try {
    return readFileSync(backupPath(key));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

/**
 * Keeps a record, and with it the original where one is given.
 *
 * @throws ProctorError `ERR_HOST_DISK` when that can't be written.
 */
export function keepRecord(key: RecordKey, record: InstallRecord, original: Uint8Array | null): void {
  const file = place(key, "json");
  try {
    makePrivateDir(join(stateHome(key.env), "clients"));
    if (original !== null) replaceFile(backupPath(key), original);
    replaceFile(file, `${JSON.stringify(record)}\n`);
  } catch (error) {
    throw isDiskError(error) || errnoOf(error) === "EACCES" ? diskError(file, error) : error;
  }
}

/** Forgets a file. */
export function dropRecord(key: RecordKey): void {
  rmSync(place(key, "json"), { force: true });
  rmSync(place(key, "backup"), { force: true });
}
