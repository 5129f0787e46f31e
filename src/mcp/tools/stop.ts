/** `runner_stop` and `runner_stop_all`: end runs, with every process they started. */
import { DEFAULT_GRACE_MS } from "../../model/index.ts";
import type { StopReport } from "../../model/index.ts";
import { logLine, outcomeLine } from "../../session/index.ts";
import { carriableStop } from "../answer.ts";
import { STOP_LIST, STOP_REPORT } from "./output-schemas.ts";
import { processLine } from "./run-lines.ts";
import { ID } from "./tool.ts";
import type { Tool } from "./tool.ts";

/** How many stops are told one by one. */
const MAX_TOLD = 50;

function stopLine(report: StopReport): string {
  if (!report.confirmed) return `Not stopped: ${processLine(report.survivors)} would not end.`;
  const needed = report.signals.length === 0 ? "" : ` (${report.signals.join(", then ")})`;
  return report.alreadyEnded
    ? `It had ended already; nothing of it is left${needed}.`
    : `Stopped; nothing of it is left${needed}.`;
}

/** Stops one run. */
export const stop: Tool = {
  name: "runner_stop",
  description: "Stop a run and every process it started: SIGTERM, 5 s, SIGKILL, verified.",
  input: { type: "object", properties: { id: ID, reason: { type: "string" } }, required: ["id"] },
  output: STOP_REPORT,
  isReadOnly: false,
  async call(given, context) {
    const id = given.requiredText("id");
    const reason = given.text("reason");
    const report = await (await context.session()).stop(id, { reason, graceMs: DEFAULT_GRACE_MS });
    return {
      text: [stopLine(report), outcomeLine(report.run), logLine(report.run)].join("\n"),
      isError: !report.confirmed,
      document: { key: "proctor/run", value: carriableStop(report) },
    };
  },
};

/** Stops everything. */
export const stopAll: Tool = {
  name: "runner_stop_all",
  description: "Stop every run of this session.",
  input: { type: "object", properties: {} },
  output: STOP_LIST,
  isReadOnly: false,
  async call(_given, context) {
    const all = await (await context.session()).stopAll({ reason: null, graceMs: DEFAULT_GRACE_MS });
    // One that had ended by itself, and left nothing, was not stopped.
    const reports = all.filter((report) => !report.alreadyEnded || report.signals.length > 0 || !report.confirmed);
    const told = reports.slice(0, MAX_TOLD).map((report) => `${report.id}  ${stopLine(report)}`);
    const more = reports.length - told.length;
    return {
      text: [
        reports.length === 0 ? "Nothing was running." : `${reports.length} stopped:`,
        ...told,
        ...(more > 0 ? [`(and ${more} more)`] : []),
      ].join("\n"),
      isError: reports.some((report) => !report.confirmed),
      document: { key: "proctor/runs", field: "stopped", value: reports.map(carriableStop) },
    };
  },
};
