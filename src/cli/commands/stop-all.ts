/** `proctor stop-all`: stops every run of the session. */
import { DEFAULT_GRACE_MS } from "../../model/index.ts";
import { findSession, withClient } from "../../session/access.ts";
import type { Arguments } from "../command-spec.ts";
import { sessionDirOf } from "../session-access.ts";
import { writeError, writeJson, writeOut } from "../standard-output.ts";
import { stopText } from "../stop-text.ts";

/** Carries out `proctor stop-all`. */
export async function execute(args: Arguments): Promise<number> {
  const place = findSession(sessionDirOf(args));
  const request = { reason: args.text("reason"), graceMs: args.number("grace") ?? DEFAULT_GRACE_MS };
  const stopped = place === null ? [] : await withClient(place, (client) => client.stopAll(request));
  if (args.has("json")) await writeJson({ stopped });
  else if (stopped.length === 0) await writeError("Nothing runs.\n");
  else await writeOut(stopped.map(stopText).join(""));
  return stopped.every((report) => report.confirmed) ? 0 : 1;
}
