/**
 * The session that a session was started from: the one whose run its first host descends from. The kernel's
 * chain of parents says so at bootstrap, and the host records it then, once; no argument and no variable of
 * a caller takes part. What a user's own programs write into that user's files is beyond what this can hold.
 */
import { linkSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";
import { writeNewFile } from "../os/private-files.ts";
import type { ProcessEntry, ProcessTable } from "../ports/index.ts";
import { findSession, registeredSessions } from "./session-dir.ts";
import type { SessionPlace } from "./session-dir.ts";

/** No chain of parents is longer: the bound is for one that changes while it is walked. */
const MAX_PARENTS = 1000;

/** Which session it is. */
export interface OwnerSession {
  readonly session: string;
  readonly dir: string;
}

interface OwnerRecord {
  readonly v: 1;
  /** The session that this was recorded for: a file that was there before the session can't know its id. */
  readonly of: string;
  readonly owner: OwnerSession | null;
}

/** Reads what the first host recorded, or records it. */
export function recordOwnerSession(
  place: SessionPlace,
  table: ProcessTable,
  self: ProcessIdentity,
): OwnerSession | null {
  const path = join(place.dir, "host.owner");
  const known = read(path);
  if (known?.of === place.record.id) return known.owner;
  const record: OwnerRecord = { v: 1, of: place.record.id, owner: ownerAbove(place, table, self) };
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    if (known !== null) rmSync(path, { force: true });
    rmSync(temporary, { force: true });
    writeNewFile(temporary, JSON.stringify(record));
    linkSync(temporary, path);
  } catch (error) {
    // A full disk: the session works, without an owner that only this host would remember.
    if (errnoOf(error) === null) throw error;
    return null;
  } finally {
    rmSync(temporary, { force: true });
  }
  return record.owner;
}

/** null when there is none; one that can't be read counts as none that is of this session. */
function read(path: string): OwnerRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (
      typeof value === "object" &&
      value !== null &&
      "v" in value &&
      value.v === 1 &&
      "of" in value &&
      "owner" in value
    )
      return value as OwnerRecord;
    return { v: 1, of: "", owner: null };
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? null : { v: 1, of: "", owner: null };
  }
}

/** The processes that a process descends from, nearest first. */
function ancestors(table: ProcessTable, self: ProcessIdentity): readonly ProcessEntry[] {
  const chain: ProcessEntry[] = [];
  for (let at = table.entry(self.pid); at !== null && chain.length < MAX_PARENTS; at = table.entry(at.ppid))
    chain.push(at);
  return chain.slice(1);
}

function ownerAbove(place: SessionPlace, table: ProcessTable, self: ProcessIdentity): OwnerSession | null {
  // The title only says that looking is worth while: anybody can choose one.
  const launchers = ancestors(table, self).filter(
    ({ identity }) => table.commandLine(identity.pid)?.startsWith("proctor-launcher ") === true,
  );
  if (launchers.length === 0) return null;
  const sessions = registeredSessions().filter(({ record }) => record.id !== place.record.id);
  for (const { identity } of launchers) {
    const found = sessions.find(({ dir }) => launches(dir, identity));
    if (found !== undefined) return { session: found.record.id, dir: found.dir };
  }
  return null;
}

/** Whether a process is the launcher of a run of a session, by the run's own status file. */
function launches(dir: string, identity: ProcessIdentity): boolean {
  const wanted = new RegExp(`^launcher ${identity.pid} (?:-|${identity.start.replace(/[^\w]/g, "\\$&")}) `);
  let runs: string[];
  try {
    runs = readdirSync(join(dir, "runs"));
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return false;
  }
  return runs.some((id) => {
    try {
      return wanted.test(readFileSync(join(dir, "runs", id, "status"), "latin1").slice(0, 100));
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      return false;
    }
  });
}

/** The place of an owner that is still the session that was recorded; null when it is gone. */
export function ownerPlace(owner: OwnerSession, table: ProcessTable): SessionPlace | null {
  const place = findSession(owner.dir);
  if (place === null || place.record.id !== owner.session) return null;
  return place.record.owner !== null && !table.isAlive(place.record.owner) ? null : place;
}
