/**
 * Waiting for what a caller cares about: the end of runs, a line of a log, a port, or silence. Every form
 * reads logs as `logs --follow` does, and says at once when it can no longer come true.
 */
import { ProctorError } from "../model/index.ts";
import type { RunView, SessionApi } from "../model/index.ts";
import { followLog, waitForLine } from "./log-reader.ts";
import { compilePattern } from "./pattern-search.ts";
import { waitForPort } from "./port-watch.ts";
import { stagesFrom } from "./stages.ts";

/** What is waited for, and for how long. At most one of `match`, `port` and `quietMs`; none waits for the end. */
export interface WaitOptions {
  /** Milliseconds; absent for as long as it takes. */
  readonly timeoutMs?: number;
  /** A regular expression: the wait is for a line that matches it. */
  readonly match?: string;
  /** A TCP port: the wait is for a process of the run that listens on it. */
  readonly port?: number;
  /** Milliseconds without a byte of output. */
  readonly quietMs?: number;
  /** Aborting ends the wait; the run goes on. */
  readonly signal?: AbortSignal;
}

/** What a wait came to. */
export interface WaitOutcome {
  /** It came true. */
  readonly matched: boolean;
  /** The run has ended: nothing more can come true. */
  readonly over: boolean;
  /** The line that matched. */
  readonly line: string | null;
  readonly run: RunView;
}

/** What a wait for several runs came to. */
export interface WaitManyOutcome {
  /** It came true, of one run or of all. */
  readonly matched: boolean;
  /** It can no longer come true. */
  readonly over: boolean;
  /** The runs as they are then, in the order of the ids. */
  readonly runs: readonly RunView[];
}

/**
 * Waits for one run; says at once when it can no longer come true.
 *
 * @throws ProctorError `ERR_INPUT_ID`, `ERR_INPUT_PATTERN`, `ERR_INPUT_USAGE` for more than one condition.
 */
export async function waitFor(api: SessionApi, id: string, options: WaitOptions): Promise<WaitOutcome> {
  const { match, port, quietMs } = options;
  if ([match, port, quietMs].filter((condition) => condition !== undefined).length > 1) {
    throw new ProctorError(
      "ERR_INPUT_USAGE",
      "match, port and quiet exclude each other. Accepted: one of them, or none for the end.",
    );
  }
  const pattern = match === undefined ? null : compilePattern(match, "match");
  const timeoutMs = options.timeoutMs ?? null;
  const abort = new AbortController();
  const giveUp = (): void => abort.abort();
  const timer = timeoutMs === null ? null : setTimeout(giveUp, Math.min(timeoutMs, MAX_TIMER_MS));
  if (options.signal?.aborted === true) giveUp();
  else options.signal?.addEventListener("abort", giveUp, { once: true });
  try {
    if (port !== undefined) return { line: null, ...(await waitForPort(api, id, port, abort.signal)) };
    if (quietMs !== undefined) return await waitForQuiet(api, id, quietMs, abort.signal);
    if (pattern === null) return await waitForEnd(api, id, timeoutMs, abort.signal);
    const view = await api.status(id);
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

/** setTimeout(3) of Node fires at once above this; a wait of more than three weeks may end early. */
const MAX_TIMER_MS = 2 ** 31 - 1;

async function waitForEnd(
  api: SessionApi,
  id: string,
  timeoutMs: number | null,
  signal: AbortSignal,
): Promise<WaitOutcome> {
  const asked = api.wait({ id, timeoutMs });
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted && timeoutMs !== 0) resolve(null);
    // The host's own timer tells the end of the time, so that a run that ends with it has ended.
    else if (timeoutMs === null) signal.addEventListener("abort", () => resolve(null), { once: true });
    else signal.addEventListener("abort", () => setTimeout(resolve, ABORT_GRACE_MS, null), { once: true });
  });
  asked.catch(() => undefined); // a wait that was given up may still fail
  const answer = await Promise.race([asked, aborted]);
  if (answer === null) return { matched: false, over: false, line: null, run: await api.status(id) };
  const matched = answer.outcome === "ended";
  return { matched, over: matched, line: null, run: answer.run };
}

/** How long a host's answer may lag behind our own clock, in milliseconds. */
const ABORT_GRACE_MS = 1000;

/** Waits until nothing was printed for a while; the end of the run means that it can't be quiet any more. */
async function waitForQuiet(api: SessionApi, id: string, quietMs: number, signal: AbortSignal): Promise<WaitOutcome> {
  const view = await api.status(id);
  const stop = new AbortController();
  let isQuiet = false;
  const giveUp = (): void => stop.abort();
  const timer = setTimeout(() => {
    isQuiet = true;
    giveUp();
  }, quietMs);
  if (signal.aborted) giveUp();
  else signal.addEventListener("abort", giveUp, { once: true });
  try {
    const first = Math.max(0, (view.stages?.length ?? 1) - 1);
    let from = view.log.bytes;
    for await (const stage of stagesFrom(api, view, first, stop.signal)) {
      const until = api.wait({ id: stage.id, timeoutMs: null });
      until.catch(() => undefined); // given up with the session's connection
      for await (const chunk of followLog(stage.log.path, { from, until, signal: stop.signal })) {
        if (chunk.length > 0) timer.refresh();
      }
      from = 0;
      if (stop.signal.aborted) break;
    }
    const run = await api.status(id);
    return { matched: isQuiet, over: !isQuiet && run.state === "ended", line: null, run };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

/**
 * Waits for several runs: until it came true of any of them, or of all. Waiting for any is over when it can
 * come true of none; waiting for all, as soon as it can't of one.
 *
 * @throws ProctorError as `waitFor`.
 */
export async function waitForRuns(
  api: SessionApi,
  ids: readonly string[],
  mode: "any" | "all",
  options: WaitOptions,
): Promise<WaitManyOutcome> {
  const abort = new AbortController();
  const giveUp = (): void => abort.abort();
  if (options.signal?.aborted === true) giveUp();
  else options.signal?.addEventListener("abort", giveUp, { once: true });
  try {
    const outcomes: (WaitOutcome | null)[] = ids.map(() => null);
    await new Promise<void>((resolve, reject) => {
      ids.forEach((id, i) => {
        waitFor(api, id, { ...options, signal: abort.signal }).then((outcome) => {
          outcomes[i] = outcome;
          const isDecided = mode === "any" ? outcome.matched : !outcome.matched;
          if (isDecided || outcomes.every((one) => one !== null)) resolve();
        }, reject);
      });
    });
    giveUp();
    const known = outcomes.filter((outcome) => outcome !== null);
    const matched =
      mode === "any"
        ? known.some((one) => one.matched)
        : known.length === ids.length && known.every((one) => one.matched);
    const isOver = (one: WaitOutcome): boolean => one.over && !one.matched;
    const over = !matched && (mode === "any" ? known.length === ids.length && known.every(isOver) : known.some(isOver));
    const runs = await Promise.all(ids.map(async (id, i) => outcomes[i]?.run ?? api.status(id)));
    return { matched, over, runs };
  } finally {
    options.signal?.removeEventListener("abort", giveUp);
    giveUp();
  }
}
