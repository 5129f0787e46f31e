/** Reads fields of JSON of which nothing is certain: a field of another type is as good as absent. */
import type { JsonObject, Usage } from "./vocabulary.ts";

/** Whether `value` is an object of JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field that holds an object; an empty one otherwise. */
export function objectOf(from: JsonObject, key: string): JsonObject {
  const value = from[key];
  return isObject(value) ? value : {};
}

/** A field that holds an array; an empty one otherwise. */
export function arrayOf(from: JsonObject, key: string): readonly unknown[] {
  const value = from[key];
  return Array.isArray(value) ? value : [];
}

/** A field that holds a string; null otherwise. */
export function textOf(from: JsonObject, key: string): string | null {
  const value = from[key];
  return typeof value === "string" ? value : null;
}

/** A field that holds a finite number; null otherwise. */
export function numberOf(from: JsonObject, key: string): number | null {
  const value = from[key];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The text of a tool's result: a string, or a list of `{type: "text", text}` blocks; other blocks as JSON. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content
    .map((block) => (isObject(block) ? (textOf(block, "text") ?? JSON.stringify(block)) : contentText(block)))
    .join("\n");
}

/** The first of these fields that holds a finite number; 0 when none does. */
function countOf(from: JsonObject, ...keys: readonly string[]): number {
  for (const key of keys) {
    const found = numberOf(from, key);
    if (found !== null) return found;
  }
  return 0;
}

/** Tokens under the names that the Anthropic and OpenAI APIs have for them, or under the vocabulary's own. */
export function usageOf(from: JsonObject): Usage {
  return {
    inputTokens: countOf(from, "input_tokens", "inputTokens"),
    outputTokens: countOf(from, "output_tokens", "outputTokens"),
    cacheReadTokens: countOf(from, "cache_read_input_tokens", "cached_input_tokens", "cacheReadTokens"),
    cacheWriteTokens: countOf(from, "cache_creation_input_tokens", "cache_write_input_tokens", "cacheWriteTokens"),
    reasoningTokens:
      countOf(from, "reasoning_output_tokens", "reasoningTokens") ||
      countOf(objectOf(from, "output_tokens_details"), "thinking_tokens"),
  };
}

/** An HTTP status that a message begins with ("[API Error: 500 …]" too), or names: "status 401", `"code":401`. */
export function statusIn(message: string): number | null {
  const match = /^(?:\[API Error: )?([45]\d\d)\b|\bstatus(?: code)?:? ([45]\d\d)\b|"code":\s*([45]\d\d)\b/.exec(
    message,
  );
  return match === null ? null : Number(match[1] ?? match[2] ?? match[3]);
}
