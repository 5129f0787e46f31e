/**
 * What an agent's shell does with one call: starts the commands, waits until they end or the threshold is
 * reached, and answers with an excerpt. Promotion moves no process; it changes who is waiting.
 */
import { DEFAULT_GRACE_MS, errnoOf, formatDuration, formatSize, messageOf } from "../model/index.ts";
import type { RunResult, RunView, SessionApi, StartRequest } from "../model/index.ts";
import type { Excerpt } from "../excerpt/index.ts";
import { sandboxDenials } from "../sandbox/index.ts";
import { callSettings } from "./call-settings.ts";
import type { CallSettings } from "./call-settings.ts";
import { openLog } from "./log-source.ts";
import type { LogSource } from "./log-source.ts";
import { renderedText } from "./screen.ts";
import { shownExcerpt } from "./shown-excerpt.ts";

/** How the caller waits. */
export interface WaitingOptions {
  /** Answer at once, with the id. */
  readonly background: boolean;
  /** Foreground to background after this time; null: never. */
  readonly promoteAfterMs: number | null;
  /** Aborting stops the run while it is in the foreground. */
  readonly signal?: AbortSignal;
  /** When it goes on in the background, its completion is to be handed over: it is open work of the session. */
  readonly watch?: boolean;
  /** Called once the run is on record. */
  readonly onStarted?: (run: RunView) => void;
  /** The settings of the call, whose notes come with the result. Default: resolved by this process's environment. */
  readonly settings?: CallSettings;
}

/** The run whose log a result shows: a sequence's is that of the last stage that was tried. */
function shownRun(view: RunView): RunView {
  return view.stages?.at(-1) ?? view;
}

/** An excerpt of nothing: for a log that was never made, or is gone. */
const NOTHING: Excerpt = {
  text: "",
  truncated: false,
  totalBytes: 0,
  totalLines: 0,
  shownLines: 0,
  tokens: 0,
  ranges: [],
  unread: null,
};

/** A text as what an excerpt is made of. */
function textSource(text: string): LogSource {
  const bytes = Buffer.from(text, "utf8");
  return {
    size: async () => bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    close: async () => undefined,
  };
}

/** The excerpt of a run's log as it is now, and what prevented one. */
async function excerptOf(
  view: RunView,
  settings: CallSettings,
): Promise<{ excerpt: Excerpt; notes: readonly string[] }> {
  const shown = shownRun(view);
  try {
    const source = shown.interactive
      ? textSource((await renderedText(shown.log.path)).text)
      : await openLog(shown.log.path);
    try {
      return await shownExcerpt(
        {
          source,
          command: shown.command,
          exitCode: view.exitCode,
          endedByItself: view.cause === "completed",
          isRunning: view.state !== "ended",
        },
        settings,
      );
    } finally {
      await source.close();
    }
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { excerpt: NOTHING, notes: [] };
    return { excerpt: NOTHING, notes: [`The log could not be read for an excerpt: ${messageOf(error)}`] };
  }
}

/** What a sandboxed command ran into, so that nobody looks for a broken disk where there was a policy. */
function denialNotes(view: RunView, text: string): readonly string[] {
  if (view.sandbox === undefined || view.exitCode === 0) return [];
  const { name, network } = view.sandbox;
  return sandboxDenials(text, view.sandbox, process.platform === "darwin").map(({ what, line }) =>
    what === "write"
      ? `The sandbox "${name}" refused a write: ${line}`
      : `The sandbox "${name}" refused the network (network: ${typeof network === "string" ? network : "some domains"}): ${line}`,
  );
}

/** The settings that a run which was started by another call is shown by. */
function settingsOf(view: RunView, env: NodeJS.ProcessEnv): CallSettings {
  return callSettings(view.commands ?? [view.command], { env, cwd: view.cwd });
}

/** A view turned into the answer of a call, by the settings of the call. */
export async function resultOf(
  view: RunView,
  promoted: boolean,
  settings: CallSettings = settingsOf(view, process.env),
): Promise<RunResult> {
  const { excerpt: chosen, notes } = await excerptOf(view, settings);
  const shown = shownRun(view);
  // Whoever has read the whole log knows its lines: newer than what the host counted.
  const log =
    !shown.interactive && shown.log.bytes <= chosen.totalBytes
      ? { ...view.log, bytes: chosen.totalBytes, lines: chosen.totalLines }
      : view.log;
  return {
    ...view,
    log,
    notes: [...new Set([...view.notes, ...settings.notes, ...notes, ...denialNotes(view, chosen.text)])],
    promoted,
    output: chosen.text,
    truncated: chosen.truncated,
    totalLines: chosen.totalLines,
    shownLines: chosen.shownLines,
  };
}

/** How often a sequence is asked whether its interactive stage has started, in milliseconds. */
const START_LOOK_MS = 20;

