/** What a stop came to, in a line for people. */
import type { StopReport } from "../model/index.ts";
import { oneLine } from "./one-line.ts";

/** One line, and one more for each process that survived. */
export function stopText(report: StopReport): string {
  const by = report.signals.length === 0 ? "" : ` (${report.signals.join(", ")})`;
  const what = report.alreadyEnded
    ? report.signals.length === 0
      ? "had ended already"
      : `had ended already; what it left was stopped${by}`
    : `stopped${by}`;
  const lines = [`${report.id} ${what}: ${oneLine(report.run.command)}`];
  for (const { pid, command } of report.survivors) lines.push(`  still alive: ${pid} ${oneLine(command)}`);
  return `${lines.join("\n")}\n`;
}
