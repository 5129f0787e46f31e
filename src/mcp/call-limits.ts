/**
 * How long one call may take. Several clients give up on a call after 60 seconds without progress, so an
 * answer always comes before: as a promotion, or as "not yet".
 */

/** The longest that a call waits for a run, in milliseconds, when the client hears nothing meanwhile. */
export const MAX_CALL_MS = 55_000;
/** The longest that `runner_wait` waits when it was asked to and the client is told of progress. */
export const MAX_CALL_WITH_PROGRESS_MS = 300_000;
