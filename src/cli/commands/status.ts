/** `proctor status`: one run in full. */
import { formatDuration, formatSize } from "../../model/index.ts";
import type { RunView } from "../../model/index.ts";
import type { Arguments } from "../command-spec.ts";
import { oneLine } from "../one-line.ts";
import { runTable, stateText } from "../run-table.ts";
import { screenText } from "../screen-text.ts";
import { withRun } from "../session-access.ts";
import { outputWidth, wantsColor, writeJson, writeOut } from "../standard-output.ts";

/** Carries out `proctor status`. */
export async function execute(args: Arguments): Promise<number> {
  const run = await withScreen(await withRun(args, (client, id) => client.status(id)));
  if (args.has("json")) await writeJson(run);
  else await writeOut(statusText(run));
  return 0;
}

/** The run with what its terminal shows; the parts that play a log out are loaded only for a run that has one. */
async function withScreen(run: RunView): Promise<RunView> {
  if (!run.interactive || (run.kind === "sequence" && run.stages?.some((one) => one.interactive) !== true)) return run;
  const { screenOf } = await import("../../session/index.ts");
  return { ...run, screen: await screenOf(run) };
}

/** A run as lines of "name value". */
export function statusText(run: RunView): string {
  const rows: (readonly [string, string])[] = [
    ["id", run.id],
    ["command", oneLine(run.command)],
    ["state", run.state === "ended" ? `ended: ${stateText(run)}` : stateText(run)],
  ];
  if (run.name !== null) rows.splice(1, 0, ["name", oneLine(run.name)]);
  if (run.exitCode !== null)
    rows.push(["exit status", `${run.exitCode}${run.signal === null ? "" : ` (${run.signal})`}`]);
  if (run.message !== null) rows.push(["message", oneLine(run.message)]);
  rows.push(["directory", run.cwd]);
  if (run.startedAt !== null) rows.push(["started", run.startedAt]);
  if (run.endedAt !== null) rows.push(["ended", run.endedAt]);
  if (run.durationMs !== null) rows.push(["time", formatDuration(run.durationMs)]);
  rows.push([
    "log",
    `${run.log.path} (${formatSize(run.log.bytes)}, ${run.log.lines} ${run.log.lines === 1 ? "line" : "lines"})`,
  ]);
  for (const { pid, command } of run.leftovers) rows.push(["still running", `${pid} ${oneLine(command)}`]);
  for (const note of run.notes) rows.push(["note", oneLine(note)]);
  const width = Math.max(...rows.map(([name]) => name.length));
  const text = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join("");
  const screen = run.screen === undefined ? "" : `\n${screenText(run.screen)}`;
  if (run.stages === undefined || run.stages.length === 0) return `${text}${screen}`;
  return `${text}${screen}\n${runTable(run.stages, { color: wantsColor(), width: outputWidth() })}`;
}
