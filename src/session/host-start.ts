/**
 * Reaches a session's host, and starts one where there is none. However many faces come at once, one
 * starts a host and the others wait for it: the file `host.starting` names who does. That file only
 * saves work; that at most one host serves is the lock's promise.
 */
import { rmSync } from "node:fs";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { join } from "node:path";
import { ProctorError, errnoOf } from "../model/index.ts";
import { isDiskError } from "../os/private-files.ts";
import { processTable } from "../os/process-table.ts";
import { nameProcess, namedProcess } from "./identity-link.ts";
import { socketPath } from "./host-socket.ts";
import type { SessionPlace } from "./session-dir.ts";

/** How long a host may take to start before the caller gives up, in milliseconds. */
const START_BOUND_MS = 20_000;
/** How long a host that serves, but can't be reached, is given before it is tried again, in milliseconds. */
const LOST_SOCKET_MS = 200;
/** How often a socket that is not there yet is tried, in milliseconds. */
const TRY_MS = 10;

/**
 * Connects to a session's socket; null when nobody listens there.
 *
 * @throws ProctorError `ERR_HOST_UNREACHABLE`: the socket can't be used.
 */
export function tryConnect(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.removeAllListeners("error");
      resolve(socket);
    });
    socket.once("error", (error) => {
      socket.destroy();
      const errno = errnoOf(error);
      // EAGAIN: the host's backlog is full for the moment. ECONNRESET: it was killed while we knocked.
      if (errno === "ENOENT" || errno === "ECONNREFUSED" || errno === "EAGAIN" || errno === "ECONNRESET") resolve(null);
      else
        reject(
          new ProctorError(
            "ERR_HOST_UNREACHABLE",
            `The session's socket ${path} can't be used (${errno ?? error.message}).`,
            { cause: error },
          ),
        );
    });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Whether this process is the one that starts the host now. */
function claimStart(file: string): boolean {
  const table = processTable();
  const self = table.identify(process.pid);
  try {
    if (self === null || nameProcess(file, self)) return true;
  } catch (error) {
    if (isDiskError(error)) return true; // the claim only saves work
    throw error;
  }
  const holder = namedProcess(file);
  if (holder === null || !table.isAlive(holder)) rmSync(file, { force: true });
  return false;
}

/**
 * Connects to the session's host; starts one where there is none and `start` allows it.
 *
 * @throws ProctorError `ERR_HOST_UNREACHABLE`, `ERR_HOST_DISK`; gives null without a host when `start` is false.
 */
export async function reachHost(place: SessionPlace, start: boolean): Promise<Socket | null> {
  const until = performance.now() + START_BOUND_MS;
  for (;;) {
    // Asked each time: a host that starts may choose another place.
    const socket = await tryConnect(socketPath(place.dir));
    if (socket !== null || !start) return socket;
    if (performance.now() > until) {
      throw new ProctorError(
        "ERR_HOST_UNREACHABLE",
        `No host of the session ${place.dir} answered within ${START_BOUND_MS / 1000} s; ${join(place.dir, "host.log")} may say why.`,
        {
          retryable: true,
        },
      );
    }
    const file = join(place.dir, "host.starting");
    if (claimStart(file)) {
      try {
        // Loaded only where there is none: most calls find their host.
        const { startHost } = await import("./host-spawn.ts");
        // Another may have served and gone between our look and our claim; the lock decides.
        await startHost(place);
        const started = await tryConnect(socketPath(place.dir));
        if (started !== null) return started;
        // Another serves, whose socket was removed: it makes a new one within a second.
        await pause(LOST_SOCKET_MS);
      } finally {
        rmSync(file, { force: true });
      }
      continue;
    }
    await pause(TRY_MS);
  }
}
