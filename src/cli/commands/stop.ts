/** `proctor stop`: ends a run with everything that it started. */
import { DEFAULT_GRACE_MS } from "../../model/index.ts";
import type { Arguments } from "../command-spec.ts";
import { withRun } from "../session-access.ts";
import { writeJson, writeOut } from "../standard-output.ts";
import { stopText } from "../stop-text.ts";

/** Carries out `proctor stop`. */
export async function execute(args: Arguments): Promise<number> {
  const report = await withRun(args, (client, id) =>
    client.stop(id, { reason: args.text("reason"), graceMs: args.number("grace") ?? DEFAULT_GRACE_MS }),
  );
  if (args.has("json")) await writeJson(report);
  else await writeOut(stopText(report));
  return report.confirmed ? 0 : 1;
}
