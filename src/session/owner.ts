/** Who a session lives for: the process that opens it, by identity. */
import { ProctorError } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";
import { processTable } from "../os/process-table.ts";

/**
 * This process, by identity: the owner of what it opens.
 *
 * @throws ProctorError `ERR_BUG` when the process table does not hold it.
 */
export function thisProcess(): ProcessIdentity {
  const self = processTable().identify(process.pid);
  if (self === null) throw new ProctorError("ERR_BUG", "This process could not find itself in the process table.");
  return self;
}

/**
 * This process, when it runs inside a run: a heavy command that it starts may already have its slot. The
 * variable only says that the question is worth asking; the host looks at the process itself.
 */
export function callerInRun(env: NodeJS.ProcessEnv): ProcessIdentity | null {
  return env["PROCTOR_RUN_ID"] === undefined ? null : processTable().identify(process.pid);
}
