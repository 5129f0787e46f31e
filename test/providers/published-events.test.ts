/**
 * Events that the CLIs' published schemas have and our recordings do not: each means something in the vocabulary,
 * or passes through, and none is taken for what it is not.
 */
import { describe, expect, test } from "vitest";
import { TurnSummary, eventsOf, providerNamed } from "../../src/providers/index.ts";
import type { ProviderEvent } from "../../src/providers/index.ts";

/** What objects mean, without what they were; `exitCode` as the process ended. */
function told(provider: string, objects: readonly unknown[], exitCode: number | null = 0): readonly unknown[] {
  return events(provider, objects, exitCode).map((event) =>
    Object.fromEntries(Object.entries(event).filter(([key]) => key !== "raw")),
  );
}

function events(provider: string, objects: readonly unknown[], exitCode: number | null): readonly ProviderEvent[] {
  const text = objects.map((one) => `${JSON.stringify(one)}\n`).join("");
  return eventsOf(providerNamed(provider), Buffer.from(text), 4096, exitCode);
}

function turnOf(provider: string, objects: readonly unknown[], exitCode: number | null = 0): readonly unknown[] {
  const summary = new TurnSummary();
  for (const event of events(provider, objects, exitCode)) summary.take(event);
  return [summary.turn, summary.error];
}

describe("codex", () => {
  const completed = (item: object): object => ({ type: "item.completed", item });

  test("a tool that is told when it is done only has a use and a result", () => {
    const changes = [{ path: "a.ts", kind: "update" }];
    expect(told("codex", [completed({ id: "i1", type: "file_change", changes, status: "completed" })])).toEqual([
      { type: "tool_use", id: "i1", name: "file_change", input: { changes } },
      { type: "tool_result", id: "i1", output: "", isError: false },
    ]);
  });

  test("a search that was told at its start has one use", () => {
    const item = { id: "i2", type: "web_search", query: "proctor" };
    expect(told("codex", [{ type: "item.started", item }, completed(item)])).toEqual([
      { type: "tool_use", id: "i2", name: "web_search", input: { query: "proctor" } },
      { type: "tool_result", id: "i2", output: "", isError: false },
    ]);
  });

  test("a command that was declined failed", () => {
    const item = { id: "i3", type: "command_execution", command: "rm", aggregated_output: "", status: "declined" };
    expect(told("codex", [completed(item)]).at(-1)).toMatchObject({ type: "tool_result", isError: true });
  });

  test("a call of another agent is a tool's", () => {
    const item = { id: "i4", type: "collab_tool_call", tool: "spawn_agent", prompt: "look", status: "failed" };
    expect(told("codex", [completed(item)])).toEqual([
      { type: "tool_use", id: "i4", name: "spawn_agent", input: { prompt: "look" } },
      { type: "tool_result", id: "i4", output: "", isError: true },
    ]);
  });

  test("a to-do list, a plan and a warning pass through", () => {
    const items = [
      { type: "todo_list", items: [] },
      { type: "plan", text: "" },
      { type: "error", message: "careful" },
    ];
    expect(told("codex", [...items.map(completed), { type: "item.updated", item: items[0] }])).toEqual(
      Array.from({ length: 4 }, () => ({ type: "unknown" })),
    );
  });

  test("a turn whose tokens are not told has no usage", () => {
    expect(told("codex", [{ type: "turn.completed" }])).toEqual([{ type: "done", outcome: "completed", reason: null }]);
  });
});

describe("claude", () => {
  const assistant = (...content: readonly object[]): object => ({ type: "assistant", message: { content } });

  test("tools that the API runs itself are tools", () => {
    const found = [{ type: "web_search_result", title: "t" }];
    expect(
      told("claude", [
        assistant({ type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } }),
        assistant({ type: "web_search_tool_result", tool_use_id: "s1", content: found }),
      ]),
    ).toEqual([
      { type: "tool_use", id: "s1", name: "web_search", input: { query: "q" } },
      { type: "tool_result", id: "s1", output: JSON.stringify(found[0]), isError: false },
    ]);
  });

  test.each(["error_max_turns", "error_max_budget_usd", "error_max_structured_output_retries"])(
    "%s fails the turn, without a word of is_error",
    (subtype) => {
      expect(turnOf("claude", [{ type: "result", subtype, errors: [] }])).toEqual(["failed", subtype]);
    },
  );

  test("a cost without tokens is told", () => {
    expect(told("claude", [{ type: "result", subtype: "success", total_cost_usd: 0.5 }])[0]).toMatchObject({
      type: "usage",
      costUsd: 0.5,
    });
  });

  test("a failed login is an error", () => {
    expect(told("claude", [{ type: "auth_status", isAuthenticating: false, output: [], error: "no" }])).toEqual([
      { type: "error", message: "no", status: null },
    ]);
  });

  test.each([
    { type: "system", subtype: "compact_boundary", compact_metadata: { trigger: "auto", pre_tokens: 1 } },
    { type: "system", subtype: "model_refusal_no_fallback" },
    { type: "system", subtype: "hook_response", outcome: "error", exit_code: 1 },
    { type: "system", subtype: "task_notification", status: "failed", summary: "x" },
    { type: "tool_progress", tool_use_id: "t", elapsed_time_seconds: 30 },
    { type: "rate_limit_event", rate_limit_info: { status: "allowed" } },
    { type: "control_request", request_id: "1", request: { subtype: "can_use_tool", tool_name: "Bash" } },
    { type: "keep_alive" },
  ])("$type $subtype passes through", (object) => {
    expect(told("claude", [object])).toEqual([{ type: "unknown" }]);
  });
});

