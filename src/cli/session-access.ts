/** The session that a call is about: which directory, who owns one that is made, and the connection to it. */
import { ProctorError } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";
import { processTable } from "../os/process-table.ts";
import { SessionClient, defaultSessionDir, findSession, openSession } from "../session/access.ts";
import type { SessionPlace } from "../session/access.ts";
import type { Arguments } from "./command-spec.ts";

/** The directory of the session that is meant. */
export function sessionDirOf(args: Arguments): string {
  return args.text("session") ?? defaultSessionDir();
}

/** Whether the caller said which session, instead of taking the default one. */
export function isSessionGiven(args: Arguments): boolean {
  return args.has("session") || (process.env["PROCTOR_SESSION_DIR"] ?? "") !== "";
}

/** The process that PROCTOR_OWNER_PID names, by identity; null when it names none. */
function ownerFromEnvironment(): ProcessIdentity | null {
  const given = process.env["PROCTOR_OWNER_PID"];
  if (given === undefined || given === "") return null;
  const owner = /^[1-9]\d{0,9}$/.test(given) ? processTable().identify(Number(given)) : null;
  if (owner === null) {
    throw new ProctorError(
      "ERR_SESSION_OWNER",
      `PROCTOR_OWNER_PID: "${given}" is no living process. Accepted: the pid of the process that the session shall live for.`,
      {
        details: { value: given },
      },
    );
  }
  return owner;
}

/**
 * The session that is meant; made when it is not there.
 *
 * @throws ProctorError `ERR_SESSION_DIR`, `ERR_SESSION_OWNER`, `ERR_HOST_DISK`.
 */
export function openSessionOf(args: Arguments): SessionPlace {
  const dir = sessionDirOf(args);
  return findSession(dir) ?? openSession(dir, ownerFromEnvironment());
}

/** Calls `use` with a connection to the session, and lets go of it. */
export async function withClient<T>(place: SessionPlace, use: (client: SessionClient) => Promise<T>): Promise<T> {
  const client = new SessionClient(place, { lease: null, start: true });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/**
 * Calls `use` with the session that holds the run that the first operand names.
 *
 * @throws ProctorError `ERR_INPUT_ID` when there is no session, and so no run.
 */
export async function withRun<T>(args: Arguments, use: (client: SessionClient, id: string) => Promise<T>): Promise<T> {
  const id = args.operands[0] ?? "";
  const dir = sessionDirOf(args);
  const place = findSession(dir);
  if (place === null) {
    throw new ProctorError(
      "ERR_INPUT_ID",
      `There is no run "${id}": there is no session in ${dir}. "proctor sessions" shows where sessions are.`,
      {
        details: { id, session: dir },
      },
    );
  }
  return withClient(place, (client) => use(client, id));
}
