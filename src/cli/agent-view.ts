/** An agent run for people: its text as it streams, a line for each tool call, what went wrong on the side. */
import { formatDuration } from "../model/index.ts";
import type { AgentEvent, AgentReport, ProviderEvent, Usage } from "../agent/index.ts";
import { plainText } from "../text/index.ts";
import { oneLine } from "./one-line.ts";

/** How much of a tool's input is shown. */
const INPUT_CHARS = 120;

/** What an event is to a reader: text for standard output, remarks for standard error. */
export interface Shown {
  readonly out: string;
  readonly err: string;
}

const NOTHING: Shown = { out: "", err: "" };

/** Turns events into what is shown; keeps lines whole. */
export class AgentView {
  /** Whether the cursor stands behind text that has no end of line. */
  #isInLine = false;
  /** What was streamed since the last whole text, which then says nothing new. */
  #hasStreamed = false;
  #tokens = 0;
  #costUsd: number | null = null;

  /** Tokens and cost so far, for a status line. */
  get totals(): string {
    const tokens = this.#tokens === 0 ? "" : `, ${this.#tokens.toLocaleString("en-US")} tokens`;
    return `${tokens}${this.#costUsd === null ? "" : `, $${this.#costUsd.toFixed(4)}`}`;
  }

  /** Whether text stands there that has no end of line yet. */
  get isInLine(): boolean {
    return this.#isInLine;
  }

  /** What to show of an event. */
  show(event: AgentEvent): Shown {
    switch (event.kind) {
      case "provider.event":
        return this.#provider(event.payload.event);
      case "supervisor.restart":
        return this.#remark(
          `The agent crashed (${event.payload.prev_exit.error ?? "no reason known"}); restart ${event.payload.attempt} in ${formatDuration(event.payload.backoff_for_ms)}`,
        );
      case "supervisor.idle_kill":
        return this.#remark(`Silent for ${formatDuration(event.payload.idle_for_ms)}: stopping the agent`);
      case "supervisor.watchdog":
        return this.#remark(`Not heard of for ${formatDuration(event.payload.no_activity_for_ms)}: killing the agent`);
      case "supervisor.resource_limit":
        return this.#remark(`A limit was hit: ${event.payload.resource}`);
      case "process.stdin_closed":
        return this.#remark(`The agent closed its input (${event.payload.error})`);
      case "process.started":
        return NOTHING;
      case "process.exited":
      case "process.timeout":
        return { out: this.#endLine(), err: "" };
    }
  }

  #provider(event: ProviderEvent): Shown {
    switch (event.type) {
      case "text_delta":
        return this.#stream(event.text);
      case "text": {
        const streamed = this.#hasStreamed;
        this.#hasStreamed = false;
        return streamed ? { out: this.#endLine(), err: "" } : { out: this.#whole(event.text), err: "" };
      }
      case "line":
        return { out: this.#whole(event.text), err: "" };
      case "tool_use":
        return { out: `${this.#endLine()}> ${event.name} ${inputText(event.input)}\n`, err: "" };
      case "tool_result":
        return event.isError
          ? { out: `${this.#endLine()}  failed: ${cut(oneLine(plainText(event.output)))}\n`, err: "" }
          : NOTHING;
      case "retry":
        return this.#remark(`The agent tries again: ${event.message}`);
      case "error":
        return this.#remark(event.message);
      case "usage":
        this.#count(event.usage, event.costUsd);
        return NOTHING;
      case "noise":
        return event.reason === "torn" ? this.#remark("The agent's output ends in the middle of a line") : NOTHING;
      case "session":
      case "thinking":
      case "done":
      case "unknown":
        return NOTHING;
    }
  }

  #stream(text: string): Shown {
    const plain = plainText(text);
    if (plain === "") return NOTHING;
    this.#hasStreamed = true;
    this.#isInLine = !plain.endsWith("\n");
    return { out: plain, err: "" };
  }

  #whole(text: string): string {
    const plain = plainText(text);
    if (plain === "") return "";
    const start = this.#endLine();
    return `${start}${plain}${plain.endsWith("\n") ? "" : "\n"}`;
  }

  #remark(text: string): Shown {
    return { out: this.#endLine(), err: `${oneLine(plainText(text))}\n` };
  }

  #endLine(): string {
    const end = this.#isInLine ? "\n" : "";
    this.#isInLine = false;
    return end;
  }

  #count(usage: Usage, costUsd: number | null): void {
    this.#tokens += usage.inputTokens + usage.outputTokens;
    if (costUsd !== null) this.#costUsd = (this.#costUsd ?? 0) + costUsd;
  }
}

/** The last line: how it ended, how long it took, what it cost, where the rest is. */
export function closingLine(report: AgentReport): string {
  const ended =
    report.cause !== ""
      ? report.cause
      : report.turn === "completed" && report.exitCode === 0
        ? "Completed"
        : report.signal !== null
          ? `Killed by ${report.signal}`
          : `${report.turn === "missing" ? "No end of the turn" : "Failed"}, exit status ${report.exitCode ?? "unknown"}`;
  const tokens =
    report.usage === null
      ? ""
      : `, ${(report.usage.inputTokens + report.usage.outputTokens).toLocaleString("en-US")} tokens`;
  const cost = report.costUsd === null ? "" : `, $${report.costUsd.toFixed(4)}`;
  const error = report.error === null ? "" : `: ${oneLine(plainText(report.error))}`;
  const lines = [`${ended} after ${formatDuration(report.durationMs)}${tokens}${cost}${error}`];
  lines.push(...report.notes);
  if (report.leftovers.length > 0)
    lines.push(`Still running: ${report.leftovers.map((l) => `${l.pid} ${l.command}`).join("; ")}`);
  lines.push(`Logs: ${report.log.stdout} and ${report.log.stderr}`);
  return lines.map((line) => `${line}\n`).join("");
}

function inputText(input: unknown): string {
  if (typeof input === "object" && input !== null) {
    const command =
      "command" in input ? input.command : Object.keys(input).length === 1 ? Object.values(input)[0] : input;
    return cut(oneLine(plainText(typeof command === "string" ? command : JSON.stringify(command))));
  }
  return input === null || input === undefined ? "" : cut(oneLine(plainText(JSON.stringify(input))));
}

function cut(text: string): string {
  return text.length <= INPUT_CHARS ? text : `${text.slice(0, INPUT_CHARS)}…`;
}
