/** `bash`: runs commands and answers as an agent's shell does. */
import { NO_LIMITS, ProctorError, errnoOf, newId } from "../../model/index.ts";
import {
  DETACHED_LIMIT_MS,
  callSettings,
  callerInRun,
  commandEnvironment,
  parseLifetime,
  resultText,
  runCommand,
  withDetached,
} from "../../session/index.ts";
import type { RunResult, SessionApi } from "../../model/index.ts";
import { resolve } from "node:path";
import { carriable } from "../answer.ts";
import { MAX_CALL_MS } from "../call-limits.ts";
import { RUN_RESULT } from "./output-schemas.ts";
import { typedAnswer } from "./input.ts";
import { liveLine } from "./run-lines.ts";
import type { Tool } from "./tool.ts";

const GOES_ON =
  "It goes on in the background: runner_wait waits for it, runner_logs reads its output, runner_stop stops it.";

/** The directory that `given` names, seen from where the server runs. */
function directory(given: string | null): string {
  if (given?.startsWith("/") === true) return given;
  try {
    return resolve(process.cwd(), given ?? ".");
  } catch (error) {
    throw new ProctorError(
      "ERR_INPUT_CWD",
      `cwd: the directory that proctor was started in is gone (${errnoOf(error) ?? "unknown"}). Give an absolute path of one that exists.`,
      {
        cause: error,
      },
    );
  }
}

/** The agent's shell. */
export const bash: Tool = {
  name: "bash",
  description:
    "Run shell commands under supervision. Several commands are stages: each in a fresh shell, the next only if the one before exited 0. " +
    "Answers when they end; after 55 s at the latest with an id, while they go on in the background. " +
    "Long output is excerpted; the full log is on disk at the path given.",
  input: {
    type: "object",
    properties: {
      command: { type: "array", items: { type: "string" }, minItems: 1, description: "bash commands, in order" },
      name: { type: "string", description: "label" },
      timeout: { type: "number", description: "seconds for each command; default none" },
      background: { type: "boolean", description: "answer at once with the id" },
      interactive: { type: "boolean", description: "give the last command a terminal, for runner_input" },
      lifetime: { enum: ["session", "detached"], description: "detached: outlives this session, 24 h or timeout" },
      cwd: { type: "string", description: "working directory" },
      env: { type: "object", additionalProperties: { type: "string" }, description: "variables to add" },
    },
    required: ["command"],
  },
  output: RUN_RESULT,
  isReadOnly: false,
  async call(given, context) {
    const commands = given.texts("command");
    const name = given.text("name");
    const timeoutMs = given.duration("timeout");
    const isBackground = given.flag("background");
    const added = given.textsByName("env");
    const cwd = directory(given.text("cwd"));
    const interactive = given.flag("interactive");
    const isDetached = parseLifetime(given.text("lifetime"), "lifetime") === "detached";
    const settings = callSettings(commands, { env: context.env, cwd });
    const promoteAfterMs = Math.min(settings.settings.promoteAfterMs, MAX_CALL_MS);
    const session = await context.session();
    const spentMs = performance.now() - context.beganAt;
    const carryOut = (where: SessionApi): Promise<RunResult> =>
      runCommand(
        where,
        {
          id: newId(),
          commands,
          name,
          cwd,
          ...commandEnvironment(context.env, added, false, interactive),
          umask: process.umask(),
          stdin: null,
          interactive,
          limits: {
            ...NO_LIMITS,
            timeoutMs: timeoutMs ?? (isDetached ? DETACHED_LIMIT_MS : null),
            logMaxBytes: settings.settings.logMaxBytes,
          },
          caller: callerInRun(process.env),
          rules: { heavy: settings.settings.heavyCommands, light: settings.settings.lightCommands },
        },
        {
          background: isBackground || promoteAfterMs === 0,
          promoteAfterMs: Math.max(1, promoteAfterMs - spentMs),
          signal: context.signal,
          onStarted: (run) => context.progress.start(() => liveLine(session, run.id, context.env)),
          settings,
          watch: !isDetached,
        },
      );
    const result = await (isDetached ? withDetached(carryOut) : carryOut(session));
    if (interactive && result.kind === "run" && result.interactive && result.state !== "ended")
      return typedAnswer(session, result, "It has started, and its terminal shows:");
    const isOurs = result.cause !== null && result.cause !== "completed";
    return {
      text: resultText(result.promoted ? { ...result, message: GOES_ON } : result),
      isError: isOurs,
      document: { key: "proctor/run", value: carriable(result) },
    };
  },
};
