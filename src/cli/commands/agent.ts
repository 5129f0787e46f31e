/** `proctor agent`: an agent CLI under supervision, for people or as JSON lines. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { ExitError, providerNamed, run } from "../../agent/index.ts";
import type { AgentEvent, AgentReport, RunConfig } from "../../agent/index.ts";
import { ProctorError, isProctorError } from "../../model/index.ts";
import { parseEnvAssignment } from "../../session/index.ts";
import { AgentStatusLine } from "../agent-status-line.ts";
import { AgentView, closingLine } from "../agent-view.ts";
import type { Arguments } from "../command-spec.ts";
import { EXIT_TIMEOUT } from "../run-exit-status.ts";
import { openSessionOf } from "../session-access.ts";
import { OutputClosed, writeError, writeJson, writeOut } from "../standard-output.ts";

/** The agent left with 0, and its turn did not complete. */
const EXIT_TURN = 1;

/** Carries out `proctor agent`. */
export async function execute(args: Arguments): Promise<number> {
  const config = configOf(args);
  if (args.has("background")) return inBackground(args, config.session ?? "");
  const asJson = args.has("json");
  const view = new AgentView();
  const status = asJson ? null : AgentStatusLine.onTerminal(view);
  const stop = new AbortController();
  const received: NodeJS.Signals[] = [];
  const take = (signal: NodeJS.Signals): void => {
    received.push(signal);
    // Again: whoever asked does not wait. The session stops the agent when this process is gone.
    if (received.length > 1) process.exit(128 + constants.signals[signal]);
    stop.abort();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, take);
  try {
    const onEvent = (event: AgentEvent): Promise<void> =>
      asJson ? printed(writeJson(event)) : shown(view, status, event);
    const report = await run({ ...config, signal: stop.signal, onEvent }).catch((error: unknown) => {
      if (error instanceof ExitError) return error.report;
      throw error;
    });
    status?.close();
    if (!asJson) await writeError(closingLine(report));
    const [first] = received;
    return first === undefined ? exitStatus(report) : 128 + constants.signals[first];
  } finally {
    status?.close();
    for (const signal of signals) process.off(signal, take);
  }
}

async function shown(view: AgentView, status: AgentStatusLine | null, event: AgentEvent): Promise<void> {
  const { out, err } = view.show(event);
  status?.clear();
  if (out !== "") await printed(writeOut(out));
  if (err !== "") await writeError(err);
  status?.draw();
}

/** A reader that went away is no reason to stop an agent: its logs are complete all the same. */
async function printed(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}

/** 0 only if the turn completed. */
function exitStatus(report: AgentReport): number {
  if (report.cause === "timeout" || report.cause === "idle_timeout" || report.cause === "watchdog_kill")
    return EXIT_TIMEOUT;
  if (report.signal !== null) return 128 + (constants.signals[report.signal as NodeJS.Signals] ?? 0);
  if (report.exitCode !== 0) return report.exitCode ?? EXIT_TURN;
  return report.turn === "completed" && report.cause === "" ? 0 : EXIT_TURN;
}

function configOf(args: Arguments): RunConfig {
  const [provider = "", ...rest] = args.operands;
  const adapter = providerNamed(provider);
  const prompt = args.text("prompt");
  const [model, resume] = [args.text("model"), args.text("resume")];
  let built: readonly string[] = [];
  if (prompt !== null) {
    if (adapter.buildArgs === undefined)
      throw new ProctorError(
        "ERR_INPUT_USAGE",
        `--prompt: ${provider} has no arguments of its own to make. Accepted: -- ARGUMENT...`,
      );
    built = adapter.buildArgs({
      prompt,
      partial: true,
      ...(model === null ? {} : { model }),
      ...(resume === null ? {} : { sessionId: resume }),
    });
  } else if (model !== null || resume !== null) {
    throw new ProctorError(
      "ERR_INPUT_USAGE",
      "--model and --resume go with --prompt; without it give the agent's own arguments behind --.",
    );
  }
  const workspace = resolve(args.text("cwd") ?? process.cwd());
  const binary = args.text("binary");
  const given = [...built, ...rest];
  const [program = ""] = given;
  // As a shell would: a program with a slash in its name stands where the agent runs, one of --binary where we are.
  if (adapter.binary === "" && binary === null && program.includes("/")) given[0] = resolve(workspace, program);
  const env = Object.fromEntries(args.texts("env").map(parseEnvAssignment));
  const stdin = args.text("stdin");
  const number = (name: string): number | undefined => args.number(name) ?? undefined;
  return withoutUndefined({
    provider,
    binary: binary === null ? undefined : binary.includes("/") ? resolve(binary) : binary,
    profile: args.text("sandbox") ?? undefined,
    workspace,
    args: given,
    env: Object.keys(env).length === 0 ? undefined : { ...process.env, ...env },
    stdin: stdin === null ? undefined : { file: resolve(stdin) },
    waitDelayMs: number("grace"),
    deadlineMs: number("timeout"),
    name: args.text("name") ?? undefined,
    session: openSessionOf(args).dir,
    supervisor: withoutUndefined({
      idleKillMs: number("idle-kill"),
      watchdogMs: number("watchdog"),
      restartOnCrash: number("restart"),
    }),
    limits: withoutUndefined({
      memoryBytes: number("memory"),
      cpuTimeMs: number("cpu-time"),
      openFiles: number("open-files"),
      processes: number("processes"),
      fileSizeBytes: number("file-size"),
    }),
  });
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function withoutUndefined<T extends object>(from: T): Defined<T> {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** Starts this very call again, apart from the terminal, and tells the id of its run. */
async function inBackground(args: Arguments, session: string): Promise<number> {
  const argv = process.argv.slice(2);
  const end = argv.indexOf("--");
  const own = (end < 0 ? argv : argv.slice(0, end)).filter(
    (word) => word !== "-b" && word !== "--background" && word !== "--json",
  );
  const rest = end < 0 ? [] : argv.slice(end);
  const where = args.text("session") === null ? ["--session", session] : [];
  const child = spawn(
    process.execPath,
    [...process.execArgv, process.argv[1] ?? "", ...own, "--json", ...where, ...rest],
    {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const first = await new Promise<string>((done, failed) => {
    child.on("error", failed);
    createInterface({ input: child.stdout })
      .on("line", done)
      .on("close", () => done(""));
  });
  child.stdout.destroy();
  child.unref();
  const document: unknown = first === "" ? null : JSON.parse(first);
  const id = runIdIn(document);
  if (id === null) throw errorIn(document);
  if (args.has("json")) await writeJson({ id, session, supervisor: child.pid ?? null });
  else await writeOut(`${id}\n`);
  return 0;
}

function runIdIn(document: unknown): string | null {
  if (typeof document !== "object" || document === null || !("payload" in document)) return null;
  const { payload } = document;
  if (typeof payload !== "object" || payload === null || !("run_id" in payload)) return null;
  return typeof payload.run_id === "string" ? payload.run_id : null;
}

function errorIn(document: unknown): ProctorError {
  const error = typeof document === "object" && document !== null && "error" in document ? document.error : null;
  if (typeof error === "object" && error !== null && "message" in error && typeof error.message === "string") {
    return isProctorError(error) ? error : new ProctorError("ERR_HOST_SPAWN", error.message);
  }
  return new ProctorError("ERR_HOST_SPAWN", "The agent's supervisor ended before it could start the agent.");
}
