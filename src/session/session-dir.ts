/**
 * Session directories: where they are, whose they are, and that nobody else may look in.
 *
 *   session.json   who the session is: id, token, owner
 *   host.N         who serves it: the highest N counts (see host-lock.ts)
 *   host.sock      where it is served (see host-socket.ts)
 *   host.log       what the host had to say when nobody was listening
 *   runs/          see the run store
 */
import { linkSync, readFileSync, readdirSync, realpathSync, rmSync, rmdirSync, statSync, unlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ProctorError, errnoOf, messageOf, newId } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";
import { diskError, isDiskError, makePrivateDir, replaceFile, writeNewFile } from "../os/private-files.ts";
import { removeSockets } from "./host-socket.ts";
import { checkPrivate } from "./private-directory.ts";
import { readSessionRecord, recordAdvice } from "./session-record.ts";
import type { SessionRecord } from "./session-record.ts";

/** The name of the file that makes a directory a session. */
const SESSION_FILE = "session.json";
/** How often the removal of a session's directory is tried. */
const REMOVAL_ATTEMPTS = 5;

/** A session directory that was checked, and its record. */
export interface SessionPlace {
  readonly dir: string;
  readonly record: SessionRecord;
}

/** Where this user's sessions are, unless they are somewhere else: `$XDG_STATE_HOME/proctor`. */
export function stateHome(env: NodeJS.ProcessEnv = process.env): string {
  const xdg = env["XDG_STATE_HOME"];
  if (xdg !== undefined && xdg.startsWith("/")) return join(xdg, "proctor");
  const home = env["HOME"];
  return join(home !== undefined && home.startsWith("/") ? home : homedir(), ".local", "state", "proctor");
}

function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}

/** The directory of the user's default session. */
export function defaultSessionDir(env: NodeJS.ProcessEnv = process.env): string {
  const given = env["PROCTOR_SESSION_DIR"];
  return given === undefined || given === "" ? join(stateHome(env), "sessions", "default") : resolve(given);
}

/**
 * The directory of the session that detached runs live in: it has no owner, so they end when they are
 * stopped, when their limit is reached, or with the machine.
 */
export function detachedSessionDir(env: NodeJS.ProcessEnv = process.env): string {
  return join(stateHome(env), "sessions", "detached");
}

/** A directory for a session of its own. */
export function freshSessionDir(env: NodeJS.ProcessEnv = process.env): string {
  return join(stateHome(env), "sessions", newId());
}

function parseRecord(dir: string): SessionRecord | null {
  const path = join(dir, SESSION_FILE);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw new ProctorError("ERR_SESSION_DIR", `${path} can't be read: ${messageOf(error)}`, {
      cause: error,
      details: { dir },
    });
  }
  const read = readSessionRecord(text);
  if (read.kind === "record") return read.record;
  throw new ProctorError("ERR_SESSION_DIR", recordAdvice(dir, read), { details: { dir } });
}

/** The session in a directory, checked; null when there is none. */
export function findSession(given: string): SessionPlace | null {
  let dir: string;
  try {
    dir = realpathSync(given);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw new ProctorError("ERR_SESSION_DIR", `${given} can't be used as a session directory: ${messageOf(error)}`, {
      cause: error,
    });
  }
  checkPrivate(dir);
  const record = parseRecord(dir);
  return record === null ? null : { dir, record };
}

/**
 * Opens the session in a directory; makes both when they are missing.
 *
 * @throws ProctorError `ERR_SESSION_DIR` when the directory is another user's, open to others, or holds
 *   something else; `ERR_HOST_DISK` when it can't be written.
 */
