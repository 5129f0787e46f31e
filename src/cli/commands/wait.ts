/** `proctor wait`: one blocking call instead of many looks. */
import { ProctorError } from "../../model/index.ts";
import { compilePattern, waitFor, waitForRuns } from "../../session/index.ts";
import type { WaitOptions } from "../../session/index.ts";
import type { Arguments } from "../command-spec.ts";
import { EXIT_TIMEOUT } from "../run-exit-status.ts";
import { withRun } from "../session-access.ts";
import { writeJson, writeOut } from "../standard-output.ts";
import { statusText } from "./status.ts";

/** It can no longer come true. */
const EXIT_OVER = 1;

/** Carries out `proctor wait`. */
export async function execute(args: Arguments): Promise<number> {
  const options = waitOptions(args);
  return withRun(args, async (session, id) => {
    if (args.operands.length === 1) {
      const { matched, over, run } = await waitFor(session, id, options);
      if (args.has("json")) await writeJson(run);
      else await writeOut(statusText(run));
      return matched ? 0 : over ? EXIT_OVER : EXIT_TIMEOUT;
    }
    const { matched, over, runs } = await waitForRuns(session, args.operands, args.has("any") ? "any" : "all", options);
    if (args.has("json")) await writeJson({ matched, runs });
    else await writeOut(runs.map(statusText).join("\n"));
    return matched ? 0 : over ? EXIT_OVER : EXIT_TIMEOUT;
  });
}

function waitOptions(args: Arguments): WaitOptions {
  const timeoutMs = args.number("timeout");
  const match = args.text("match");
  const port = args.number("port");
  const quietMs = args.number("quiet");
  if ([match, port, quietMs].filter((condition) => condition !== null).length > 1) {
    throw new ProctorError("ERR_INPUT_USAGE", "--match, --port and --quiet exclude each other. Accepted: one of them.");
  }
  if (match !== null) compilePattern(match, "--match");
  return {
    ...(timeoutMs === null ? {} : { timeoutMs }),
    ...(match === null ? {} : { match }),
    ...(port === null ? {} : { port }),
    ...(quietMs === null ? {} : { quietMs }),
  };
}
