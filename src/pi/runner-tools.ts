/**
 * The `runner` namespace: what can be asked of the session's runs. The model calls these as tools; in code mode they
 * are `tools.runner_list()` and so on, each typed by its schemas, and a script gets the documents of the contract.
 */
import { DEFAULT_GRACE_MS, ProctorError, durationFromSeconds, formatDuration } from "../model/index.ts";
import type { RunView, SessionApi, StopReport } from "../model/index.ts";
import { compilePattern, logLine, outcomeLine, readLog, resultOf, resultText, waitFor } from "../session/index.ts";
import type { CallSettings } from "../session/index.ts";
import type { PiContext, Schema, ToolDefinition, ToolResult } from "./pi-api.ts";
import { jsonOf, listLine, oneLine, screenText, settledScreen, shortView, shownRun } from "./run-text.ts";

/** What the tools ask of the extension. */
export interface RunnerHost {
  /** The session; null while nothing was run. */
  existing(): Promise<SessionApi | null>;
  settings(run: RunView, ctx: PiContext): CallSettings;
  /** The agent has seen these runs. */
  seen(runs: readonly RunView[]): Promise<void>;
}

/** How much text one answer of `runner_logs` holds, in bytes. */
const LOG_BYTES: number = 16 * 1024;
const MAX_LOG_LINES = 1_000_000;

const NAMESPACE = {
  name: "runner",
  description: "Runs that bash started: list, status, logs, wait, input, stop, stop_all. Ids come from bash's answers.",
};

const ID: Schema = { type: "string", description: "run id or unique prefix" };
const nullable = (type: string): Schema => ({ type: [type, "null"] });

const RUN: Schema = {
  type: "object",
  properties: {
    id: { type: "string" },
    kind: { enum: ["run", "sequence"] },
    name: nullable("string"),
    command: { type: "string" },
    cwd: { type: "string" },
    interactive: { type: "boolean" },
    state: { enum: ["queued", "running", "stopping", "ended"] },
    exitCode: nullable("number"),
    signal: nullable("string"),
    cause: nullable("string"),
    message: nullable("string"),
    queuePosition: nullable("number"),
    startedAt: nullable("string"),
    endedAt: nullable("string"),
    durationMs: nullable("number"),
    log: {
      type: "object",
      properties: { path: { type: "string" }, bytes: { type: "number" }, lines: { type: "number" } },
      required: ["path", "bytes", "lines"],
    },
  },
  required: ["id", "kind", "command", "state", "exitCode", "cause", "durationMs", "log"],
};

const STOP: Schema = {
  type: "object",
  properties: {
    id: { type: "string" },
    confirmed: { type: "boolean", description: "nothing of it is left, verified" },
    alreadyEnded: { type: "boolean" },
    signals: { type: "array", items: { type: "string" } },
    run: RUN,
  },
  required: ["id", "confirmed", "alreadyEnded", "signals", "run"],
};

function output(properties: Record<string, Schema>, required: readonly string[] = Object.keys(properties)): Schema {
  return { type: "object", properties, required: [...required] };
}

function input(properties: Record<string, Schema>, required: readonly string[] = []): Schema {
  return { type: "object", properties, required: [...required] };
}

function answer(text: string, structuredContent: object, isError: boolean = false): ToolResult {
  return {
    content: [{ type: "text", text }],
    details: undefined,
    structuredContent: jsonOf(structuredContent),
    ...(isError ? { isError } : {}),
  };
}

function textOf(params: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = params[name];
  return typeof value === "string" ? value : null;
}

function countOf(params: Readonly<Record<string, unknown>>, name: string, max: number, min = 0): number | null {
  const value = params[name];
  if (value === undefined || value === null) return null;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ProctorError(
    "ERR_INPUT_NUMBER",
    `${name}: ${JSON.stringify(value)} can't be used. Accepted: a whole number from ${min} to ${max}.`,
  );
}

function stopLine(report: StopReport): string {
  const left = report.survivors.map((one) => `${one.pid} ${oneLine(one.command, 60)}`).join("; ");
  if (!report.confirmed) return `Not stopped: ${left} would not end.`;
  const needed = report.signals.length === 0 ? "" : ` (${report.signals.join(", then ")})`;
  return report.alreadyEnded
    ? `It had ended already; nothing of it is left${needed}.`
    : `Stopped; nothing of it is left${needed}.`;
}