export function openSession(given: string, owner: ProcessIdentity | null): SessionPlace {
  try {
    makePrivateDir(resolve(given));
  } catch (error) {
    if (isDiskError(error)) throw diskError(given, error);
    throw new ProctorError(
      "ERR_SESSION_DIR",
      `${given} can't be made (${errnoOf(error) ?? messageOf(error)}). Choose another session directory with --session.`,
      {
        cause: error,
        details: { dir: given },
      },
    );
  }
  const existing = findSession(given);
  if (existing !== null) return existing;
  const dir = realpathSync(given);
  const foreign = readdirSync(dir).filter((name) => !/^(host\.|session\.json\.)/.test(name));
  if (foreign.length > 0) {
    // Another caller may have made the session since the first look.
    const madeMeanwhile = findSession(dir);
    if (madeMeanwhile !== null) return madeMeanwhile;
    throw new ProctorError(
      "ERR_SESSION_DIR",
      `${dir} is not empty and is no session (it holds ${foreign.slice(0, 3).join(", ")}). A session's directory is removed at its end: give an empty or a new one.`,
      { details: { dir } },
    );
  }
  const record: SessionRecord = { v: 1, id: newId(), token: randomHex(24), createdAt: Date.now(), owner };
  const path = join(dir, SESSION_FILE);
  const temporary = `${path}.${process.pid}.${randomHex(4)}`;
  try {
    writeNewFile(temporary, JSON.stringify(record));
    // link(2) fails when the name exists: of fifty that come at once, one makes the session.
    linkSync(temporary, path);
  } catch (error) {
    if (isDiskError(error)) throw diskError(dir, error);
    if (errnoOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const place = findSession(dir);
  if (place === null)
    throw new ProctorError("ERR_SESSION_DIR", `${dir} was removed while it was being opened; try again.`, {
      retryable: true,
    });
  register(place);
  return place;
}

/** Records a new owner of a session that has none. */
export function recordOwner(place: SessionPlace, owner: ProcessIdentity): SessionRecord {
  const record: SessionRecord = { ...place.record, owner };
  replaceFile(join(place.dir, SESSION_FILE), JSON.stringify(record));
  return record;
}

/** Whether the directory still is this session: a user may remove it at any time, and that ends the session. */
export function isStillThere(place: SessionPlace): boolean {
  try {
    return statSync(join(place.dir, SESSION_FILE)).isFile();
  } catch (error) {
    return errnoOf(error) !== "ENOENT";
  }
}

/** Removes what proctor made in a session's directory, and the directory when nothing else is in it. */
export function removeSession(place: SessionPlace): void {
  const { dir } = place;
  removeSockets(dir);
  // What is just ending (a launcher, a pane, a caller that knocks) may still make a file while we remove.
  for (let attempt = 1; attempt <= REMOVAL_ATTEMPTS; attempt++) {
    const own = safeReaddir(dir).filter(
      (name) => name === "runs" || name.startsWith("host.") || name.startsWith("session.json."),
    );
    // The lock goes after the runs: who finds it gone is the next host, and writes among the runs that are there.
    own.sort((one, other) => Number(other === "runs") - Number(one === "runs"));
    try {
      for (const name of own) rmSync(join(dir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 10 });
    } catch (error) {
      // Node empties a directory once: what was made in it since needs another attempt.
      if (errnoOf(error) !== "ENOTEMPTY" || attempt === REMOVAL_ATTEMPTS) throw error;
      continue;
    }
    // The record goes last: as long as it stands, whoever comes next takes the removal up again.
    rmSync(join(dir, SESSION_FILE), { force: true });
    try {
      rmdirSync(dir);
      break;
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === "ENOENT" || errno === "EBUSY") break;
      if (errno !== "ENOTEMPTY") throw error; // ENOTEMPTY: a user's own files, or something new of ours
    }
  }
  try {
    unlinkSync(registryFile(place.record.id));
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

function safeReaddir(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

function registryFile(id: string): string {
  return join(stateHome(), "registry", id);
}

/** Notes where a session is, so that `sessions` and the sweep of what dead sessions left can find it. */
function register(place: SessionPlace): void {
  try {
    makePrivateDir(join(stateHome(), "registry"));
    replaceFile(registryFile(place.record.id), place.dir);
  } catch (error) {
    // Without a home that can be written a session works all the same; it is only not listed.
    if (errnoOf(error) === null) throw error;
  }
}

/** A session that is on record, and can't be read where it is. */
export interface DamagedSession {
  readonly dir: string;
  /** What is wrong and what to do about it, in whole sentences. */
  readonly problem: string;
}

/** The sessions of this user that are on record. */
export interface RegisteredSessions {
  /** In the order in which they were made. */
  readonly places: readonly SessionPlace[];
  readonly damaged: readonly DamagedSession[];
}

/**
 * Every session of this user that is on record, those that can't be read apart. Entries whose directory is
 * gone are removed; that of a damaged session stays, so that it is told of until somebody has seen to it.
 */
export function sessionsOnRecord(): RegisteredSessions {
  const places: SessionPlace[] = [];
  const damaged: DamagedSession[] = [];
  for (const id of safeReaddir(join(stateHome(), "registry"))) {
    if (id.endsWith(".tmp")) continue;
    let dir = registryFile(id);
    try {
      dir = readFileSync(dir, "utf8");
      const place = findSession(dir);
      if (place?.record.id === id) places.push(place);
      else rmSync(registryFile(id), { force: true });
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === "ENOENT") continue; // it ended while we looked
      if (errno === null && !(error instanceof ProctorError)) throw error;
      damaged.push({ dir, problem: messageOf(error) });
    }
  }
  return { places: places.toSorted((a, b) => a.record.createdAt - b.record.createdAt), damaged };
}

/** Every session of this user that is on record and can be read; see `sessionsOnRecord` for the others. */
export function registeredSessions(): readonly SessionPlace[] {
  return sessionsOnRecord().places;
}
