/** `runner_logs`: a part of a run's log. */
import type { LogSlice } from "../../model/index.ts";
import { compilePattern, logLine, outcomeLine, readLog } from "../../session/index.ts";
import type { LogQuery } from "../../session/index.ts";
import { carriable } from "../answer.ts";
import { LOG_SLICE } from "./output-schemas.ts";
import { shownRun } from "./run-lines.ts";
import { ID } from "./tool.ts";
import type { Tool } from "./tool.ts";

/** How much text one answer holds, in bytes: more when lines were asked for by number. */
const DEFAULT_BYTES = 8 * 1024;
const MAX_BYTES = 32 * 1024;

/** What is shown of what there is, and how to get the rest. */
function rangeLine(slice: LogSlice, query: Omit<LogQuery, "maxBytes">): string {
  const lines = `${slice.lines} ${slice.lines === 1 ? "line" : "lines"}`;
  if (slice.bytes === 0) return "[The log is empty]";
  if (query.fromLine !== null) return onwardsLine(slice, query.fromLine, query.grep === null ? null : lines);
  if (query.grep !== null)
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

/** The same from a line on: what is shown begins there, and what it has no room for comes behind. */
function onwardsLine(slice: LogSlice, line: number, matched: string | null): string {
  const { from, to, bytes } = slice;
  if (from === bytes) return `[there is no line ${line}: the log has ${bytes} bytes so far]`;
  const shown = matched === null ? `bytes ${from} to ${to} of ${bytes}` : `${matched} matched`;
  if (to < bytes) return `[${shown}; go on with from: ${to}]`;
  return matched === null ? `[${shown}, the end so far]` : `[${shown}]`;
}

/** Reads a log. */
export const logs: Tool = {
  name: "runner_logs",
  description:
    "Read a run's log: its end, its last `lines`, what follows byte `from`, `lines` from line `fromLine` on, or only lines that match the regex `grep`.",
  input: {
    type: "object",
    properties: {
      id: ID,
      lines: { type: "integer" },
      from: { type: "integer" },
      fromLine: { type: "integer" },
      grep: { type: "string" },
    },
    required: ["id"],
  },
  output: LOG_SLICE,
  isReadOnly: true,
  async call(given, context) {
    const id = given.requiredText("id");
    const lines = given.count("lines", 1, 1_000_000);
    const from = given.count("from", 0, Number.MAX_SAFE_INTEGER);
    const fromLine = given.count("fromLine", 1, Number.MAX_SAFE_INTEGER);
    const pattern = given.text("grep");
    const grep = pattern === null ? null : compilePattern(pattern, "grep");
    const view = await (await context.session()).status(id);
    const query = { lines, from, fromLine, grep };
    const slice = await readLog(shownRun(view), {
      ...query,
      maxBytes: lines === null ? DEFAULT_BYTES : MAX_BYTES,
    });
    const text = slice.text.replace(/\n$/, "");
    return {
      text: [...(text === "" ? [] : [text]), rangeLine(slice, query), outcomeLine(view), logLine(view)].join("\n"),
      isError: false,
      document: { key: "proctor/run", value: { ...slice, run: carriable(view) } },
    };
  },
};
