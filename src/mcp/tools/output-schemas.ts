/** What `structuredContent` holds (contract: the JSON shapes), for `proctor mcp --structured`. */
import type { JsonSchema } from "./tool.ts";

const nullable = (type: string): { readonly type: readonly [string, "null"] } => ({ type: [type, "null"] });
const text = { type: "string" } as const;
const count = { type: "integer" } as const;
const flag = { type: "boolean" } as const;
const arrayOf = (items: object): { readonly type: "array"; readonly items: object } => ({ type: "array", items });

function object(properties: Readonly<Record<string, unknown>>, optional: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

const processView = object({ pid: count, command: text });

const runFields = {
  id: text,
  kind: { enum: ["run", "sequence"] },
  name: nullable("string"),
  session: text,
  command: text,
  commands: arrayOf(text),
  cwd: text,
  interactive: flag,
  state: { enum: ["queued", "running", "stopping", "ended"] },
  exitCode: nullable("integer"),
  signal: nullable("string"),
  cause: nullable("string"),
  resource: nullable("string"),
  message: nullable("string"),
  queuePosition: nullable("integer"),
  startedAt: nullable("string"),
  endedAt: nullable("string"),
  durationMs: nullable("number"),
  log: object({ path: text, bytes: count, lines: count }),
  leftovers: arrayOf(processView),
  stages: arrayOf({ type: "object" }),
  screen: { type: "object" },
  notes: arrayOf(text),
} as const;

const resultFields = { promoted: flag, output: text, truncated: flag, totalLines: count, shownLines: count } as const;

/** RunView. */
export const RUN_VIEW: JsonSchema = object(runFields, ["commands", "stages", "screen"]);
/** RunResult. */
export const RUN_RESULT: JsonSchema = object({ ...runFields, ...resultFields }, ["commands", "stages", "screen"]);
/** RunView, or RunResult once the run has ended. */
export const RUN_VIEW_OR_RESULT: JsonSchema = object({ ...runFields, ...resultFields }, [
  "commands",
  "stages",
  "screen",
  ...Object.keys(resultFields),
]);
/** A list of runs. */
export const RUN_LIST: JsonSchema = object({ runs: arrayOf(RUN_VIEW) });
/** A part of a log. */
export const LOG_SLICE: JsonSchema = object({
  id: text,
  path: text,
  from: count,
  to: count,
  bytes: count,
  lines: count,
  text,
  truncated: flag,
  run: RUN_VIEW,
});
/** What typing came to. */
export const INPUT_REPORT: JsonSchema = object({ id: text, written: count, run: RUN_VIEW });
/** StopReport. */
export const STOP_REPORT: JsonSchema = object({
  id: text,
  requested: flag,
  confirmed: flag,
  alreadyEnded: flag,
  signals: arrayOf(text),
  survivors: arrayOf(processView),
  run: RUN_VIEW,
});
/** What stopping everything came to. */
export const STOP_LIST: JsonSchema = object({ stopped: arrayOf(STOP_REPORT) });
