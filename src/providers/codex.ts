/**
 * Codex (`codex exec --json`). It prints whole items, no deltas; an `error` at the top level while it
 * reconnects, and an `item` of type error, are warnings: only `turn.completed` and `turn.failed` decide. A
 * signal ends it without either. SIGTERM leaves its shell behind, SIGINT ends it. Some tools are told when they
 * are done only.
 */
import { GROUP_INTERRUPT } from "./adapter.ts";
import type { ProviderAdapter, ProviderParser } from "./adapter.ts";
import { arrayOf, contentText, isObject, numberOf, objectOf, statusIn, textOf, usageOf } from "./json-fields.ts";
import type { JsonObject, ProviderFact } from "./vocabulary.ts";

const RECONNECTING = /^Reconnecting\.\.\. (\d+)\//;

/** Codex; seen with 0.171.0. */
export const codex: ProviderAdapter = {
  name: "codex",
  binary: "codex",
  polite: GROUP_INTERRUPT,
  buildArgs: ({ prompt, model, sessionId }) => [
    "exec",
    ...(sessionId === undefined ? [] : ["resume"]),
    "--json",
    "--skip-git-repo-check",
    ...(model === undefined ? [] : ["--model", model]),
    ...(sessionId === undefined ? [] : [sessionId]),
    prompt,
  ],
  parser: codexParser,
};

function codexParser(): ProviderParser {
  /** Items whose use was told and whose result was not. */
  const open = new Set<string>();
  return {
    json(value) {
      switch (textOf(value, "type")) {
        case "thread.started":
          return [{ type: "session", sessionId: textOf(value, "thread_id") ?? "", model: null }];
        case "item.started":
          return started(objectOf(value, "item"), open);
        case "item.completed":
          return completed(objectOf(value, "item"), open);
        case "error": {
          const message = textOf(value, "message") ?? "unknown error";
          const again = RECONNECTING.exec(message);
          return again === null
            ? [{ type: "error", message, status: statusIn(message) }]
            : [{ type: "retry", attempt: Number(again[1]), message }];
        }
        case "turn.completed":
          return [
            ...(isObject(value["usage"])
              ? [{ type: "usage", usage: usageOf(value["usage"]), costUsd: null } as const]
              : []),
            { type: "done", outcome: "completed", reason: null },
          ];
        case "turn.failed": {
          const message = textOf(objectOf(value, "error"), "message") ?? "the turn failed";
          return [
            { type: "error", message, status: statusIn(message) },
            { type: "done", outcome: "failed", reason: "turn.failed" },
          ];
        }
        default:
          return [];
      }
    },
  };
}

/** The use that an item of a tool's tells; null for an item of something else. */
function useOf(item: JsonObject): ProviderFact | null {
  const id = textOf(item, "id") ?? "";
  const type = textOf(item, "type") ?? "";
  switch (type) {
    case "command_execution":
      return { type: "tool_use", id, name: type, input: { command: textOf(item, "command") ?? "" } };
    case "mcp_tool_call":
      return {
        type: "tool_use",
        id,
        name: `${textOf(item, "server") ?? ""}.${textOf(item, "tool") ?? ""}`,
        input: item["arguments"] ?? null,
      };
    case "file_change":
      return { type: "tool_use", id, name: type, input: { changes: item["changes"] ?? [] } };
    case "web_search":
      return { type: "tool_use", id, name: type, input: { query: textOf(item, "query") ?? "" } };
    case "collab_tool_call":
      return {
        type: "tool_use",
        id,
        name: textOf(item, "tool") ?? type,
        input: { prompt: textOf(item, "prompt") ?? "" },
      };
    default:
      return null;
  }
}

function started(item: JsonObject, open: Set<string>): readonly ProviderFact[] {
  const use = useOf(item);
  if (use === null) return [];
  open.add(textOf(item, "id") ?? "");
  return [use];
}

function completed(item: JsonObject, open: Set<string>): readonly ProviderFact[] {
  const id = textOf(item, "id") ?? "";
  switch (textOf(item, "type")) {
    case "agent_message":
      return [{ type: "text", text: textOf(item, "text") ?? "" }];
    case "reasoning":
      return [{ type: "thinking", text: textOf(item, "text") ?? "", isDelta: false }];
    default: {
      const use = useOf(item);
      if (use === null) return [];
      const wasTold = open.delete(id);
      const result: ProviderFact = { type: "tool_result", id, output: outputOf(item), isError: hasFailed(item) };
      return wasTold ? [result] : [use, result];
    }
  }
}

function outputOf(item: JsonObject): string {
  const { error } = item;
  if (isObject(error)) return textOf(error, "message") ?? "";
  return textOf(item, "aggregated_output") ?? contentText(arrayOf(objectOf(item, "result"), "content"));
}

function hasFailed(item: JsonObject): boolean {
  const status = textOf(item, "status");
  return (
    status === "failed" || status === "declined" || isObject(item["error"]) || (numberOf(item, "exit_code") ?? 0) !== 0
  );
}
