/**
 * A project's own settings, `.proctor.json`: where the file is, and whether it counts.
 *
 * Theory: the file comes with the project, so whoever can write to a repository can write it. It counts
 * only with the content that the user has looked at and trusted (see project-trust.ts); a file that does
 * not count is told of, with the reason, and never passed over in silence. It is opened once, and what is
 * hashed is what is used.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { errnoOf, formatSize, messageOf } from "../model/index.ts";
import { contentHash, isTrusted } from "./project-trust.ts";

/** The name of a project's file. */
export const PROJECT_FILE = ".proctor.json";
/** No file of settings is larger; in bytes. */
const MAX_BYTES: number = 256 * 1024;

/** What reading a project's file came to. */
export type ProjectFile =
  | { readonly kind: "readable"; readonly text: string; readonly hash: string }
  /** `why` goes on from "it": "is a symbolic link". */
  | { readonly kind: "refused"; readonly why: string };

/** The settings of a project that count, and what there is to say about those that don't. */
export interface ProjectSettings {
  readonly project: { readonly path: string; readonly value: unknown } | null;
  readonly notes: readonly string[];
}

const NONE: ProjectSettings = { project: null, notes: [] };

/**
 * The nearest `.proctor.json` from `cwd` upwards: as far as the repository's root (the directory that holds
 * `.git`), the file system's root, or the last directory that belongs to this user or to the owner of
 * `cwd`. Null when there is none.
 */
export function findProjectFile(cwd: string): string | null {
  let dir: string;
  try {
    dir = realpathSync(cwd);
  } catch (error) {
    // A directory that is not there holds no settings; the start of the run says what is wrong with it.
    if (errnoOf(error) === null) throw error;
    return null;
  }
  const owners = [userId(), ownerOf(dir)];
  for (;;) {
    const path = join(dir, PROJECT_FILE);
    if (exists(path)) return path;
    const parent = dirname(dir);
    if (parent === dir || exists(join(dir, ".git")) || !owners.includes(ownerOf(parent))) return null;
    dir = parent;
  }
}

/** Reads a project's file whole; a symbolic link, another user's file and anything but a file is refused. */
export function readProjectFile(path: string): ProjectFile {
  let fd: number;
  try {
    // A pipe that has this name must not make anybody wait.
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ELOOP") return refused("is a symbolic link, and those are not followed");
    return refused(`can't be read (${errno ?? messageOf(error)})`);
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return refused("is not a file");
    if (stat.uid !== userId()) return refused(`belongs to user ${stat.uid}, not to you (${userId()})`);
    if (stat.size > MAX_BYTES) return refused(`is larger than ${formatSize(MAX_BYTES)}, which no file of settings is`);
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let size = 0;
    for (;;) {
      const got = readSync(fd, bytes, size, bytes.length - size, size);
      size += got;
      if (got === 0 || size === bytes.length) break;
    }
    if (size > MAX_BYTES) return refused("grows while it is read");
    const content = bytes.subarray(0, size);
    return { kind: "readable", text: content.toString("utf8"), hash: contentHash(content) };
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return refused(`can't be read (${errnoOf(error)})`);
  } finally {
    closeSync(fd);
  }
}

/** The settings of the project that `cwd` is in. Never throws for a file that can't be used: `notes` says why. */
export function projectSettings(cwd: string | null, env: NodeJS.ProcessEnv): ProjectSettings {
  const path = cwd === null ? null : findProjectFile(cwd);
  if (path === null) return NONE;
  const file = readProjectFile(path);
  if (file.kind === "refused") return notUsed(path, `it ${file.why}.`);
  const trust = isTrusted(path, file.hash, env);
  if (trust !== "trusted") {
    const why = trust === "changed" ? "it has changed since it was trusted" : "it is not trusted";
    return notUsed(path, `${why}. Whoever has read it can say: proctor trust ${shellWord(path)}`);
  }
  const parsed = parseProjectFile(file.text);
  return parsed.kind === "broken"
    ? notUsed(path, `it is not JSON (${parsed.why}).`)
    : { project: { path, value: parsed.value }, notes: [] };
}

/** The value in a project's file, or why there is none. */
export function parseProjectFile(
  text: string,
): { readonly kind: "value"; readonly value: unknown } | { readonly kind: "broken"; readonly why: string } {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return { kind: "value", value };
  } catch (error) {
    return { kind: "broken", why: messageOf(error) };
  }
}

function refused(why: string): ProjectFile {
  return { kind: "refused", why };
}

function notUsed(path: string, why: string): ProjectSettings {
  return { project: null, notes: [`settings: ${path} is not used: ${why}`] };
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // What can't be looked at can't be read either.
    if (errnoOf(error) === null) throw error;
    return false;
  }
}

function ownerOf(dir: string): number | null {
  try {
    return lstatSync(dir).uid;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

/** This process's user; proctor runs on systems that have users. */
function userId(): number {
  return process.geteuid?.() ?? -1;
}

/** A path as a shell takes it. */
function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
