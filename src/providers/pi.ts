/**
 * Pi (`pi --mode json`). It leaves with 0 on every error of the model: the last assistant message's
 * `stopReason` decides. `agent_settled` ends a turn; releases before 1.0 have none, and there the last
 * `agent_end` is the end. SIGTERM to its own process ends its tool, SIGINT leaves the tool behind.
 */
import { OWN_TERMINATE } from "./adapter.ts";
import type { ProviderAdapter, ProviderParser } from "./adapter.ts";
import { arrayOf, contentText, isObject, numberOf, objectOf, statusIn, textOf } from "./json-fields.ts";
import type { JsonObject, ProviderFact } from "./vocabulary.ts";

/** Pi; seen with 0.73.1, 0.74.2 and 1.6.0. */
export const pi: ProviderAdapter = {
  name: "pi",
  binary: "pi",
  polite: OWN_TERMINATE,
  buildArgs: ({ prompt, model, sessionId }) => [
    "--mode",
    "json",
    ...(model === undefined ? [] : ["--model", model]),
    ...(sessionId === undefined ? [] : ["--session", sessionId]),
    prompt,
  ],
  parser: piParser,
};

function piParser(): ProviderParser {
  /** How the last message of the model ended; null before the first. */
  let stopReason: string | null = null;
  let hasEnded = false;
  const done = (aborted: boolean): ProviderFact => {
    hasEnded = false;
    const reason = aborted ? "aborted" : stopReason;
    const isFailed = aborted || stopReason === null || stopReason === "error" || stopReason === "aborted";
    return { type: "done", outcome: isFailed ? "failed" : "completed", reason };
  };
  return {
    json(value) {
      switch (textOf(value, "type")) {
        case "session":
          return [{ type: "session", sessionId: textOf(value, "id") ?? "", model: null }];
        case "agent_start":
          hasEnded = false;
          return [];
        case "message_update":
          return update(objectOf(value, "assistantMessageEvent"));
        case "message_end": {
          const message = objectOf(value, "message");
          if (textOf(message, "role") !== "assistant") return [];
          stopReason = textOf(message, "stopReason");
          return messageEnd(message);
        }
        case "tool_execution_start":
          return [
            {
              type: "tool_use",
              id: textOf(value, "toolCallId") ?? "",
              name: textOf(value, "toolName") ?? "",
              input: value["args"] ?? null,
            },
          ];
        case "tool_execution_end":
          return [
            {
              type: "tool_result",
              id: textOf(value, "toolCallId") ?? "",
              output: contentText(objectOf(value, "result")["content"] ?? value["result"]),
              isError: value["isError"] === true,
            },
          ];
        case "auto_retry_start":
          return [
            {
              type: "retry",
              attempt: numberOf(value, "attempt"),
              message: textOf(value, "errorMessage") ?? "the request failed",
            },
          ];
        case "response":
          // The answer to a command of the long-lived mode; one that was accepted says nothing new.
          if (value["success"] !== false) return [];
          return [{ type: "error", message: textOf(value, "error") ?? "the command was refused", status: null }];
        case "agent_end":
          hasEnded = value["willRetry"] !== true;
          return [];
        case "agent_settled":
          return [done(value["aborted"] === true)];
        default:
          return [];
      }
    },
    end: () => (hasEnded ? [done(false)] : []),
  };
}

function update(event: JsonObject): readonly ProviderFact[] {
  const text = textOf(event, "delta") ?? "";
  switch (textOf(event, "type")) {
    case "text_delta":
      return [{ type: "text_delta", text }];
    case "thinking_delta":
      return [{ type: "thinking", text, isDelta: true }];
    default:
      return [];
  }
}

function messageEnd(message: JsonObject): readonly ProviderFact[] {
  const facts: ProviderFact[] = [];
  for (const block of arrayOf(message, "content")) {
    if (!isObject(block)) continue;
    const text = textOf(block, "text");
    const thinking = textOf(block, "thinking");
    if (textOf(block, "type") === "text" && text !== null) facts.push({ type: "text", text });
    if (textOf(block, "type") === "thinking" && thinking !== null)
      facts.push({ type: "thinking", text: thinking, isDelta: false });
  }
  const usage = objectOf(message, "usage");
  if (isObject(message["usage"]))
    facts.push({
      type: "usage",
      usage: {
        inputTokens: numberOf(usage, "input") ?? 0,
        outputTokens: numberOf(usage, "output") ?? 0,
        cacheReadTokens: numberOf(usage, "cacheRead") ?? 0,
        cacheWriteTokens: numberOf(usage, "cacheWrite") ?? 0,
        reasoningTokens: numberOf(usage, "reasoning") ?? 0,
      },
      costUsd: numberOf(objectOf(usage, "cost"), "total"),
    });
  const error = textOf(message, "errorMessage");
  if (error !== null) facts.push({ type: "error", message: error, status: statusIn(error) });
  return facts;
}
