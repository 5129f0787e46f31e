/** `runner_logs`: a part of a run's log. */
import type { LogSlice } from "../../model/index.ts";
import { compilePattern, logLine, outcomeLine, readLog } from "../../session/index.ts";
import { carriable } from "../answer.ts";
import { LOG_SLICE } from "./output-schemas.ts";
import { shownRun } from "./run-lines.ts";
import { ID } from "./tool.ts";
import type { Tool } from "./tool.ts";

/** How much text one answer holds, in bytes: more when lines were asked for by number. */
const DEFAULT_BYTES = 8 * 1024;
const MAX_BYTES = 32 * 1024;

/** What is shown of what there is, and how to get the rest. */
function rangeLine(slice: LogSlice, query: { lines: number | null; from: number | null; isGrep: boolean }): string {
  const lines = `${slice.lines} ${slice.lines === 1 ? "line" : "lines"}`;
  if (slice.bytes === 0) return "[The log is empty]";
  if (query.isGrep)
    return slice.truncated
      ? `[the last ${lines} that match; more matched: narrow grep, or give from and lines]`
      : `[${lines} matched]`;
  const range = `bytes ${slice.from} to ${slice.to} of ${slice.bytes}`;
  if (query.from !== null)
    return slice.to < slice.bytes ? `[${range}; go on with from: ${slice.to}]` : `[${range}, the end so far]`;
  if (slice.from === 0) return `[all of it: ${lines}]`;
  const bound = slice.truncated && query.lines !== null ? `, the most for one answer` : "";
  return `[${range}${bound}; for what comes before, give lines, from or grep]`;
}

/** Reads a log. */
export const logs: Tool = {
  name: "runner_logs",
  description:
    "Read a run's log: its end, its last `lines`, what follows byte `from`, or only lines that match the regex `grep`.",
  input: {
    type: "object",
    properties: { id: ID, lines: { type: "integer" }, from: { type: "integer" }, grep: { type: "string" } },
    required: ["id"],
  },
  output: LOG_SLICE,
  isReadOnly: true,
  async call(given, context) {
    const id = given.requiredText("id");
    const lines = given.count("lines", 1, 1_000_000);
    const from = given.count("from", 0, Number.MAX_SAFE_INTEGER);
    const pattern = given.text("grep");
    const grep = pattern === null ? null : compilePattern(pattern, "grep");
    const view = await (await context.session()).status(id);
    const slice = await readLog(shownRun(view), {
      lines,
      from,
      grep,
      maxBytes: lines === null ? DEFAULT_BYTES : MAX_BYTES,
    });
    const text = slice.text.replace(/\n$/, "");
    return {
      text: [
        ...(text === "" ? [] : [text]),
        rangeLine(slice, { lines, from, isGrep: grep !== null }),
        outcomeLine(view),
        logLine(view),
      ].join("\n"),
      isError: false,
      document: { key: "proctor/run", value: { ...slice, run: carriable(view) } },
    };
  },
};