/** Waits until the interactive stage, the last one, has started: its view is the answer. What ends before it answers as ever. */
async function startedResult(
  session: SessionApi,
  first: RunView,
  options: WaitingOptions,
  settings: CallSettings,
): Promise<RunResult> {
  const until = options.promoteAfterMs === null ? Number.POSITIVE_INFINITY : performance.now() + options.promoteAfterMs;
  for (let view = first; ; view = await session.status(first.id)) {
    const stage = view.kind === "run" ? view : view.stages?.find((one) => one.interactive);
    if (stage !== undefined && (stage.startedAt !== null || stage.state === "ended"))
      return resultOf(stage, stage.state !== "ended", settings);
    if (view.state === "ended") return resultOf(view, false, settings);
    if (options.signal?.aborted === true) {
      await session.stop(first.id, { reason: "the call was cancelled", graceMs: DEFAULT_GRACE_MS });
      continue;
    }
    if (performance.now() > until) {
      const note = "The stages before the interactive one take longer; its id will stand in the sequence's stages.";
      return resultOf(view, true, { ...settings, notes: [...settings.notes, note] });
    }
    await new Promise((resolve) => setTimeout(resolve, START_LOOK_MS));
  }
}

/** Runs commands in a session and answers as the agent's shell does. */
export async function runCommand(
  session: SessionApi,
  request: StartRequest,
  options: WaitingOptions,
): Promise<RunResult> {
  const settings = options.settings ?? callSettings(request.commands, { env: process.env, cwd: request.cwd });
  const started = await session.start(request);
  options.onStarted?.(started);
  const result = async (view: RunView, promoted: boolean): Promise<RunResult> => {
    if (promoted && options.watch === true) await session.watch(view.id);
    return resultOf(view, promoted, settings);
  };
  if (options.background || options.promoteAfterMs === 0) return result(started, started.state !== "ended");
  if (request.interactive) return startedResult(session, started, options, settings);
  const { signal } = options;
  const stops: Promise<unknown>[] = [];
  const abort = (): void => {
    const stop = session.stop(started.id, { reason: "the call was cancelled", graceMs: DEFAULT_GRACE_MS });
    stop.catch(() => undefined); // the wait below tells what came of it
    stops.push(stop);
  };
  if (signal?.aborted === true) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  try {
    let answer = await session.wait({ id: started.id, timeoutMs: options.promoteAfterMs });
    if (stops.length > 0) {
      await Promise.all(stops);
      answer = await session.wait({ id: started.id, timeoutMs: null });
    }
    return await result(answer.run, answer.outcome === "timeout");
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** How a run ended, or that it has not, in one line. */
export function outcomeLine(view: RunView): string {
  const shown = shownRun(view);
  if (view.state !== "ended") {
    const since = view.durationMs === null ? "" : ` after ${formatDuration(view.durationMs)}`;
    return `Still ${view.state}${since}: id ${view.id}`;
  }
  const stage =
    view.stages === undefined || view.commands === undefined
      ? ""
      : ` (stage ${view.stages.length} of ${view.commands.length})`;
  const time = view.durationMs === null ? "" : ` after ${formatDuration(view.durationMs)}`;
  const status =
    shown.exitCode === null
      ? "No exit status"
      : shown.signal === null
        ? `Exit status ${shown.exitCode}`
        : `Exit status ${shown.exitCode}, killed by ${shown.signal}`;
  const cause = view.cause === "completed" || view.cause === null ? "" : `, ${view.cause}`;
  return `${status}${cause}${time}${stage}`;
}

/** Where the whole log is: the last line of every answer. */
export function logLine(view: RunView): string {
  const { path, bytes, lines } = shownRun(view).log;
  return `Full log: ${path} (${formatSize(bytes)}, ${lines.toLocaleString("en-US")} ${lines === 1 ? "line" : "lines"})`;
}

/** How many leftovers an answer names: a command may leave thousands, and an answer has a bound. */
const MAX_NAMED = 5;

/** Notes that help nobody after a success: what the command did not get, and a helper that was not used. */
const FOR_FAILURES = /^(?:Withheld from the command|rtk )/;

/** The answer as a model or a person reads it: the excerpt, what there is to know, the exit status, the log. */
export function resultText(result: RunResult): string {
  const parts: string[] = [];
  if (result.output !== "") parts.push(result.output.replace(/\n$/, ""));
  const facts: string[] = [];
  if (result.message !== null) facts.push(result.message);
  if (result.leftovers.length > 0) {
    const named = result.leftovers.slice(0, MAX_NAMED).map((l) => `${l.pid} ${l.command}`);
    const more = result.leftovers.length - named.length;
    facts.push(`Still running from this command: ${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`);
  }
  const isSuccess = result.exitCode === 0 && result.cause === "completed";
  facts.push(...result.notes.filter((note) => !isSuccess || !FOR_FAILURES.test(note)));
  facts.push(outcomeLine(result));
  facts.push(logLine({ ...result, ...(result.stages === undefined ? {} : { stages: result.stages }) }));
  parts.push(facts.join("\n"));
  return parts.join("\n");
}
