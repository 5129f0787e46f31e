/**
 * Any program that writes lines, JSON or text. There is no vocabulary to know: an object with a `type` that
 * the vocabulary has is taken at its word, everything else passes through. Its turn is its exit status.
 */
import type { ProviderAdapter, ProviderParser } from "./adapter.ts";
import { contentText, numberOf, textOf, usageOf, objectOf } from "./json-fields.ts";
import type { JsonObject, ProviderFact } from "./vocabulary.ts";

/** A program of your own. `binary` must be given: there is no default. */
export const lines: ProviderAdapter = {
  name: "lines",
  binary: "",
  parser: (): ProviderParser => ({
    json: (value) => fact(value),
    text: (text) => [{ type: "line", text }],
    end: ({ exitCode }) => (exitCode === 0 ? [{ type: "done", outcome: "completed", reason: null }] : []),
  }),
};

function fact(value: JsonObject): readonly ProviderFact[] {
  const text = textOf(value, "text") ?? textOf(value, "message") ?? "";
  switch (textOf(value, "type")) {
    case "session":
      return [
        {
          type: "session",
          sessionId: textOf(value, "sessionId") ?? textOf(value, "session_id") ?? textOf(value, "id") ?? "",
          model: textOf(value, "model"),
        },
      ];
    case "text_delta":
      return [{ type: "text_delta", text }];
    case "text":
      return [{ type: "text", text }];
    case "thinking":
      return [{ type: "thinking", text, isDelta: value["isDelta"] === true }];
    case "tool_use":
      return [
        {
          type: "tool_use",
          id: textOf(value, "id") ?? "",
          name: textOf(value, "name") ?? "",
          input: value["input"] ?? null,
        },
      ];
    case "tool_result":
      return [
        {
          type: "tool_result",
          id: textOf(value, "id") ?? "",
          output: contentText(value["output"] ?? value["content"]),
          isError: value["isError"] === true || value["is_error"] === true,
        },
      ];
    case "usage":
      return [{ type: "usage", usage: usageOf(objectOf(value, "usage")), costUsd: numberOf(value, "costUsd") }];
    case "retry":
      return [{ type: "retry", attempt: numberOf(value, "attempt"), message: text }];
    case "error":
      return [{ type: "error", message: text, status: numberOf(value, "status") }];
    case "done":
      return [
        {
          type: "done",
          outcome: value["outcome"] === "failed" ? "failed" : "completed",
          reason: textOf(value, "reason"),
        },
      ];
    default:
      return [];
  }
}
