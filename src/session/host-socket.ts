/**
 * Where a session's host listens: `host.sock` in the session's directory, or, since the path of a socket is short
 * (unix(7)), under the user's runtime directory or the temporary one. Callers may have other ideas of those than the
 * host (a login by ssh, a cron job), so the host says where it is by the link `host.at`.
 */
import { readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { ProctorError, errnoOf } from "../model/index.ts";
import { isDiskError, makePrivateDir } from "../os/private-files.ts";
import { checkPrivate } from "./private-directory.ts";

/** sun_path holds 108 bytes on Linux and 104 on macOS, the closing NUL included (unix(7)). */
const MAX_SOCKET_PATH = 101; // and ours has a neighbour with a name two longer
const LINK = "host.at";

/** The paths a host may listen at, the best first. */
function candidates(dir: string): readonly string[] {
  const inside = join(dir, "host.sock");
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH) return [inside];
  // Loaded only here: every start of the command line would pay for it.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const name = createHash("sha256").update(dir).digest("hex").slice(0, 20);
  const runtime = process.env["XDG_RUNTIME_DIR"];
  const parents = [...(runtime?.startsWith("/") === true ? [runtime] : []), tmpdir(), "/tmp"];
  const short = parents
    .map((parent) => join(parent, `proctor-${userInfo().uid}`, `${name}.sock`))
    .filter((path) => Buffer.byteLength(path) <= MAX_SOCKET_PATH);
  if (short.length > 0) return short;
  throw new ProctorError(
    "ERR_SESSION_DIR",
    "No directory with a path short enough for a socket was found; set TMPDIR to a shorter path.",
  );
}

/** Where the host said that it listens; null when it did not. */
function saidBy(dir: string): string | null {
  try {
    return readlinkSync(join(dir, LINK));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "EINVAL" || errno === "ENOTDIR") return null;
    throw error;
  }
}

/**
 * Where the host of a session listens, or would.
 *
 * @throws ProctorError `ERR_SESSION_DIR` when no path is short enough.
 */
export function socketPath(dir: string): string {
  const [first, ...others] = candidates(dir);
  if (first === undefined) throw new ProctorError("ERR_BUG", "No candidate for a socket's path.");
  return others.length === 0 && dirname(first) === dir ? first : (saidBy(dir) ?? first);
}

/** The path of the socket that launchers connect to: beside the session's own. */
export function launchSocketPath(socket: string): string {
  return socket.replace(/\.sock$/, ".launch");
}

/** The path of the socket of the session's multiplexer, if it has one. */
export function panesSocketPath(socket: string): string {
  return socket.replace(/\.sock$/, ".panes");
}

/**
 * Chooses where the host of a session listens, makes the directory for it, and says so to those who look for it.
 *
 * @throws ProctorError `ERR_SESSION_DIR` when there is no such directory of the user's own; the error of the disk.
 */
export function placeSocket(dir: string): string {
  let refusal: unknown = null;
  for (const path of candidates(dir)) {
    const parent = dirname(path);
    try {
      makePrivateDir(parent);
      checkPrivate(parent);
    } catch (error) {
      refusal ??= error; // a runtime directory that went with its login: the next will do
      continue;
    }
    if (parent !== dir) sayWhere(dir, path);
    return path;
  }
  throw refusal;
}

function sayWhere(dir: string, path: string): void {
  if (saidBy(dir) === path) return;
  const temporary = join(dir, `${LINK}.${process.pid}`);
  try {
    rmSync(temporary, { force: true });
    symlinkSync(path, temporary);
    renameSync(temporary, join(dir, LINK));
  } catch (error) {
    if (!isDiskError(error)) throw error; // callers with this host's environment find it all the same
  }
}

/** Removes the sockets of a session that has ended. */
export function removeSockets(dir: string): void {
  for (const path of new Set([...candidates(dir), ...[saidBy(dir)].filter((said) => said !== null)])) {
    for (const one of [path, launchSocketPath(path), panesSocketPath(path)]) rmSync(one, { force: true });
  }
}
