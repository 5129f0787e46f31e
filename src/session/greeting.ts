/** The first words of a connection. A host that is there but says nothing is stopped: nobody waits for it for ever. */
import { ProctorError } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";
import { processTable } from "../os/process-table.ts";
import { PROTOCOL_VERSION } from "../protocol/index.ts";
import type { HelloAnswer, Peer } from "../protocol/index.ts";
import { currentHost } from "./host-lock.ts";
import type { SessionPlace } from "./session-dir.ts";

/** How long a host may take to answer the greeting, in milliseconds: long for a machine that is full, not for ever. */
const ANSWER_MS = 20_000;

function answerBoundMs(): number {
  const given = Number(process.env["PROCTOR_HOST_ANSWER_MS"] ?? "");
  return Number.isFinite(given) && given > 0 ? given : ANSWER_MS;
}

function silentHost(dir: string, boundMs: number): ProctorError {
  const host = currentHost(dir, processTable());
  const who = host === null ? "" : ` (pid ${host.pid})`;
  const cure = host === null ? "" : ` If it was stopped: kill -CONT ${host.pid}.`;
  return new ProctorError(
    "ERR_HOST_UNREACHABLE",
    `The host of the session ${dir}${who} has not answered for ${boundMs / 1000} s. What runs goes on without it.${cure}`,
    { retryable: true, details: { silent: true, pid: host?.pid ?? null } },
  );
}

/**
 * Greets the host at the other end.
 *
 * @throws ProctorError `ERR_HOST_UNREACHABLE` when it says nothing, with `details.silent`; `ERR_HOST_PROTOCOL` and
 *   `ERR_SESSION_OWNER` as the host does.
 */
export async function greet(peer: Peer, place: SessionPlace, lease: ProcessIdentity | null): Promise<HelloAnswer> {
  const boundMs = answerBoundMs();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(silentHost(place.dir, boundMs));
      peer.destroy();
    }, boundMs);
  });
  try {
    const hello = { protocol: PROTOCOL_VERSION, token: place.record.token, lease };
    return (await Promise.race([peer.request("hello", hello), silence])) as HelloAnswer;
  } finally {
    clearTimeout(timer);
  }
}
