/** What a stream of events comes to: the session, the tokens, the cost, how the turn ended. */
import { NO_USAGE } from "./vocabulary.ts";
import type { ProviderEvent, Usage } from "./vocabulary.ts";

/** Takes events; tells what they came to. */
export class TurnSummary {
  #sessionId: string | null = null;
  #usage: Usage | null = null;
  #costUsd: number | null = null;
  #turn: "completed" | "failed" | "missing" = "missing";
  #error: string | null = null;
  #isTorn = false;

  /** The last session that was named. */
  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Tokens of all turns and attempts; null when none were told. */
  get usage(): Usage | null {
    return this.#usage;
  }

  /** Cost of all turns and attempts; null when none was told. */
  get costUsd(): number | null {
    return this.#costUsd;
  }

  /** How the last turn ended: an exit status alone never tells whether an agent succeeded. */
  get turn(): "completed" | "failed" | "missing" {
    return this.#turn;
  }

  /** The last thing that failed in a turn that did not complete. */
  get error(): string | null {
    if (this.#turn === "completed") return null;
    return this.#error ?? (this.#isTorn ? "the output ends in the middle of a line" : null);
  }

  /** A new attempt begins: its turn is open. */
  restart(): void {
    this.#turn = "missing";
    this.#error = null;
    this.#isTorn = false;
  }

  /** Takes one event. */
  take(event: ProviderEvent): void {
    switch (event.type) {
      case "session":
        if (event.sessionId !== "") this.#sessionId = event.sessionId;
        return;
      case "usage":
        this.#usage = addUsage(this.#usage ?? NO_USAGE, event.usage);
        if (event.costUsd !== null) this.#costUsd = (this.#costUsd ?? 0) + event.costUsd;
        return;
      case "text":
      case "text_delta":
      case "tool_use":
        // The next turn of a long-lived session has begun.
        this.#turn = "missing";
        return;
      case "error":
        this.#error = event.message;
        return;
      case "done":
        this.#turn = event.outcome;
        if (event.outcome === "completed") this.#error = null;
        return;
      case "noise":
        if (event.reason === "torn") this.#isTorn = true;
        return;
      default:
        return;
    }
  }
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}
