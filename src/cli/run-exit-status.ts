/** The exit status of `proctor run` (contract: command line). */
import type { RunResult } from "../model/index.ts";
import { EXIT_REFUSED } from "./failure.ts";

/** What `timeout` of coreutils ends with, too. */
export const EXIT_TIMEOUT = 124;

/** The exit status that tells how `result` ended. */
export function runExitStatus(result: RunResult): number {
  if (result.promoted || result.state !== "ended") return 0;
  if (result.cause === "timeout") return EXIT_TIMEOUT;
  // Never 0 for a run that was ended before it was through, though its command may have left with 0 when told to.
  if (result.exitCode === null || (result.exitCode === 0 && result.cause !== "completed")) return EXIT_REFUSED;
  return result.exitCode;
}