describe("gemini", () => {
  test("the reason of a failure that was told before stands", () => {
    expect(
      turnOf("gemini", [
        { type: "error", severity: "error", message: "Maximum session turns exceeded" },
        { type: "result", status: "error", stats: {} },
      ]),
    ).toEqual(["failed", "Maximum session turns exceeded"]);
  });

  test("a warning fails nothing, and a result without numbers has no usage", () => {
    const objects = [
      { type: "error", severity: "warning", message: "Loop detected, stopping execution" },
      { type: "result", status: "success" },
    ];
    expect(turnOf("gemini", objects)).toEqual(["completed", null]);
    expect(told("gemini", objects)).toMatchObject([{ type: "error" }, { type: "done" }]);
  });
});

describe("opencode", () => {
  const step = (reason: string): object => ({ type: "step_finish", sessionID: "s", part: { reason } });

  test("a step that finished in an error failed, whatever the exit code", () => {
    expect(turnOf("opencode", [step("error")])[0]).toBe("failed");
  });

  test("a tool that runs has no result yet", () => {
    const part = { callID: "c", tool: "bash", state: { status: "running", input: { command: "ls" } } };
    expect(told("opencode", [{ type: "tool_use", sessionID: "s", part }], 1).slice(1)).toEqual([
      { type: "tool_use", id: "c", name: "bash", input: { command: "ls" } },
    ]);
  });

  test.each([
    [{ name: "APIError", data: { message: "no credit", statusCode: 402 } }, "no credit"],
    [{ name: "UnknownError", message: "broken" }, "broken"],
    [{ name: "MessageAbortedError" }, "MessageAbortedError"],
    ["plain", "plain"],
  ])("an error in any of its shapes: %j", (error, message) => {
    expect(turnOf("opencode", [{ type: "error", sessionID: "s", error }], 1)).toEqual(["failed", message]);
  });
});

describe("pi", () => {
  test("a command that was refused in the long-lived mode is an error", () => {
    const answer = { type: "response", command: "prompt", success: false, error: "busy" };
    expect(told("pi", [answer])).toEqual([{ type: "error", message: "busy", status: null }]);
    expect(told("pi", [{ type: "response", command: "prompt", success: true }])).toEqual([{ type: "unknown" }]);
  });

  test.each(["compaction_start", "compaction_end", "queue_update", "extension_error", "auto_retry_end"])(
    "%s passes through",
    (type) => expect(told("pi", [{ type }])).toEqual([{ type: "unknown" }]),
  );

  test("a turn that is tried again is not over", () => {
    const end = [{ type: "agent_end", willRetry: true, messages: [] }];
    expect(turnOf("pi", end)).toEqual(["missing", null]);
  });
});

describe("copilot", () => {
  test("tokens, where its own models are used", () => {
    const data = { model: "gpt", inputTokens: 10, outputTokens: 2, cacheReadTokens: 5, cost: 1 };
    expect(told("copilot", [{ type: "assistant.usage", data }])[0]).toMatchObject({
      type: "usage",
      usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 5 },
      costUsd: null,
    });
  });

  test("a retry says what it is tried again for", () => {
    const data = { errorMessage: "overloaded", statusCode: 529 };
    expect(
      told("copilot", [
        { type: "model.call_failure", data },
        { type: "assistant.turn_retry", data: { reason: "api_error" } },
      ]).at(-1),
    ).toEqual({ type: "retry", attempt: null, message: "api_error: overloaded (529)" });
  });

  test("a session that is named at the start is known when the end never comes", () => {
    const [session] = told(
      "copilot",
      [{ type: "session.start", data: { sessionId: "s-9", selectedModel: "m" } }],
      null,
    );
    expect(session).toEqual({ type: "session", sessionId: "s-9", model: "m" });
  });
});

describe("lines", () => {
  test("an object in the vocabulary's own words is taken at its word", () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: 5 };
    expect(
      told("lines", [
        { type: "session", sessionId: "s", model: "m" },
        { type: "thinking", text: "hm", isDelta: true },
        { type: "usage", usage, costUsd: 0.25 },
        { type: "retry", attempt: 2, message: "again" },
        { type: "error", message: "no", status: 500 },
        { type: "done", outcome: "failed", reason: "because" },
      ]),
    ).toEqual([
      { type: "session", sessionId: "s", model: "m" },
      { type: "thinking", text: "hm", isDelta: true },
      { type: "usage", usage, costUsd: 0.25 },
      { type: "retry", attempt: 2, message: "again" },
      { type: "error", message: "no", status: 500 },
      { type: "done", outcome: "failed", reason: "because" },
    ]);
  });
});
