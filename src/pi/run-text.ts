/** Runs in words and in short: for lists, messages, the panel, and Pi's record of a conversation. */
import { formatDuration } from "../model/index.ts";
import type { RunView, ScreenView } from "../model/index.ts";
import { outcomeLine, screenOf } from "../session/index.ts";
import { plainText } from "../text/index.ts";
import type { JsonValue } from "./pi-api.ts";

/** No longer command stands in a document. */
const MAX_COMMAND = 2048;

/** A document as JSON has it: without what is not defined. */
export function jsonOf(document: object): JsonValue {
  const value: JsonValue = JSON.parse(JSON.stringify(document));
  return value;
}

/** One line of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  const line = plainText(text.slice(0, 4 * max))
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= max && text.length <= 4 * max ? line : `${line.slice(0, max - 1)}…`.toWellFormed();
}

/** The run whose log there is to read: a sequence's is that of the stage that was started last. */
export function shownRun(view: RunView): RunView {
  return view.stages?.at(-1) ?? view;
}

function cut(command: string): string {
  return command.length <= MAX_COMMAND ? command : `${command.slice(0, MAX_COMMAND).toWellFormed()}…`;
}

/** The view of a run, without the parts of a result, with commands cut to what a document can carry. */
export function shortView(view: RunView): RunView {
  const {
    output: _o,
    truncated: _t,
    totalLines: _l,
    shownLines: _s,
    promoted: _p,
    ...rest
  } = view as RunView & {
    output?: string;
    truncated?: boolean;
    totalLines?: number;
    shownLines?: number;
    promoted?: boolean;
  };
  return {
    ...rest,
    command: cut(view.command),
    ...(view.commands === undefined ? {} : { commands: view.commands.map(cut) }),
    ...(view.stages === undefined ? {} : { stages: view.stages.map(shortView) }),
  };
}

/** The state of a run in a few words. */
function stateText(view: RunView): string {
  if (view.state === "ended") return outcomeLine(view);
  if (view.state === "queued") return `queued${view.queuePosition === null ? "" : ` (position ${view.queuePosition})`}`;
  return `${view.state}${view.durationMs === null ? "" : ` ${formatDuration(view.durationMs)}`}`;
}

/** A run in a list: its id, how it stands, what it is. */
export function listLine(view: RunView): string {
  const left = view.state === "ended" && view.leftovers.length > 0 ? `, ${view.leftovers.length} left running` : "";
  const name = view.name === null ? "" : `${oneLine(view.name, 40)}: `;
  return `${view.id}  ${stateText(view)}${left}  ${name}${oneLine(view.command, 100)}`;
}

/** A terminal's screen for a model: its rows, then one line on cursor and program. */
export function screenText(screen: ScreenView): string {
  const reads = { true: "It waits for input", false: "It does not read now", null: "It may wait for input" } as const;
  const { waiting, cursor } = screen;
  return [
    screen.text === "" ? "[the screen is empty]" : screen.text,
    `[${screen.columns} × ${screen.rows}, cursor at row ${cursor.row + 1}, column ${cursor.column + 1}. ${reads[`${waiting.reads}`]}: ${waiting.evidence.join("; ")}]`,
  ].join("\n");
}

/** How long a terminal must be silent before it is shown, how long that is waited for, and how often it is looked at; in milliseconds. */
const SETTLED_MS = 150;
const SETTLE_BOUND_MS = 1500;
const LOOK_MS = 30;

/** An interactive run and its screen, once its terminal is silent or it has ended. */
export async function settledScreen(
  status: (id: string) => Promise<RunView>,
  id: string,
): Promise<{ readonly run: RunView; readonly screen: ScreenView }> {
  const until = performance.now() + SETTLE_BOUND_MS;
  let bytes = -1;
  let since = performance.now();
  for (;;) {
    const run = await status(id);
    const now = performance.now();
    if (run.log.bytes !== bytes) {
      bytes = run.log.bytes;
      since = now;
    }
    if (run.state === "ended" || now > until || (bytes > 0 && now - since >= SETTLED_MS))
      return { run, screen: await screenOf(run) };
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
