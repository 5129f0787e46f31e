/**
 * Gemini CLI (`gemini -o stream-json`): a launcher and a worker. A signal to the launcher alone does nothing,
 * to the group it leaves with 0 and no `result`. Its exit code is the HTTP status modulo 256, and 0 on some
 * failures: `result.status` decides. With a pipe for stdout its last line may be torn.
 */
import { GROUP_INTERRUPT } from "./adapter.ts";
import type { ProviderAdapter, ProviderParser } from "./adapter.ts";
import { contentText, isObject, numberOf, objectOf, statusIn, textOf } from "./json-fields.ts";
import type { JsonObject, ProviderFact } from "./vocabulary.ts";

/** Gemini CLI; seen with 0.61.0. */
export const gemini: ProviderAdapter = {
  name: "gemini",
  binary: "gemini",
  polite: GROUP_INTERRUPT,
  buildArgs: ({ prompt, model, sessionId }) => [
    "-p",
    prompt,
    "-o",
    "stream-json",
    ...(model === undefined ? [] : ["-m", model]),
    ...(sessionId === undefined ? [] : ["--resume", sessionId]),
  ],
  parser: geminiParser,
};

function geminiParser(): ProviderParser {
  /** Whether the turn said already what failed. */
  let hasSaidWhy = false;
  return {
    json(value) {
      switch (textOf(value, "type")) {
        case "init":
          return [{ type: "session", sessionId: textOf(value, "session_id") ?? "", model: textOf(value, "model") }];
        case "message": {
          if (textOf(value, "role") !== "assistant") return [];
          const text = contentText(value["content"]);
          return [value["delta"] === true ? { type: "text_delta", text } : { type: "text", text }];
        }
        case "tool_use":
          return [
            {
              type: "tool_use",
              id: textOf(value, "tool_id") ?? "",
              name: textOf(value, "tool_name") ?? "",
              input: value["parameters"] ?? null,
            },
          ];
        case "tool_result": {
          const isError = textOf(value, "status") !== "success";
          const output = contentText(value["output"]);
          return [
            {
              type: "tool_result",
              id: textOf(value, "tool_id") ?? "",
              output: output === "" && isError ? (textOf(objectOf(value, "error"), "message") ?? "") : output,
              isError,
            },
          ];
        }
        case "error":
          hasSaidWhy = true;
          return [{ type: "error", message: textOf(value, "message") ?? "unknown error", status: null }];
        case "result":
          return result(value, hasSaidWhy);
        default:
          return [];
      }
    },
  };
}

function result(value: JsonObject, hasSaidWhy: boolean): readonly ProviderFact[] {
  const stats = objectOf(value, "stats");
  const isError = textOf(value, "status") !== "success";
  const error = objectOf(value, "error");
  const facts: ProviderFact[] = [];
  if (isObject(value["stats"])) {
    facts.push({
      type: "usage",
      usage: {
        inputTokens: numberOf(stats, "input_tokens") ?? 0,
        outputTokens: numberOf(stats, "output_tokens") ?? 0,
        cacheReadTokens: numberOf(stats, "cached") ?? 0,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
      },
      costUsd: null,
    });
  }
  const said = textOf(error, "message");
  if (isError && (said !== null || !hasSaidWhy))
    facts.push({ type: "error", message: said ?? "the turn failed", status: statusIn(said ?? "") });
  facts.push({ type: "done", outcome: isError ? "failed" : "completed", reason: textOf(error, "type") });
  return facts;
}
