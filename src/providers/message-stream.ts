/**
 * The stream that Claude Code made and Qwen Code took over: `system`, `assistant`, `user`, `stream_event`, and a
 * `result` that ends each turn. One message of the model comes as several `assistant` lines with the same
 * id, and its usage there is only the start's: what counts is in `result`.
 */
import { arrayOf, contentText, isObject, numberOf, objectOf, statusIn, textOf, usageOf } from "./json-fields.ts";
import type { ProviderParser } from "./adapter.ts";
import type { JsonObject, ProviderFact } from "./vocabulary.ts";

/** A parser of such a stream. What matches `ownWords` is an answer of the CLI's about the API, not the model's. */
export function messageStreamParser(ownWords: RegExp | null = null): ProviderParser {
  let session: string | null = null;
  let costSoFar = 0;

  const sessionFact = (value: JsonObject): ProviderFact[] => {
    const id = textOf(value, "session_id");
    if (id === null || id === "" || id === session) return [];
    session = id;
    return [{ type: "session", sessionId: id, model: textOf(value, "model") }];
  };

  const result = (value: JsonObject): ProviderFact[] => {
    const facts: ProviderFact[] = [];
    // The cost is the process's so far, the usage the turn's: both become what was added.
    const total = numberOf(value, "total_cost_usd");
    const cost = total === null ? null : Math.max(0, total - costSoFar);
    if (total !== null) costSoFar = total;
    if (isObject(value["usage"]) || cost !== null)
      facts.push({ type: "usage", usage: usageOf(objectOf(value, "usage")), costUsd: cost });
    const isError = value["is_error"] === true || (textOf(value, "subtype") ?? "success") !== "success";
    const reason = textOf(value, "terminal_reason") ?? textOf(value, "subtype");
    if (isError) {
      const said =
        textOf(value, "result") ??
        textOf(objectOf(value, "error"), "message") ??
        arrayOf(value, "errors")
          .filter((e) => typeof e === "string")
          .join("; ");
      facts.push({
        type: "error",
        message: said === "" ? (reason ?? "the turn failed") : said,
        status: numberOf(value, "api_error_status") ?? statusIn(said),
      });
    }
    facts.push({ type: "done", outcome: isError ? "failed" : "completed", reason });
    return facts;
  };

  return {
    json(value) {
      const facts = sessionFact(value);
      switch (textOf(value, "type")) {
        case "system":
          if (textOf(value, "subtype") === "api_retry") facts.push(retry(value));
          if (textOf(value, "subtype") === "retry") facts.push(retry(objectOf(value, "data")));
          break;
        case "stream_event":
          facts.push(...delta(objectOf(value, "event")));
          break;
        case "assistant":
          facts.push(...assistant(value, ownWords));
          break;
        case "user":
          for (const block of arrayOf(objectOf(value, "message"), "content")) {
            if (!isObject(block) || textOf(block, "type") !== "tool_result") continue;
            facts.push(toolResult(block));
          }
          break;
        case "result":
          facts.push(...result(value));
          break;
        case "streamlined_text":
          facts.push({ type: "text", text: textOf(value, "text") ?? "" });
          break;
        case "auth_status":
          if (textOf(value, "error") !== null)
            facts.push({ type: "error", message: textOf(value, "error") ?? "", status: null });
          break;
        default:
          break;
      }
      return facts;
    },
  };
}

function retry(value: JsonObject): ProviderFact {
  const status = numberOf(value, "error_status");
  const what = textOf(value, "error") ?? textOf(value, "message") ?? "the request failed";
  return {
    type: "retry",
    attempt: numberOf(value, "attempt"),
    message: status === null ? what : `${what} (${status})`,
  };
}

function delta(event: JsonObject): ProviderFact[] {
  if (textOf(event, "type") !== "content_block_delta") return [];
  const part = objectOf(event, "delta");
  const text = textOf(part, "text");
  if (text !== null) return [{ type: "text_delta", text }];
  const thinking = textOf(part, "thinking");
  return thinking === null ? [] : [{ type: "thinking", text: thinking, isDelta: true }];
}

function toolResult(block: JsonObject): ProviderFact {
  return {
    type: "tool_result",
    id: textOf(block, "tool_use_id") ?? "",
    output: contentText(block["content"]),
    isError: block["is_error"] === true,
  };
}

function assistant(value: JsonObject, ownWords: RegExp | null): ProviderFact[] {
  const facts: ProviderFact[] = [];
  const isApiError = value["is_api_error_message"] === true || textOf(value, "error") !== null;
  for (const block of arrayOf(objectOf(value, "message"), "content")) {
    if (!isObject(block)) continue;
    switch (textOf(block, "type")) {
      case "text": {
        const text = textOf(block, "text") ?? "";
        // An answer of the CLI's own about the API, not of the model's.
        if (isApiError || ownWords?.test(text) === true)
          facts.push({ type: "error", message: text, status: numberOf(value, "api_error_status") ?? statusIn(text) });
        else facts.push({ type: "text", text });
        break;
      }
      case "thinking":
        facts.push({ type: "thinking", text: textOf(block, "thinking") ?? "", isDelta: false });
        break;
      case "tool_use":
      case "server_tool_use":
      case "mcp_tool_use":
        facts.push({
          type: "tool_use",
          id: textOf(block, "id") ?? "",
          name: textOf(block, "name") ?? "",
          input: block["input"] ?? null,
        });
        break;
      default:
        // What the API's own tools found stands in the same message ("web_search_tool_result" and the like).
        if (textOf(block, "type")?.endsWith("tool_result") === true) facts.push(toolResult(block));
        break;
    }
  }
  return facts;
}
