/** `proctor run`: starts commands in the session and answers as an agent's shell does. */
import { resolve } from "node:path";
import { ProctorError, isProctorError, newId } from "../../model/index.ts";
import type { Limits, RunResult, Settings, StartRequest } from "../../model/index.ts";
import { resolveSandbox } from "../../os/index.ts";
import {
  callSettings,
  callerInRun,
  commandEnvironment,
  parseEnvAssignment,
  resultText,
  runCommand,
} from "../../session/index.ts";
import { DETACHED_LIMIT_MS, parseLifetime, withClient, withDetached } from "../../session/access.ts";
import type { Lifetime, SessionClient } from "../../session/access.ts";
import type { Arguments } from "../command-spec.ts";
import { commandTexts } from "../command-texts.ts";
import { ForegroundSignals } from "../foreground-signals.ts";
import { ProgressLine } from "../progress-line.ts";
import { runExitStatus } from "../run-exit-status.ts";
import { isSessionGiven, openSessionOf } from "../session-access.ts";
import { OutputClosed, writeError, writeJson, writeOut } from "../standard-output.ts";
import { sweepInBackground } from "../sweep.ts";

/** Carries out `proctor run`. */
export async function execute(args: Arguments): Promise<number> {
  const commands = await commandTexts(args.ordered);
  const cwd = resolve(args.text("cwd") ?? process.cwd());
  const call = callSettings(commands, { env: process.env, cwd }); // its notes come with the result
  const { settings } = call;
  const lifetime = lifetimeOf(args);
  const request = startRequest(args, commands, cwd, settings, lifetime);
  const carryOut = async (client: SessionClient): Promise<number> => {
    const background = args.has("background");
    const signals = new ForegroundSignals(client);
    const progress = background || args.has("json") ? null : ProgressLine.onTerminal(client, settings.redact);
    let result: RunResult;
    try {
      result = await runCommand(client, request, {
        background,
        promoteAfterMs: promoteAfterMs(args, settings),
        settings: call,
        signal: signals.stopSignal,
        onStarted: (run) => {
          if (!background) signals.started(run);
          progress?.started(run);
          void sweepInBackground();
        },
      });
      result = await signals.finished(result);
    } catch (error) {
      // Told to go, and the session went first: what is asked for has happened.
      if (signals.exitStatus !== null && isProctorError(error) && error.code.startsWith("ERR_HOST_"))
        return signals.exitStatus;
      throw error;
    } finally {
      progress?.clear();
      signals.release();
    }
    const status = signals.exitStatus !== null && !result.promoted ? signals.exitStatus : runExitStatus(result);
    await print(result, args.has("json"), status);
    return status;
  };
  return lifetime === "detached" ? withDetached(carryOut) : withClient(openSessionOf(args), carryOut);
}

async function print(result: RunResult, asJson: boolean, status: number): Promise<void> {
  try {
    if (asJson) await writeJson(result);
    else await writeOut(`${resultText(result)}\n`);
  } catch (error) {
    // Nobody reads any more; the exit status still tells how the command ended.
    if (!(error instanceof OutputClosed)) throw error;
  }
  if (status === 125 && result.message !== null && !result.promoted)
    await writeError(`proctor: ${result.message.replace(/\s*\n\s*/g, " ")}\n`);
}

/** Whether the runs end with their session, or live on their own until they are stopped or their limit is over. */
function lifetimeOf(args: Arguments): Lifetime {
  const lifetime = parseLifetime(args.text("lifetime"), "--lifetime");
  if (lifetime === "detached" && args.has("session")) {
    throw new ProctorError(
      "ERR_INPUT_USAGE",
      "--lifetime detached and --session exclude each other: a detached run belongs to no session that ends.",
    );
  }
  return lifetime;
}

function startRequest(
  args: Arguments,
  commands: readonly string[],
  cwd: string,
  settings: Settings,
  lifetime: Lifetime,
): StartRequest {
  const given: Record<string, string> = {};
  for (const assignment of args.texts("env")) {
    const [name, value] = parseEnvAssignment(assignment);
    given[name] = value;
  }
  const { env, withheld, unrecorded } = commandEnvironment(
    process.env,
    given,
    args.has("env-all"),
    args.has("interactive"),
  );
  const sandbox = args.text("sandbox");
  const stdin = args.text("stdin");
  if (stdin === "-") {
    throw new ProctorError(
      "ERR_INPUT_STDIN",
      '--stdin: "-" can\'t be used: the run may live longer than this call. Accepted: a file.',
      { details: { value: "-" } },
    );
  }
  return {
    id: newId(),
    commands,
    name: args.text("name"),
    cwd,
    env,
    unrecorded,
    withheld,
    umask: process.umask(),
    stdin: stdin === null ? null : resolve(stdin),
    interactive: args.has("interactive"),
    limits:
      lifetime === "detached"
        ? { ...limitsOf(args, settings), timeoutMs: args.number("timeout") ?? DETACHED_LIMIT_MS }
        : limitsOf(args, settings),
    caller: callerInRun(process.env),
    rules: { heavy: settings.heavyCommands, light: settings.lightCommands },
    ...(sandbox === null ? {} : { sandbox: resolveSandbox(sandbox, cwd) }),
  };
}

function limitsOf(args: Arguments, settings: Settings): Limits {
  return {
    timeoutMs: args.number("timeout"),
    idleTimeoutMs: args.number("idle-timeout"),
    memoryBytes: args.number("memory"),
    cpuTimeMs: args.number("cpu-time"),
    openFiles: args.number("open-files"),
    processes: args.number("processes"),
    fileSizeBytes: args.number("file-size"),
    logMaxBytes: args.number("log-max") ?? settings.logMaxBytes,
  };
}

/** When the run goes to the background; null never. A person at a terminal, in no session, waits for what was typed. */
function promoteAfterMs(args: Arguments, settings: Settings): number | null {
  if (args.has("promote-after")) return args.number("promote-after");
  return process.stdout.isTTY && !isSessionGiven(args) ? null : settings.promoteAfterMs;
}
