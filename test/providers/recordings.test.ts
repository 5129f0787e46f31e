/** What the recordings of seven real agent CLIs mean in the one vocabulary. */
import { describe, expect, test } from "vitest";
import { TurnSummary, eventsOf, providerNamed } from "../../src/providers/index.ts";
import type { ProviderEvent } from "../../src/providers/index.ts";
import { recording, recordings } from "./recordings.ts";

/** Recordings whose turn failed, and those that have no last word; every other turn completed. */
const FAILED: Readonly<Record<string, readonly string[]>> = {
  claude: ["cut", "cut-tool", "err-midstream", "err401", "err500", "no-key", "sigint-tool", "live-interrupt"],
  codex: ["cut", "cut-tool", "err-midstream", "err401", "err500", "no-key"],
  gemini: ["cut", "empty", "err-midstream", "err401", "err500"],
  opencode: ["cut", "cut-tool", "err-midstream", "err401", "err500"],
  pi: ["cut", "cut-tool", "err-midstream", "err401", "err500", "live-interrupt"],
  qwen: ["cut", "cut-tool", "empty", "err-midstream", "err401", "err500", "no-key"],
  copilot: ["cut", "cut-tool", "empty", "err-midstream", "err401", "err500"],
};
const MISSING: Readonly<Record<string, readonly string[]>> = {
  claude: ["epipe", "sigkill-tool", "sigterm-tool"],
  codex: ["epipe", "sigint-tool", "sigkill-tool", "sigterm-tool", "stdin-open"],
  gemini: ["cut-tool", "epipe", "no-key", "sigkill-tool", "shell-big", "shell-big-pipe"],
  opencode: ["epipe", "sigint-tool", "sigkill-tool", "sigterm-tool", "stdin-open"],
  pi: ["epipe", "no-key", "ext-sigterm", "sigint-tool", "sigkill-tool", "sigterm-tool", "stdin-open"],
  qwen: ["epipe", "sigint-tool", "sigkill-tool", "sigterm-tool"],
  copilot: ["epipe", "sigint-tool", "sigkill-tool", "sigterm-tool"],
};

function eventsIn(provider: string, name: string): readonly ProviderEvent[] {
  const { bytes, exitCode } = recording(provider, name);
  return eventsOf(providerNamed(provider), bytes, 65_536, exitCode);
}

function summaryOf(events: readonly ProviderEvent[]): TurnSummary {
  const summary = new TurnSummary();
  for (const event of events) summary.take(event);
  return summary;
}

function ofType<T extends ProviderEvent["type"]>(
  events: readonly ProviderEvent[],
  type: T,
): readonly Extract<ProviderEvent, { type: T }>[] {
  return events.filter((event): event is Extract<ProviderEvent, { type: T }> => event.type === type);
}

describe.each(recordings().map((one) => [one.provider, one.name, one] as const))("%s %s", (provider, name, one) => {
  test("the turn", () => {
    const summary = summaryOf(eventsOf(providerNamed(provider), one.bytes, 65_536, one.exitCode));
    const expected =
      FAILED[provider]?.includes(name) === true
        ? "failed"
        : MISSING[provider]?.includes(name) === true
          ? "missing"
          : "completed";
    expect(summary.turn).toBe(expected);
    if (expected === "failed") expect(summary.error).toMatch(/\w{3}/);
    if (expected === "completed") expect(summary.error).toBeNull();
  });
});

