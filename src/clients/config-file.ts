/**
 * A client's configuration file on disk. It is read whole and replaced whole: readers see the old content or the
 * new. A symbolic link is followed and stays one, mode and owner stay, and a file that somebody else changed
 * between the look and the write is not written.
 */
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ProctorError, errnoOf, messageOf } from "../model/index.ts";
import { writeAll } from "../os/private-files.ts";

/** A configuration file as it was found. */
export interface ConfigFile {
  /** As the client names it. */
  readonly path: string;
  /** Where it really is, behind symbolic links. */
  readonly target: string;
  /** Null when there is none. */
  readonly bytes: Buffer | null;
  /** Empty when there is none. */
  readonly text: string;
}

/**
 * Reads a file that may be missing.
 *
 * @throws ProctorError `ERR_INPUT_FILE` when it is no regular file, can't be read, or is not UTF-8.
 */
export function readConfigFile(path: string): ConfigFile {
  const target = targetOf(path);
  let bytes: Buffer;
  try {
    if (!statSync(target).isFile()) throw refusal(path, "is not a regular file");
    bytes = readFileSync(target);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { path, target, bytes: null, text: "" };
    if (error instanceof ProctorError) throw error;
    throw refusal(path, `can't be read (${errnoOf(error) ?? messageOf(error)})`, error);
  }
  try {
    return { path, target, bytes, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    throw refusal(path, "is not UTF-8", error);
  }
}

/**
 * Replaces the file's content; makes the file and its directories where there are none.
 *
 * @param modes what a new file and new directories get.
 * @returns the directories that were made, outermost first.
 * @throws ProctorError `ERR_INPUT_FILE` when it changed since it was read, or can't be written.
 */
export function writeConfigFile(
  file: ConfigFile,
  content: Uint8Array,
  modes: { readonly file: number; readonly directory: number },
): readonly string[] {
  const made: string[] = [];
  try {
    if (file.bytes === null) made.push(...makeDirectories(dirname(file.target), modes.directory));
    refuseIfChanged(file);
    replace(file.target, content, modes.file);
  } catch (error) {
    for (const dir of made.toReversed()) rmdirSync(dir);
    if (error instanceof ProctorError) throw error;
    throw refusal(file.path, `can't be written (${errnoOf(error) ?? messageOf(error)})`, error);
  }
  return made;
}

/**
 * Removes the file.
 *
 * @throws ProctorError `ERR_INPUT_FILE` when it changed since it was read, or can't be removed.
 */
export function removeConfigFile(file: ConfigFile): void {
  try {
    refuseIfChanged(file);
    rmSync(file.target);
  } catch (error) {
    if (error instanceof ProctorError) throw error;
    throw refusal(file.path, `can't be removed (${errnoOf(error) ?? messageOf(error)})`, error);
  }
}

/** Removes those of `directories` that are empty; given outermost first. */
export function removeEmpty(directories: readonly string[]): void {
  for (const dir of directories.toReversed()) {
    try {
      rmdirSync(dir);
    } catch (error) {
      // Others use it by now, or it is gone.
      if (errnoOf(error) === null) throw error;
    }
  }
}

/** Where a path leads, also when nothing is there yet. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== "ENOENT") throw refusal(path, `can't be read (${errno ?? messageOf(error)})`, error);
  }
  try {
    if (lstatSync(path).isSymbolicLink()) return targetOf(resolve(dirname(path), readlinkSync(path)));
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  return path;
}

function makeDirectories(dir: string, mode: number): string[] {
  try {
    statSync(dir);
    return [];
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  const above = makeDirectories(dirname(dir), mode);
  mkdirSync(dir, { mode });
  return [...above, dir];
}

function refuseIfChanged(file: ConfigFile): void {
  let now: Buffer | null = null;
  try {
    now = readFileSync(file.target);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  const same = now === null || file.bytes === null ? now === file.bytes : now.equals(file.bytes);
  if (!same) throw refusal(file.path, "was changed by another program meanwhile");
}

/** By rename, so that a reader never sees a part. */
function replace(target: string, content: Uint8Array, newMode: number): void {
  let old: { readonly mode: number; readonly uid: number; readonly gid: number } | null = null;
  try {
    old = statSync(target);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  const temporary = join(dirname(target), `.${basename(target)}.proctor-${process.pid}`);
  const fd = openSync(temporary, "wx", newMode);
  try {
    try {
      writeAll(fd, content, 0);
      if (old !== null) {
        fchmodSync(fd, old.mode & 0o7777);
        if (old.uid !== process.geteuid?.() || old.gid !== process.getegid?.()) fchownSync(fd, old.uid, old.gid);
      }
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function refusal(path: string, why: string, cause?: unknown): ProctorError {
  return new ProctorError(
    "ERR_INPUT_FILE",
    `${path}: ${why}. Nothing was changed. Accepted: a file of UTF-8 text that you may read and write.`,
    { cause, details: { file: path } },
  );
}
