/** `runner_wait`: waits for a run's end, or for a line of its output. */
import { formatDuration } from "../../model/index.ts";
import type { RunView } from "../../model/index.ts";
import { callSettings, logLine, maskOf, outcomeLine, resultOf, resultText, waitFor } from "../../session/index.ts";
import { carriable } from "../answer.ts";
import type { Answer } from "../answer.ts";
import { MAX_CALL_MS, MAX_CALL_WITH_PROGRESS_MS } from "../call-limits.ts";
import { RUN_VIEW_OR_RESULT } from "./output-schemas.ts";
import { lastLine, liveLine, oneLine } from "./run-lines.ts";
import { ID } from "./tool.ts";
import type { Tool } from "./tool.ts";

async function endedAnswer(run: RunView, env: NodeJS.ProcessEnv, before: string): Promise<Answer> {
  const result = await resultOf(run, false, callSettings(run.commands ?? [run.command], { env, cwd: run.cwd }));
  return {
    text: `${before}${resultText(result)}`,
    isError: result.cause !== null && result.cause !== "completed",
    document: { key: "proctor/run", value: carriable(result) },
  };
}

async function ongoingAnswer(run: RunView, env: NodeJS.ProcessEnv, first: string): Promise<Answer> {
  const last = await lastLine(run, env);
  return {
    text: [first, ...(last === "" ? [] : [`Last line: ${last}`]), outcomeLine(run), logLine(run)].join("\n"),
    isError: false,
    document: { key: "proctor/run", value: carriable(run) },
  };
}

/** Waits. */
export const wait: Tool = {
  name: "runner_wait",
  description:
    'Wait for a run to end (answers with its output), or for a line of its output that matches the regex `match`, such as a server\'s "ready". ' +
    "Waits 55 s at most; says if it has not come true yet, then call again.",
  input: {
    type: "object",
    properties: { id: ID, timeout: { type: "number", description: "seconds" }, match: { type: "string" } },
    required: ["id"],
  },
  output: RUN_VIEW_OR_RESULT,
  isReadOnly: true,
  async call(given, context) {
    const id = given.requiredText("id");
    const askedMs = given.duration("timeout", { zero: true }) ?? MAX_CALL_MS;
    const match = given.text("match");
    const session = await context.session();
    context.progress.start(() => liveLine(session, id, context.env));
    const spentMs = performance.now() - context.beganAt;
    const boundMs = context.progress.isWanted ? MAX_CALL_WITH_PROGRESS_MS : MAX_CALL_MS;
    const timeoutMs = Math.max(0, Math.min(askedMs, boundMs - spentMs));
    const outcome = await waitFor(session, id, {
      timeoutMs,
      signal: context.signal,
      ...(match === null ? {} : { match }),
    });
    const { run } = outcome;
    if (match === null) {
      if (outcome.matched) return endedAnswer(run, context.env, "");
      return ongoingAnswer(
        run,
        context.env,
        `Not yet: it has not ended within ${formatDuration(timeoutMs)}. Call runner_wait again, or runner_stop.`,
      );
    }
    if (outcome.matched) {
      const mask = await maskOf(run, context.env);
      const line = outcome.line ?? "";
      return ongoingAnswer(run, context.env, `Matched: ${oneLine(mask === null ? line : mask(line))}`);
    }
    if (outcome.over) return endedAnswer(run, context.env, `It ended, and no line matched ${oneLine(match, 80)}.\n`);
    return ongoingAnswer(
      run,
      context.env,
      `Not yet: no line matched ${oneLine(match, 80)} within ${formatDuration(timeoutMs)}. Call runner_wait again, or runner_stop.`,
    );
  },
};
