/** `proctor wait`: one blocking call instead of many looks. */
import { ProctorError } from "../../model/index.ts";
import { compilePattern, waitFor } from "../../session/index.ts";
import type { Arguments } from "../command-spec.ts";
import { waitForPort } from "../port-watch.ts";
import { EXIT_TIMEOUT } from "../run-exit-status.ts";
import { withRun } from "../session-access.ts";
import { writeJson, writeOut } from "../standard-output.ts";
import { statusText } from "./status.ts";

/** It can no longer come true. */
const EXIT_OVER = 1;

/** Carries out `proctor wait`. */
export async function execute(args: Arguments): Promise<number> {
  const timeoutMs = args.number("timeout");
  const match = args.text("match");
  const port = args.number("port");
  if (match !== null && port !== null)
    throw new ProctorError("ERR_INPUT_USAGE", "--match and --port exclude each other. Accepted: one of them.");
  if (match !== null) compilePattern(match, "--match");
  return withRun(args, async (session, id) => {
    const { matched, over, run } =
      port === null
        ? await waitFor(session, id, {
            ...(timeoutMs === null ? {} : { timeoutMs }),
            ...(match === null ? {} : { match }),
          })
        : await waitForPort(session, id, port, timeoutMs);
    if (args.has("json")) await writeJson(run);
    else await writeOut(statusText(run));
    return matched ? 0 : over ? EXIT_OVER : EXIT_TIMEOUT;
  });
}
