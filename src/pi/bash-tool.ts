/** `bash`, in the place of Pi's own: the same call, carried out by the session's host. */
import { NO_LIMITS, newId } from "../model/index.ts";
import type { RunResult, RunView, SessionApi, StartRequest } from "../model/index.ts";
import { callerInRun, commandEnvironment, logLine, outcomeLine, runCommand } from "../session/index.ts";
import type { CallSettings } from "../session/index.ts";
import { BASH_PARAMETERS, prepareBashArguments, readBashArguments } from "./bash-arguments.ts";
import { BASH_OUTPUT, bashResult } from "./bash-result.ts";
import { PartialOutput } from "./partial-output.ts";
import type { PiContext, ToolDefinition } from "./pi-api.ts";
import { screenText, settledScreen } from "./run-text.ts";
import { conversationEnvironment, shellCommands } from "./shell.ts";
import type { ShellSettings } from "./shell.ts";

/** What the tool asks of the extension. */
export interface BashHost {
  readonly env: NodeJS.ProcessEnv;
  session(): Promise<SessionApi>;
  shell(): ShellSettings;
  settings(commands: readonly string[], ctx: PiContext): CallSettings;
  /** A run was started for this conversation. */
  started(run: RunView, ctx: PiContext): void;
}

/** What a start for this conversation asks for; `ctx` null leaves the conversation out of the environment. */
export function startRequest(
  host: Pick<BashHost, "env" | "shell">,
  commands: readonly string[],
  where: { readonly cwd: string; readonly ctx: PiContext | null },
  call: { readonly settings: CallSettings; readonly timeoutMs: number | null; readonly interactive: boolean },
): StartRequest {
  const { inherited, added } = conversationEnvironment(host.env, where.ctx);
  const { settings } = call.settings;
  return {
    id: newId(),
    ...shellCommands(commands, host.shell()),
    name: null,
    cwd: where.cwd,
    ...commandEnvironment(inherited, added, false, call.interactive),
    umask: process.umask(),
    stdin: null,
    interactive: call.interactive,
    limits: { ...NO_LIMITS, timeoutMs: call.timeoutMs, logMaxBytes: settings.logMaxBytes },
    caller: callerInRun(host.env),
    rules: { heavy: settings.heavyCommands, light: settings.lightCommands },
  };
}

/** The screen of an interactive run that has just started, as the answer of its call. */
async function startedScreen(session: SessionApi, result: RunResult): Promise<string> {
  const { run, screen } = await settledScreen((id) => session.status(id), result.id);
  const goesOn = run.state === "ended" ? [] : [`Type with runner_input, id ${run.id}; look again with runner_status.`];
  const head = "It has started, and its terminal shows:";
  return [head, screenText(screen), ...goesOn, outcomeLine(run), logLine(run)].join("\n");
}

/** The tool. */
export function bashTool(host: BashHost): ToolDefinition {
  return {
    name: "bash",
    label: "bash",
    description:
      "Execute shell commands in the current working directory, supervised. Several commands are stages: each in a fresh shell, the next only if the one before exited 0. " +
      "Returns stdout and stderr, of long output the parts that matter; the full output is at the path given. " +
      "What takes longer than a minute goes on in the background, and you are told when it ends. Optionally provide a timeout in seconds.",
    promptSnippet: "Execute bash commands (ls, grep, find, etc.); long ones go on in the background",
    promptGuidelines: [
      "Use bash with background: true for servers and watchers; never put & or nohup into a bash command for that.",
      "Do not poll a background bash run with sleep: go on with other work, or call runner_wait; you are told when it ends.",
      "You can inspect PI_* environment variables in bash for current model and session details.",
    ],
    parameters: BASH_PARAMETERS,
    outputSchema: BASH_OUTPUT,
    prepareArguments: prepareBashArguments,
    async execute(_toolCallId, params, signal, onUpdate, ctx) {
      const began = performance.now();
      const { commands, timeoutMs, background, interactive } = readBashArguments(params);
      const settings = host.settings(commands, ctx);
      const session = await host.session();
      const status = (id: string): Promise<RunView> => session.status(id);
      const partial = onUpdate === undefined || background ? null : new PartialOutput(onUpdate, status);
      let id = "";
      try {
        const result = await runCommand(
          session,
          startRequest(host, commands, { cwd: ctx.cwd, ctx }, { settings, timeoutMs, interactive }),
          {
            background,
            promoteAfterMs: settings.settings.promoteAfterMs,
            settings,
            watch: true,
            onStarted: (run) => {
              ({ id } = run);
              host.started(run, ctx);
              if (!interactive) partial?.start(run);
            },
            ...(signal === undefined ? {} : { signal }),
          },
        );
        partial?.stop();
        // What has a terminal goes on from its start, and its end is news like any other's.
        if (interactive && result.state !== "ended") await session.watch(id);
        const isShown = result.kind === "run" && result.interactive && result.state !== "ended";
        return await bashResult(
          result,
          performance.now() - began,
          isShown ? await startedScreen(session, result) : null,
        );
      } finally {
        partial?.stop();
      }
    },
  };
}
