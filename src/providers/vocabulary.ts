/**
 * What any agent's stream says, in one typed vocabulary. Every event carries the provider's own object in
 * `raw`, and what the vocabulary has no word for passes through as `unknown`, so nothing that an agent said
 * is out of a caller's reach.
 *
 * Several events may come from one line (an assistant message with three blocks); they share one `raw`.
 */

/** An object of JSON as it was parsed. */
export type JsonObject = { readonly [key: string]: unknown };

/** Tokens of one turn, step or message; 0 where a provider does not count them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
}

/** Why a line is no event of the provider's. */
export type NoiseReason =
  /** Text, a banner, a warning, broken JSON, or JSON that is no object. */
  | "not_json"
  /** A last line that was cut off in the middle of its JSON: what the agent said last is lost. */
  | "torn"
  /** The line holds bytes that are no UTF-8; where it is JSON all the same, its event follows. */
  | "invalid_utf8"
  /** A byte order mark at the very beginning; what follows it is read as usual. */
  | "bom"
  /** Longer than what a line may hold in memory; the rest of it was skipped. */
  | "too_long";

/** What an adapter makes of a line; the stream adds `raw`. */
export type ProviderFact =
  /** The agent's own session: what a later run resumes. */
  | { readonly type: "session"; readonly sessionId: string; readonly model: string | null }
  /** A piece of text as it streams; a `text` with the whole follows where the provider sends one. */
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string; readonly isDelta: boolean }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: "tool_result"; readonly id: string; readonly output: string; readonly isError: boolean }
  /** What was used since the last `usage`; `costUsd` is null where the provider does not tell. */
  | { readonly type: "usage"; readonly usage: Usage; readonly costUsd: number | null }
  /** The agent tries again by itself. */
  | { readonly type: "retry"; readonly attempt: number | null; readonly message: string }
  /** Something failed; only `done` tells whether the turn did. */
  | { readonly type: "error"; readonly message: string; readonly status: number | null }
  /** The turn is over. */
  | { readonly type: "done"; readonly outcome: "completed" | "failed"; readonly reason: string | null }
  /** A line of text of a program that speaks no JSON. */
  | { readonly type: "line"; readonly text: string }
  /** Nothing of the above: look at `raw`. */
  | { readonly type: "unknown" };

/** One event of a provider's stream. */
export type ProviderEvent =
  | (ProviderFact & { readonly raw: JsonObject | string | null })
  /** Not the provider's: reported, and never the end of a run. `text` is cut at 4 KiB. */
  | {
      readonly type: "noise";
      readonly reason: NoiseReason;
      readonly text: string;
      readonly bytes: number;
      readonly raw: null;
    };

/** No tokens. */
export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
