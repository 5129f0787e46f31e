/**
 * opencode (`opencode run --format json`). It has no last word: the turn is over when the last step finished
 * with a reason other than tool calls and the process left with 0. A tool call is told once, when it is
 * done. Any signal ends it and leaves its shell behind.
 */
import { GROUP_INTERRUPT } from "./adapter.ts";
import type { ProviderAdapter, ProviderParser } from "./adapter.ts";
import { contentText, isObject, numberOf, objectOf, textOf } from "./json-fields.ts";
import type { JsonObject, ProviderFact } from "./vocabulary.ts";

/** opencode; seen with 1.18.33. */
export const opencode: ProviderAdapter = {
  name: "opencode",
  binary: "opencode",
  polite: GROUP_INTERRUPT,
  buildArgs: ({ prompt, model, sessionId }) => [
    "run",
    "--format",
    "json",
    ...(model === undefined ? [] : ["-m", model]),
    ...(sessionId === undefined ? [] : ["--session", sessionId]),
    prompt,
  ],
  parser: opencodeParser,
};

function opencodeParser(): ProviderParser {
  let session: string | null = null;
  /** Why the last step finished; null while one is open or none was. */
  let finished: string | null = null;
  let failed = false;
  return {
    json(value) {
      const facts: ProviderFact[] = [];
      const id = textOf(value, "sessionID");
      if (id !== null && id !== session) {
        session = id;
        facts.push({ type: "session", sessionId: id, model: null });
      }
      const part = objectOf(value, "part");
      switch (textOf(value, "type")) {
        case "step_start":
          finished = null;
          failed = false;
          break;
        case "text":
          facts.push({ type: "text", text: textOf(part, "text") ?? "" });
          break;
        case "reasoning":
          facts.push({ type: "thinking", text: textOf(part, "text") ?? "", isDelta: false });
          break;
        case "tool_use":
          facts.push(...tool(part));
          break;
        case "step_finish":
          finished = textOf(part, "reason");
          if (finished === "error") failed = true;
          if (isObject(part["tokens"])) facts.push(usage(part));
          break;
        case "error": {
          failed = true;
          const error = objectOf(value, "error");
          const data = objectOf(error, "data");
          const message =
            textOf(data, "message") ??
            textOf(error, "message") ??
            textOf(error, "name") ??
            textOf(value, "error") ??
            "unknown error";
          facts.push({ type: "error", message, status: numberOf(data, "statusCode") });
          break;
        }
        default:
          break;
      }
      return facts;
    },
    end({ exitCode, isTorn }) {
      if (failed) return [{ type: "done", outcome: "failed", reason: "error" }];
      if (finished === null || finished === "tool-calls" || exitCode !== 0 || isTorn) return [];
      return [{ type: "done", outcome: "completed", reason: finished }];
    },
  };
}

function tool(part: JsonObject): readonly ProviderFact[] {
  const state = objectOf(part, "state");
  const id = textOf(part, "callID") ?? "";
  const status = textOf(state, "status");
  const isError = status === "error";
  const use: ProviderFact = { type: "tool_use", id, name: textOf(part, "tool") ?? "", input: state["input"] ?? null };
  if (status === "pending" || status === "running") return [use];
  return [
    use,
    {
      type: "tool_result",
      id,
      output: isError ? (textOf(state, "error") ?? "") : contentText(state["output"]),
      isError,
    },
  ];
}

function usage(part: JsonObject): ProviderFact {
  const tokens = objectOf(part, "tokens");
  const cache = objectOf(tokens, "cache");
  return {
    type: "usage",
    usage: {
      inputTokens: numberOf(tokens, "input") ?? 0,
      outputTokens: numberOf(tokens, "output") ?? 0,
      cacheReadTokens: numberOf(cache, "read") ?? 0,
      cacheWriteTokens: numberOf(cache, "write") ?? 0,
      reasoningTokens: numberOf(tokens, "reasoning") ?? 0,
    },
    costUsd: numberOf(part, "cost"),
  };
}
