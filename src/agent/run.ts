/** `run`: an agent CLI under supervision, as one promise. */
import { ProctorError } from "../model/index.ts";
import { processTable } from "../os/index.ts";
import { SessionClient, defaultSessionDir, findSession, openSession } from "../session/access.ts";
import { AgentRun } from "./agent-run.ts";
import type { RunConfig } from "./config.ts";
import { ExitError } from "./exit-error.ts";
import type { AgentReport } from "./report.ts";
import { resolveSetup } from "./setup.ts";

/**
 * Runs an agent to its end. Resolves when it left with exit code 0 by itself; whether its turn succeeded is
 * `report.turn`.
 *
 * @throws ExitError after a start, for every other end.
 * @throws ProctorError before a start, naming the field: nothing was told then, and nothing runs.
 * @throws the signal's own reason when it was aborted already.
 */
export async function run(config: RunConfig): Promise<AgentReport> {
  const setup = await resolveSetup(config);
  let client: SessionClient | null = null;
  try {
    const dir = config.session ?? defaultSessionDir();
    client = new SessionClient(findSession(dir) ?? openSession(dir, null), { lease: null, start: true });
    await client.open();
    config.signal?.throwIfAborted();
    const owner = config.detached === true ? null : processTable().identify(process.pid);
    if (owner === null && config.detached !== true) {
      throw new ProctorError("ERR_BUG", "This process could not find itself in the process table.");
    }
    const report = await new AgentRun({ ...setup, api: client }, owner).run();
    if (report.exitCode === 0 && report.signal === null && report.cause === "") return report;
    throw new ExitError(report);
  } finally {
    client?.close();
    await setup.release();
  }
}
