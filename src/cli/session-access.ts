/** The session that a call is about: which directory, who owns one that is made, and the connection to it. */
import { ProctorError, isProctorError } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";
import { processTable } from "../os/process-table.ts";
import {
  defaultSessionDir,
  detachedSessionDir,
  findDetached,
  findSession,
  openSession,
  withClient,
} from "../session/access.ts";
import type { DamagedSession, SessionClient, SessionPlace } from "../session/access.ts";
import type { Arguments } from "./command-spec.ts";
import { writeError } from "./standard-output.ts";

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

/** The session of the detached runs, seen from `dir`; one that can't be read is a fact, not the end of the call. */
export function readDetached(dir: string): {
  readonly detached: SessionPlace | null;
  readonly damaged: DamagedSession | null;
} {
  try {
    return { detached: findDetached(dir), damaged: null };
  } catch (error) {
    if (!(error instanceof ProctorError)) throw error;
    return { detached: null, damaged: { dir: detachedSessionDir(), problem: error.message } };
  }
}

/** Says on standard error which sessions can't be read, and what to do about them. */
export async function tellDamaged(damaged: readonly DamagedSession[]): Promise<void> {
  for (const { problem } of damaged) await writeError(`proctor: ${problem}\n`);
}

/**
 * Calls `use` with the session that holds the run that the first operand names.
 *
 * @throws ProctorError `ERR_INPUT_ID` when there is no session, and so no run.
 */
export async function withRun<T>(args: Arguments, use: (client: SessionClient, id: string) => Promise<T>): Promise<T> {
  const id = args.operands[0] ?? "";
  const dir = sessionDirOf(args);
  const { detached, damaged } = readDetached(dir);
  const place = findSession(dir) ?? detached;
  if (place === null) {
    // The run that is meant may be a detached one: what keeps us from looking is the answer then.
    if (damaged !== null) throw new ProctorError("ERR_SESSION_DIR", damaged.problem, { details: { dir: damaged.dir } });
    throw new ProctorError(
      "ERR_INPUT_ID",
      `There is no run "${id}": there is no session in ${dir}. "proctor sessions" shows where sessions are.`,
      {
        details: { id, session: dir },
      },
    );
  }
  // A detached run is found from everywhere; in the session of the call its own runs come first.
  if (detached !== null && detached !== place && !(await withClient(place, (client) => holds(client, id)))) {
    const isThere = await withClient(detached, (client) => holds(client, id));
    if (isThere) return withClient(detached, (client) => use(client, id));
  }
  if (damaged !== null && !(await withClient(place, (client) => holds(client, id)))) await tellDamaged([damaged]);
  return withClient(place, (client) => use(client, id));
}

async function holds(client: SessionClient, id: string): Promise<boolean> {
  try {
    await client.status(id);
    return true;
  } catch (error) {
    if (isProctorError(error) && error.code === "ERR_INPUT_ID") return false;
    throw error;
  }
}
