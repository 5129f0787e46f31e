/** That a directory is the user's own, and open to nobody else. */
import { lstatSync } from "node:fs";
import { userInfo } from "node:os";
import { ProctorError } from "../model/index.ts";

/**
 * Checks that `dir` is a directory of this user's that only this user may look into.
 *
 * @throws ProctorError `ERR_SESSION_DIR`, naming what is wrong and what to do.
 */
export function checkPrivate(dir: string): void {
  const stat = lstatSync(dir);
  const uid = userInfo().uid;
  if (!stat.isDirectory()) {
    throw new ProctorError(
      "ERR_SESSION_DIR",
      `${dir} is not a directory. Accepted: a directory of your own, or a path where one can be made.`,
      { details: { dir } },
    );
  }
  if (stat.uid !== uid) {
    throw new ProctorError(
      "ERR_SESSION_DIR",
      `${dir} belongs to user ${stat.uid}, not to you (${uid}). A session directory must be your own.`,
      { details: { dir } },
    );
  }
  if ((stat.mode & 0o077) !== 0) {
    throw new ProctorError(
      "ERR_SESSION_DIR",
      `${dir} is open to other users (mode ${(stat.mode & 0o777).toString(8)}). A session directory holds output and must be private: chmod 700 ${dir}`,
      { details: { dir } },
    );
  }
}
