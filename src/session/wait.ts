/** Waiting for what a caller cares about: the end of a run, or a line of its log. */
import type { RunView, SessionApi } from "../model/index.ts";
import { waitForLine } from "./log-reader.ts";
import { compilePattern } from "./pattern-search.ts";
import { stagesFrom } from "./stages.ts";

/** What is waited for, and for how long. */
export interface WaitOptions {
  /** Milliseconds; absent for as long as it takes. */
  readonly timeoutMs?: number;
  /** A regular expression: the wait is for a line that matches it. */
  readonly match?: string;
  /** Aborting ends a wait for a line; the run goes on. */
  readonly signal?: AbortSignal;
}

/** What a wait came to. */
export interface WaitOutcome {
  /** It came true: the run ended, or a line matched. */
  readonly matched: boolean;
  /** The run has ended: nothing more can come true. */
  readonly over: boolean;
  /** The line that matched. */
  readonly line: string | null;
  readonly run: RunView;
}

/**
 * Waits for a run's end, or for a line of its log; says at once when it can no longer come true.
 *
 * @throws ProctorError `ERR_INPUT_ID`, `ERR_INPUT_PATTERN`.
 */
export async function waitFor(api: SessionApi, id: string, options: WaitOptions): Promise<WaitOutcome> {
  const timeoutMs = options.timeoutMs ?? null;
  if (options.match === undefined) {
    const { outcome, run } = await api.wait({ id, timeoutMs });
    return { matched: outcome === "ended", over: outcome === "ended", line: null, run };
  }
  const pattern = compilePattern(options.match, "match");
  const view = await api.status(id);
  const abort = new AbortController();
  const giveUp = (): void => abort.abort();
  const timer = timeoutMs === null ? null : setTimeout(giveUp, timeoutMs);
  if (options.signal?.aborted === true) giveUp();
  else options.signal?.addEventListener("abort", giveUp, { once: true });
  try {
    let line: string | null = null;
    // A sequence has a log for each stage: the line may be in one that ended long ago, or has yet to start.
    for await (const stage of stagesFrom(api, view, 0, abort.signal)) {
      line = await waitForLine(stage.log.path, pattern, {
        from: 0,
        until: api.wait({ id: stage.id, timeoutMs }),
        signal: abort.signal,
      });
      if (line !== null || abort.signal.aborted) break;
    }
    const run = await api.status(id);
    return { matched: line !== null, over: line === null && run.state === "ended", line, run };
  } finally {
    if (timer !== null) clearTimeout(timer);
    options.signal?.removeEventListener("abort", giveUp);
    abort.abort();
  }
}
