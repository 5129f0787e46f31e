/**
 * GitHub Copilot CLI (`copilot --output-format json`): a launcher and a worker. The session's id comes in the
 * last line only, or first where the CLI tells of its start; `result.exitCode` is 0 after an abort too. Tokens are
 * told with GitHub's own models only, and their cost in premium requests, not in money.
 */
import { GROUP_INTERRUPT } from "./adapter.ts";
import type { ProviderAdapter, ProviderParser } from "./adapter.ts";
import { contentText, numberOf, objectOf, textOf, usageOf } from "./json-fields.ts";

/** Copilot CLI; seen with 1.0.102. */
export const copilot: ProviderAdapter = {
  name: "copilot",
  binary: "copilot",
  polite: GROUP_INTERRUPT,
  buildArgs: ({ prompt, model, sessionId }) => [
    "-p",
    prompt,
    "--output-format",
    "json",
    "--no-color",
    ...(model === undefined ? [] : ["--model", model]),
    ...(sessionId === undefined ? [] : ["--resume", sessionId]),
  ],
  parser: copilotParser,
};

function copilotParser(): ProviderParser {
  let isAborted = false;
  /** What the last request failed of. */
  let failure = "";
  return {
    json(value) {
      const data = objectOf(value, "data");
      switch (textOf(value, "type")) {
        case "assistant.message_delta":
          return [{ type: "text_delta", text: textOf(data, "deltaContent") ?? "" }];
        case "assistant.message": {
          const text = textOf(data, "content") ?? "";
          return text === "" ? [] : [{ type: "text", text }];
        }
        case "assistant.reasoning_delta":
          return [{ type: "thinking", text: textOf(data, "deltaContent") ?? "", isDelta: true }];
        case "assistant.reasoning":
          return [{ type: "thinking", text: textOf(data, "content") ?? "", isDelta: false }];
        case "tool.execution_start":
          return [
            {
              type: "tool_use",
              id: textOf(data, "toolCallId") ?? "",
              name: textOf(data, "toolName") ?? "",
              input: data["arguments"] ?? null,
            },
          ];
        case "tool.execution_complete": {
          const isError =
            data["success"] === false || (numberOf(objectOf(data, "shellExecution"), "exitCode") ?? 0) !== 0;
          const output = contentText(objectOf(data, "result")["content"]);
          const error = textOf(objectOf(data, "error"), "message") ?? "";
          return [
            {
              type: "tool_result",
              id: textOf(data, "toolCallId") ?? "",
              output: output === "" ? error : output,
              isError,
            },
          ];
        }
        case "session.start":
        case "session.resume": {
          const sessionId = textOf(data, "sessionId");
          return sessionId === null
            ? []
            : [{ type: "session", sessionId, model: textOf(data, "selectedModel") ?? textOf(data, "model") }];
        }
        case "assistant.usage":
          return [{ type: "usage", usage: usageOf(data), costUsd: null }];
        case "model.call_failure": {
          const status = numberOf(data, "statusCode");
          const said = textOf(data, "errorMessage") ?? textOf(data, "failureKind") ?? "";
          failure = `${said}${status === null ? "" : ` (${status})`}`;
          return [];
        }
        case "assistant.turn_retry": {
          const reason = textOf(data, "reason") ?? "the request failed";
          return [{ type: "retry", attempt: null, message: failure === "" ? reason : `${reason}: ${failure}` }];
        }
        case "session.error":
          return [
            {
              type: "error",
              message: textOf(data, "message") ?? "unknown error",
              status: numberOf(data, "statusCode"),
            },
          ];
        case "abort":
        case "agent.interrupted":
          isAborted = true;
          return [];
        case "result": {
          const code = numberOf(value, "exitCode");
          const isFailed = isAborted || code !== 0;
          return [
            { type: "session", sessionId: textOf(value, "sessionId") ?? "", model: null },
            {
              type: "done",
              outcome: isFailed ? "failed" : "completed",
              reason: isAborted ? "aborted" : code === null ? null : `exit code ${code}`,
            },
          ];
        }
        default:
          return [];
      }
    },
  };
}
