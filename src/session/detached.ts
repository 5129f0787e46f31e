/**
 * Detached runs: those that outlive the session they were started from, on purpose. They live in a session
 * of their own that has no owner, and are seen, read and stopped from every other session.
 */
import { ProctorError, isProctorError } from "../model/index.ts";
import type { RunView, SessionApi } from "../model/index.ts";
import { SessionClient } from "./session-client.ts";
import { detachedSessionDir, findSession, openSession } from "./session-dir.ts";
import type { SessionPlace } from "./session-dir.ts";

/** How long a detached run lives where no limit was given, in milliseconds. */
export const DETACHED_LIMIT_MS: number = 24 * 60 * 60_000;

/** Whether a run ends with its session, or lives until it is stopped or its limit is over. */
export type Lifetime = "session" | "detached";

/**
 * Reads a lifetime that a caller gave; none is "session".
 *
 * @throws ProctorError `ERR_INPUT_USAGE` for anything that is none.
 */
export function parseLifetime(given: string | null, field: string): Lifetime {
  if (given === null || given === "session") return "session";
  if (given === "detached") return "detached";
  throw new ProctorError("ERR_INPUT_USAGE", `${field}: "${given}" is none. Accepted: session, detached.`, {
    details: { field, value: given },
  });
}

/** The session that detached runs live in, if there is one and it is not the one in `dir`. */
export function findDetached(dir: string): SessionPlace | null {
  const path = detachedSessionDir();
  return path === dir ? null : findSession(path);
}

/** Calls `use` with a connection to a session, which is made for this call alone, and lets go of it. */
export async function withClient<T>(place: SessionPlace, use: (client: SessionClient) => Promise<T>): Promise<T> {
  const client = new SessionClient(place, { lease: null, start: true });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/** Calls `use` with the session that detached runs live in; made when it is not there. */
export async function withDetached<T>(use: (client: SessionClient) => Promise<T>): Promise<T> {
  return withClient(openSession(detachedSessionDir(), null), use);
}

/**
 * A session that lists detached runs with its own, and finds them by their ids; its own come first. What is
 * of a whole session (its end, stopping all, open work, events) is of its own runs alone. When the session of
 * the detached runs can't be read, the own ones are listed all the same, and `report` is told why.
 */
export function reachingDetached(api: SessionApi, report: (error: ProctorError) => void): SessionApi {
  const find = async <T>(ask: (session: SessionApi) => Promise<T>): Promise<T> => {
    try {
      return await ask(api);
    } catch (error) {
      const place = isUnknownId(error) ? findDetached(api.dir) : null;
      if (place === null) throw error;
      return withClient(place, (client) =>
        ask(client).catch((second: unknown) => {
          throw isUnknownId(second) ? error : second;
        }),
      );
    }
  };
  return {
    id: api.id,
    dir: api.dir,
    start: (request) => api.start(request),
    list: async () => [...(await api.list()), ...(await detachedRuns(api.dir, report))],
    status: (id) => find((session) => session.status(id)),
    wait: (request) => find((session) => session.wait(request)),
    stop: (id, request) => find((session) => session.stop(id, request)),
    stopAll: (request) => api.stopAll(request),
    interrupt: (id) => find((session) => session.interrupt(id)),
    input: (request) => find((session) => session.input(request)),
    resize: (request) => find((session) => session.resize(request)),
    onChange: (listener) => api.onChange(listener),
    onQueueChange: (listener) => api.onQueueChange(listener),
    watch: (id) => api.watch(id),
    openWork: () => api.openWork(),
    acknowledge: (ids) => api.acknowledge(ids),
    collect: (dryRun) => api.collect(dryRun),
    end: (request) => api.end(request),
  };
}

function isUnknownId(error: unknown): boolean {
  return isProctorError(error) && error.code === "ERR_INPUT_ID";
}

async function detachedRuns(dir: string, report: (error: ProctorError) => void): Promise<readonly RunView[]> {
  let place: SessionPlace | null;
  try {
    place = findDetached(dir);
  } catch (error) {
    if (!(error instanceof ProctorError)) throw error;
    report(error);
    return [];
  }
  return place === null ? [] : withClient(place, (client) => client.list());
}
