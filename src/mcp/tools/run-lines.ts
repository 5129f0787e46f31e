/** Lines about runs that several tools say. */
import { formatDuration } from "../../model/index.ts";
import type { ProcessView, RunView, SessionApi } from "../../model/index.ts";
import { lastLineOf, outcomeLine } from "../../session/index.ts";
import { plainText } from "../../text/index.ts";

const MAX_LINE = 200;
const MAX_PROCESSES = 5;

/** One line of at most `max` characters. */
export function oneLine(text: string, max: number = MAX_LINE): string {
  const line = plainText(text.length > 4 * max ? text.slice(0, 4 * max) : text)
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= max && text.length <= 4 * max ? line : `${line.slice(0, max - 1)}…`.toWellFormed();
}

/** The run whose log there is to read: a sequence's is that of the stage that was started last. */
export function shownRun(view: RunView): RunView {
  return view.stages?.at(-1) ?? view;
}

/** The last line of a run's log that says something, with secrets masked, or "". */
export async function lastLine(view: RunView, env: NodeJS.ProcessEnv): Promise<string> {
  return oneLine(await lastLineOf(view, env));
}

/** How a run that goes on stands, in one line: where it is, and what it said last. */
export async function liveLine(session: SessionApi, id: string, env: NodeJS.ProcessEnv): Promise<string> {
  const view = await session.status(id);
  if (view.queuePosition !== null) return `queued, position ${view.queuePosition}`;
  const stage =
    view.stages === undefined || view.commands === undefined
      ? ""
      : `stage ${view.stages.length} of ${view.commands.length}`;
  const line = await lastLine(view, env);
  return stage !== "" && line !== "" ? `${stage}, ${line}` : `${stage}${line}`;
}

/** Processes in one line, the first few by name. */
export function processLine(processes: readonly ProcessView[]): string {
  const named = processes.slice(0, MAX_PROCESSES).map((p) => `${p.pid} ${oneLine(p.command, 80)}`);
  const more = processes.length - named.length;
  return more > 0 ? `${named.join("; ")}; and ${more} more` : named.join("; ");
}

/** A run in a list: its id, how it stands, what it is. */
export function listLine(view: RunView): string {
  const time = view.durationMs === null ? "" : ` ${formatDuration(view.durationMs)}`;
  const state =
    view.state === "queued"
      ? `queued${view.queuePosition === null ? "" : ` (position ${view.queuePosition})`}`
      : view.state === "ended"
        ? outcomeLine(view)
        : `${view.state}${time}`;
  const left =
    view.state === "ended" && view.leftovers.length > 0 ? `, ${view.leftovers.length} processes still running` : "";
  return `${view.id}  ${state}${left}  ${view.name === null ? "" : `${oneLine(view.name, 40)}: `}${oneLine(view.command, 100)}`;
}