describe.each(["claude", "codex", "gemini", "opencode", "pi", "qwen", "copilot"])("%s", (provider) => {
  test("tells its session", () => {
    expect(summaryOf(eventsIn(provider, "text")).sessionId).toMatch(/[\w-]{20,}/);
  });

  test("tells its text, whole or in pieces", () => {
    const events = eventsIn(provider, "text");
    const whole = ofType(events, "text")
      .map((event) => event.text)
      .join("");
    const pieces = ofType(events, "text_delta")
      .map((event) => event.text)
      .join("");
    expect(whole === "" ? pieces : whole).toBe("Hello from the fake model. This is a plain answer.");
  });

  test("tells a tool's use and its result under one id", () => {
    const events = eventsIn(provider, "shell");
    const [use] = ofType(events, "tool_use");
    const [result] = ofType(events, "tool_result");
    expect(JSON.stringify(use?.input)).toContain("hello-out");
    expect(result?.id).toBe(use?.id);
    expect(result?.output).toContain("hello-out");
    expect(result?.isError).toBe(false);
  });

  test("tells two tools apart", () => {
    const events = eventsIn(provider, "shell-two");
    expect(new Set(ofType(events, "tool_use").map((event) => event.id)).size).toBe(2);
    expect(ofType(events, "tool_result")).toHaveLength(2);
  });

  test("passes every object on", () => {
    const { bytes } = recording(provider, "shell-text");
    const objects = bytes
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
    const raws = new Set(
      eventsIn(provider, "shell-text")
        .map((event) => event.raw)
        .filter((raw) => raw !== null),
    );
    expect([...raws].map((raw) => JSON.stringify(raw))).toEqual(
      objects.map((line) => JSON.stringify(JSON.parse(line))),
    );
  });

  test("says why a turn failed", () => {
    expect(summaryOf(eventsIn(provider, "err401")).error).toMatch(/401|invalid key|authenticat/i);
  });
});

test("tokens and cost, where they are told", () => {
  const of = (provider: string): readonly [number | undefined, number | undefined, number | null] => {
    const summary = summaryOf(eventsIn(provider, "shell"));
    return [summary.usage?.inputTokens, summary.usage?.outputTokens, summary.costUsd];
  };
  expect(of("claude")).toEqual([2400, 68, 0.01104]);
  expect(of("codex")).toEqual([2400, 68, null]);
  expect(of("gemini")).toEqual([2400, 68, null]);
  expect(of("opencode")).toEqual([2000, 54, 0.002176]);
  expect(of("pi")).toEqual([2000, 68, 0.002176]);
  expect(of("qwen")).toEqual([2400, 68, null]);
  expect(of("copilot")).toEqual([undefined, undefined, null]);
});

test("the cost of a second turn is not counted twice", () => {
  const events = eventsIn("claude", "live-text2");
  expect(ofType(events, "done")).toHaveLength(2);
  expect(summaryOf(events).costUsd).toBeCloseTo(0.01104, 8);
});

test("a retry is no failure", () => {
  for (const provider of ["claude", "codex", "pi", "copilot"]) {
    const retries = ofType(eventsIn(provider, "err500"), "retry");
    expect([provider, retries.length > 0]).toEqual([provider, true]);
  }
});

test("a failure of the API is no text of the model's, and tells its status", () => {
  for (const provider of ["claude", "codex", "gemini", "opencode", "pi", "qwen", "copilot"]) {
    const events = eventsIn(provider, "err401");
    expect([provider, ofType(events, "text"), ofType(events, "text_delta")]).toEqual([provider, [], []]);
    const statuses = ofType(events, "error").map((event) => event.status);
    expect([provider, statuses.at(-1)]).toEqual([provider, 401]);
  }
});

test("thinking is told apart from text", () => {
  for (const provider of ["claude", "codex", "pi", "qwen", "copilot"]) {
    const thoughts = ofType(eventsIn(provider, "thinking"), "thinking")
      .map((event) => event.text)
      .join("");
    expect(`${provider}: ${thoughts}`).toContain("Let me think about the question");
    expect(ofType(eventsIn(provider, "thinking"), "text").map((event) => event.text)).toEqual(["The answer is 42."]);
  }
});

test("a torn last line is told, and its turn is not taken for complete", () => {
  const events = eventsIn("gemini", "shell-big");
  expect(ofType(events, "noise").map((event) => event.reason)).toEqual(["torn"]);
  expect(summaryOf(events).error).toMatch(/middle of a line/);
});

test("a line of three megabytes is one event", () => {
  const [result] = ofType(eventsIn("gemini", "shell-big-file"), "tool_result");
  expect(result?.output.length).toBeGreaterThan(3_000_000);
});
