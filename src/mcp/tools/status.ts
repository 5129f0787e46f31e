/** `runner_status`: how one run stands. */
import type { RunView } from "../../model/index.ts";
import { logLine, outcomeLine, screenOf } from "../../session/index.ts";
import { carriable } from "../answer.ts";
import { RUN_VIEW } from "./output-schemas.ts";
import { screenLines } from "./input.ts";
import { lastLine, oneLine, processLine } from "./run-lines.ts";
import { ID } from "./tool.ts";
import type { Tool } from "./tool.ts";

async function statusText(run: RunView, env: NodeJS.ProcessEnv): Promise<string> {
  const lines = [
    `${run.kind === "run" ? "Run" : "Sequence"} ${run.id}${run.name === null ? "" : ` (${oneLine(run.name, 60)})`}: ${oneLine(run.command)}`,
    `In ${run.cwd}`,
  ];
  if (run.queuePosition !== null) lines.push(`Waiting in the queue, position ${run.queuePosition}`);
  if (run.stages !== undefined && run.commands !== undefined && run.state !== "ended")
    lines.push(`Stage ${run.stages.length} of ${run.commands.length}`);
  if (run.screen !== undefined) lines.push(...screenLines(run.screen));
  const last = run.screen === undefined ? await lastLine(run, env) : "";
  if (last !== "") lines.push(`Last line: ${last}`);
  if (run.message !== null) lines.push(run.message);
  if (run.leftovers.length > 0) lines.push(`Still running from this command: ${processLine(run.leftovers)}`);
  lines.push(...run.notes, outcomeLine(run), logLine(run));
  return lines.join("\n");
}

/** One run, sequence or stage. */
export const status: Tool = {
  name: "runner_status",
  description: "How one run stands: state or exit status, why it ended, last line or screen, leftover processes, log.",
  input: { type: "object", properties: { id: ID }, required: ["id"] },
  output: RUN_VIEW,
  isReadOnly: true,
  async call(given, context) {
    const id = given.requiredText("id");
    const seen = await (await context.session()).status(id);
    const hasTerminal =
      seen.interactive && (seen.kind === "run" || seen.stages?.some((one) => one.interactive) === true);
    const run: RunView = hasTerminal ? { ...seen, screen: await screenOf(seen) } : seen;
    return {
      text: await statusText(run, context.env),
      isError: false,
      document: { key: "proctor/run", value: carriable(run) },
    };
  },
};
