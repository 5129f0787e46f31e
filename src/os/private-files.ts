/** Private directories (0700) and files (0600), whatever the umask; and what a disk's refusal means. */
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  statfsSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { ProctorError, errnoOf, formatSize, messageOf } from "../model/index.ts";

/** The errno values by which a disk says that it can't take more, or can't be written at all. */
const DISK_ERRNOS: readonly string[] = ["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"];

/** Whether `error` is the disk's refusal, not a mistake of ours. */
export function isDiskError(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno !== null && DISK_ERRNOS.includes(errno);
}

/** Says what a disk's refusal means and what to do about it. */
export function diskError(path: string, error: unknown): ProctorError {
  const errno = errnoOf(error);
  const advice =
    errno === "ENOSPC" || errno === "EDQUOT"
      ? "There is no space left; free some, or choose a session directory on another disk with --session."
      : errno === "EROFS"
        ? "The disk is read-only; choose another session directory with --session."
        : errno === "EMFILE" || errno === "ENFILE"
          ? "Too many files are open; stop some runs or raise the limit (ulimit -n)."
          : "Choose another session directory with --session.";
  return new ProctorError("ERR_HOST_DISK", `${path} can't be written (${errno ?? messageOf(error)}). ${advice}`, {
    cause: error,
    details: { path, errno },
  });
}

/** Makes `dir` and its missing parents, each 0700. What exists is left as it is. */
export function makePrivateDir(dir: string): void {
  try {
    lstatSync(dir);
    return;
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  const parent = dirname(dir);
  if (parent !== dir) makePrivateDir(parent);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    return;
  }
  chmodSync(dir, 0o700);
}

/** Writes all of `data` at `position` of an open file; write(2) may take less than it was given. */
export function writeAll(fd: number, data: Uint8Array, position: number): void {
  for (let at = 0; at < data.length; ) at += writeSync(fd, data, at, data.length - at, position + at);
}

/** Writes a new file, 0600; fails when it exists. */
export function writeNewFile(path: string, data: string | Uint8Array): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    writeAll(fd, typeof data === "string" ? Buffer.from(data) : data, 0);
  } finally {
    closeSync(fd);
  }
}

/** Writes over the beginning of a file that is there; what lies behind stays. */
export function overwrite(path: string, data: string | Uint8Array): void {
  const fd = openSync(path, "r+");
  try {
    writeAll(fd, typeof data === "string" ? Buffer.from(data) : data, 0);
  } finally {
    closeSync(fd);
  }
}

/** Writes a file whole, 0600: readers see the old content or the new, never a part. */
export function replaceFile(path: string, data: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const fd = openSync(temporary, "w", 0o600);
  try {
    try {
      writeAll(fd, typeof data === "string" ? Buffer.from(data) : data, 0);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch (unlinkError) {
      if (errnoOf(unlinkError) !== "ENOENT" && !isDiskError(unlinkError)) throw unlinkError;
    }
    throw error;
  }
}

/** What the disk under `path` has left for this user, and on what kind of file system. */
export function diskUnder(path: string): { freeBytes: number; freeText: string; isMemory: boolean } | null {
  try {
    const stat = statfsSync(path);
    const freeBytes = stat.bavail * stat.bsize;
    const TMPFS_MAGIC = 0x01021994; // statfs(2)
    const RAMFS_MAGIC = 0x858458f6;
    return {
      freeBytes,
      freeText: formatSize(freeBytes),
      isMemory: stat.type === TMPFS_MAGIC || stat.type === RAMFS_MAGIC,
    };
  } catch {
    return null; // no answer is an answer: the path may be gone
  }
}