/** The tools. */
export function runnerTools(host: RunnerHost): readonly ToolDefinition[] {
  const session = async (params: Readonly<Record<string, unknown>>): Promise<SessionApi> => {
    const found = await host.existing();
    if (found !== null) return found;
    throw new ProctorError("ERR_INPUT_ID", `id: there is no run ${textOf(params, "id") ?? ""}: nothing was run yet.`);
  };
  const idOf = (params: Readonly<Record<string, unknown>>): string => {
    const id = textOf(params, "id");
    if (id !== null && id !== "") return id;
    throw new ProctorError("ERR_INPUT_PARAMS", "id: it is missing. Accepted: the id of a run.");
  };
  const endedText = async (run: RunView, ctx: PiContext): Promise<string> =>
    resultText(await resultOf(run, false, host.settings(run, ctx)));

  const list: Omit<ToolDefinition, "label"> = {
    name: "runner_list",
    description: "List the runs of this session: id, state or exit status, command.",
    promptSnippet: "List what bash runs in the background",
    parameters: input({}),
    outputSchema: output({ runs: { type: "array", items: RUN } }),
    annotations: { readOnlyHint: true },
    async execute() {
      const runs = (await (await host.existing())?.list()) ?? [];
      await host.seen(runs);
      const text = runs.length === 0 ? "No runs." : runs.map(listLine).join("\n");
      return answer(text, { runs: runs.map(shortView) });
    },
  };
  const status: Omit<ToolDefinition, "label"> = {
    name: "runner_status",
    description: "How one run stands: state or exit status, why it ended, screen of an interactive run, log.",
    promptSnippet: "How a run of bash stands",
    parameters: input({ id: ID }, ["id"]),
    outputSchema: output({ run: RUN, screen: nullable("string") }),
    annotations: { readOnlyHint: true },
    async execute(_call, params) {
      const api = await session(params);
      const run = await api.status(idOf(params));
      const isTerminal = run.interactive && run.kind === "run";
      const screen = isTerminal ? (await settledScreen((id) => api.status(id), run.id)).screen : null;
      await host.seen([run]);
      const lines = [listLine(run), ...(screen === null ? [] : [screenText(screen)]), ...run.notes, logLine(run)];
      return answer(lines.join("\n"), { run: shortView(run), screen: screen?.text ?? null });
    },
  };
  const logs: Omit<ToolDefinition, "label"> = {
    name: "runner_logs",
    description:
      "Read a run's log: its end, its last `lines`, what follows byte `from`, `lines` from line `fromLine` on, or lines that match `grep`.",
    promptSnippet: "Read the output of a run of bash",
    parameters: input(
      {
        id: ID,
        lines: { type: "number" },
        from: { type: "number" },
        fromLine: { type: "number" },
        grep: { type: "string" },
      },
      ["id"],
    ),
    outputSchema: output({
      text: { type: "string" },
      from: { type: "number" },
      to: { type: "number" },
      bytes: { type: "number", description: "of the whole log" },
      truncated: { type: "boolean" },
      run: RUN,
    }),
    annotations: { readOnlyHint: true },
    async execute(_call, params) {
      const grep = textOf(params, "grep");
      const run = await (await session(params)).status(idOf(params));
      const fromLine = countOf(params, "fromLine", Number.MAX_SAFE_INTEGER, 1);
      const slice = await readLog(shownRun(run), {
        lines: countOf(params, "lines", MAX_LOG_LINES),
        from: countOf(params, "from", Number.MAX_SAFE_INTEGER),
        fromLine,
        grep: grep === null ? null : compilePattern(grep, "grep"),
        maxBytes: LOG_BYTES,
      });
      await host.seen([run]);
      const { text, from, to, bytes, truncated } = slice;
      const isBeyond = fromLine !== null && from === bytes;
      const shown = grep === null ? `bytes ${from} to ${to} of ${bytes}` : `${slice.lines} lines matched`;
      const range = isBeyond ? `[there is no line ${fromLine}: the log has ${bytes} bytes so far]` : `[${shown}]`;
      const whole = [text.replace(/\n$/, ""), range, outcomeLine(run), logLine(run)].filter((line) => line !== "");
      return answer(whole.join("\n"), { text, from, to, bytes, truncated, run: shortView(run) });
    },
  };
  const wait: Omit<ToolDefinition, "label"> = {
    name: "runner_wait",
    description:
      'Wait for a run to end (answers with its output), or for a line of its output that matches the regex `match`, such as a server\'s "ready".',
    promptSnippet: "Wait for a run of bash, or for a line of its output",
    parameters: input({ id: ID, timeout: { type: "number", description: "seconds" }, match: { type: "string" } }, [
      "id",
    ]),
    outputSchema: output({
      matched: { type: "boolean", description: "it came true" },
      over: { type: "boolean", description: "it has ended" },
      line: nullable("string"),
      run: RUN,
    }),
    annotations: { readOnlyHint: true },
    async execute(_call, params, signal, _onUpdate, ctx) {
      const match = textOf(params, "match");
      const timeout = params["timeout"];
      const timeoutMs =
        typeof timeout === "number" ? durationFromSeconds(timeout, "timeout", { zero: true }) : undefined;
      const outcome = await waitFor(await session(params), idOf(params), {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(match === null ? {} : { match }),
        ...(signal === undefined ? {} : { signal }),
      });
      const { matched, over, line, run } = outcome;
      await host.seen([run]);
      const document = { matched, over, line, run: shortView(run) };
      if (run.state === "ended" && (match === null || over)) {
        const first = match === null ? [] : [`It ended, and no line matched ${oneLine(match, 80)}.`];
        return answer([...first, await endedText(run, ctx)].join("\n"), document);
      }
      const within = timeoutMs === undefined ? "" : ` within ${formatDuration(timeoutMs)}`;
      const first = matched ? `Matched: ${oneLine(line ?? "", 200)}` : `Not yet${within}.`;
      return answer([first, outcomeLine(run), logLine(run)].join("\n"), document);
    },
  };
  const type: Omit<ToolDefinition, "label"> = {
    name: "runner_input",
    description:
      "Type into an interactive run: text, then Enter, then keys (C-c, Up, Escape …). Answers with its screen.",
    promptSnippet: "Type into an interactive run of bash",
    parameters: input(
      {
        id: ID,
        text: { type: "string" },
        enter: { type: "boolean" },
        keys: { type: "array", items: { type: "string" } },
      },
      ["id"],
    ),
    outputSchema: output({ written: { type: "number" }, screen: { type: "string" }, run: RUN }),
    async execute(_call, params) {
      const api = await session(params);
      const keys: unknown = params["keys"];
      const report = await api.input({
        id: idOf(params),
        data: null,
        text: textOf(params, "text"),
        enter: params["enter"] === true,
        keys: Array.isArray(keys) ? keys.map(String) : [],
        eof: false,
      });
      const { run, screen } = await settledScreen((id) => api.status(id), report.run.id);
      await host.seen([run]);
      const text = [...report.notes, screenText(screen), outcomeLine(run), logLine(run)].join("\n");
      return answer(text, { written: report.written, screen: screen.text, run: shortView(run) });
    },
  };
  const stop: Omit<ToolDefinition, "label"> = {
    name: "runner_stop",
    description: "Stop a run and every process it started: SIGTERM, 5 s, SIGKILL, verified.",
    promptSnippet: "Stop a run of bash",
    parameters: input({ id: ID, reason: { type: "string" } }, ["id"]),
    outputSchema: STOP,
    annotations: { destructiveHint: true, idempotentHint: true },
    async execute(_call, params) {
      const api = await session(params);
      const report = await api.stop(idOf(params), { reason: textOf(params, "reason"), graceMs: DEFAULT_GRACE_MS });
      await host.seen([report.run]);
      const text = [stopLine(report), outcomeLine(report.run), logLine(report.run)].join("\n");
      return answer(text, { ...report, run: shortView(report.run) }, !report.confirmed);
    },
  };
  const stopAll: Omit<ToolDefinition, "label"> = {
    name: "runner_stop_all",
    description: "Stop every run of this session.",
    parameters: input({}),
    outputSchema: output({ stopped: { type: "array", items: STOP } }),
    annotations: { destructiveHint: true, idempotentHint: true },
    async execute() {
      const all = (await (await host.existing())?.stopAll({ reason: null, graceMs: DEFAULT_GRACE_MS })) ?? [];
      // One that had ended by itself, and left nothing, was not stopped.
      const stopped = all.filter((report) => !report.alreadyEnded || report.signals.length > 0 || !report.confirmed);
      await host.seen(stopped.map(({ run }) => run));
      const lines = stopped.map((report) => `${report.id}  ${stopLine(report)}`);
      const document = { stopped: stopped.map((report) => ({ ...report, run: shortView(report.run) })) };
      const isError = stopped.some((report) => !report.confirmed);
      return answer(lines.length === 0 ? "Nothing was running." : lines.join("\n"), document, isError);
    },
  };
  return [list, status, logs, wait, type, stop, stopAll].map((tool) => ({
    ...tool,
    label: tool.name.replace("runner_", "runner "),
    namespace: NAMESPACE,
  }));
}
