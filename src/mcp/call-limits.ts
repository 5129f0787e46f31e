/**
 * How long one call may take. Several clients give up on a call after 60 seconds without progress, so an
 * answer always comes before: as a promotion, or as "not yet".
 */
import { checkDurationMs, messageOf } from "../model/index.ts";

/** The longest that a call waits for a run, in milliseconds, when the client hears nothing meanwhile. */
export const MAX_CALL_MS = 55_000;
/** The longest that `runner_wait` waits when it was asked to and the client is told of progress. */
export const MAX_CALL_WITH_PROGRESS_MS = 300_000;

/** When a foreground command goes to the background: PROCTOR_PROMOTE_AFTER_MS where that is sooner than the bound. */
export function promoteAfter(env: NodeJS.ProcessEnv): { readonly ms: number; readonly notes: readonly string[] } {
  const given = env["PROCTOR_PROMOTE_AFTER_MS"];
  if (given === undefined || given === "") return { ms: MAX_CALL_MS, notes: [] };
  try {
    const ms = checkDurationMs(
      /^\d+$/.test(given.trim()) ? Number(given) : Number.NaN,
      given,
      "PROCTOR_PROMOTE_AFTER_MS",
      { zero: true },
    );
    return { ms: Math.min(ms, MAX_CALL_MS), notes: [] };
  } catch (error) {
    return { ms: MAX_CALL_MS, notes: [`Setting ignored: ${messageOf(error)}`] };
  }
}
