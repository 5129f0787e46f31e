/**
 * Codex (`codex exec --json`). It prints whole items, no deltas; an `error` at the top level while it
 * reconnects, and an `item` of type error, are warnings: only `turn.completed` and `turn.failed` decide. A
 * signal ends it without either. SIGTERM leaves its shell behind, SIGINT ends it.
 */
import { GROUP_INTERRUPT } from "./adapter.ts";
import type { ProviderAdapter, ProviderParser } from "./adapter.ts";
import { arrayOf, contentText, isObject, numberOf, objectOf, textOf, usageOf } from "./json-fields.ts";
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
  parser: (): ProviderParser => ({
    json(value) {
      switch (textOf(value, "type")) {
        case "thread.started":
          return [{ type: "session", sessionId: textOf(value, "thread_id") ?? "", model: null }];
        case "item.started":
          return started(objectOf(value, "item"));
        case "item.completed":
          return completed(objectOf(value, "item"));
        case "error": {
          const message = textOf(value, "message") ?? "unknown error";
          const again = RECONNECTING.exec(message);
          return again === null
            ? [{ type: "error", message, status: null }]
            : [{ type: "retry", attempt: Number(again[1]), message }];
        }
        case "turn.completed":
          return [
            { type: "usage", usage: usageOf(objectOf(value, "usage")), costUsd: null },
            { type: "done", outcome: "completed", reason: null },
          ];
        case "turn.failed": {
          const message = textOf(objectOf(value, "error"), "message") ?? "the turn failed";
          return [
            { type: "error", message, status: null },
            { type: "done", outcome: "failed", reason: "turn.failed" },
          ];
        }
        default:
          return [];
      }
    },
  }),
};

function started(item: JsonObject): readonly ProviderFact[] {
  const id = textOf(item, "id") ?? "";
  switch (textOf(item, "type")) {
    case "command_execution":
      return [{ type: "tool_use", id, name: "command_execution", input: { command: textOf(item, "command") ?? "" } }];
    case "mcp_tool_call":
      return [
        {
          type: "tool_use",
          id,
          name: `${textOf(item, "server") ?? ""}.${textOf(item, "tool") ?? ""}`,
          input: item["arguments"] ?? null,
        },
      ];
    default:
      return [];
  }
}

function completed(item: JsonObject): readonly ProviderFact[] {
  const id = textOf(item, "id") ?? "";
  switch (textOf(item, "type")) {
    case "agent_message":
      return [{ type: "text", text: textOf(item, "text") ?? "" }];
    case "reasoning":
      return [{ type: "thinking", text: textOf(item, "text") ?? "", isDelta: false }];
    case "command_execution":
      return [
        {
          type: "tool_result",
          id,
          output: textOf(item, "aggregated_output") ?? "",
          isError: textOf(item, "status") === "failed" || (numberOf(item, "exit_code") ?? 0) !== 0,
        },
      ];
    case "mcp_tool_call": {
      const { error } = item;
      const content = arrayOf(objectOf(item, "result"), "content");
      const output = isObject(error) ? (textOf(error, "message") ?? "") : contentText(content);
      return [{ type: "tool_result", id, output, isError: isObject(error) || textOf(item, "status") === "failed" }];
    }
    default:
      return [];
  }
}
