/**
 * A process named by a symbolic link: made by one of those who try at once, readable by all, and, because
 * a short link lives in its inode, possible on a full disk.
 */
import { readlinkSync, symlinkSync } from "node:fs";
import { errnoOf } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";

/** Makes the link; false when it exists. */
export function nameProcess(path: string, identity: ProcessIdentity): boolean {
  try {
    symlinkSync(`${identity.pid}:${identity.boot}:${identity.start}`, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** The process that a link names; null when there is no such link, or it names none. */
export function namedProcess(path: string): ProcessIdentity | null {
  let target: string;
  try {
    target = readlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "EINVAL") return null;
    throw error;
  }
  const match = /^(\d+):([^:]+):(.+)$/s.exec(target);
  const [, pid, boot, start] = match ?? [];
  return pid === undefined || boot === undefined || start === undefined ? null : { pid: Number(pid), boot, start };
}
