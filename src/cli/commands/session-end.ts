/** `proctor session end`: stops the runs of a session and removes its directory. */
import { DEFAULT_GRACE_MS } from "../../model/index.ts";
import { findSession, withClient } from "../../session/access.ts";
import type { Arguments } from "../command-spec.ts";
import { sessionDirOf } from "../session-access.ts";
import { writeError, writeJson, writeOut } from "../standard-output.ts";
import { stopText } from "../stop-text.ts";

/** Carries out `proctor session end`. */
export async function execute(args: Arguments): Promise<number> {
  const dir = args.operands[0] ?? sessionDirOf(args);
  const request = { reason: args.text("reason"), graceMs: args.number("grace") ?? DEFAULT_GRACE_MS };
  const place = findSession(dir);
  // A session that nobody serves gets a host for its end: only a host takes up what still runs.
  const report =
    place === null ? { ended: true, stopped: [] } : await withClient(place, (client) => client.end(request));
  if (args.has("json")) await writeJson(report);
  else {
    if (report.stopped.length > 0) await writeOut(report.stopped.map(stopText).join(""));
    await writeError(place === null ? `There is no session in ${dir}.\n` : `The session in ${dir} has ended.\n`);
  }
  return report.stopped.every((one) => one.confirmed) ? 0 : 1;
}
