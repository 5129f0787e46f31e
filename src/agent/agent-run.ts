/**
 * A whole run: carries out what the supervisor decides, over attempts that are runs of a session. Events reach
 * the handler in order; the signal that an event announces waits for the handler a second at most.
 */
import { constants } from "node:os";
import { formatDuration, isProctorError, messageOf } from "../model/index.ts";
import type { ProcessIdentity, ProcessView, RunView, SandboxPolicy, StopRequest } from "../model/index.ts";
import { nextLook, runningFrom, stepSupervisor } from "../machine/index.ts";
import type {
  AgentCause,
  AttemptEnd,
  StopCause,
  SupervisorEffect,
  SupervisorInput,
  SupervisorState,
} from "../machine/index.ts";
import { TurnSummary } from "../providers/index.ts";
import type { ProviderEvent } from "../providers/index.ts";
import { DenialWatch } from "../sandbox/index.ts";
import { Attempt } from "./attempt.ts";
import type { ExitPayload, NewEvent } from "./events.ts";
import { EventQueue } from "./event-queue.ts";
import { signalNumber } from "./exit-error.ts";
import type { AgentReport } from "./report.ts";
import type { AgentSetup } from "./setup.ts";

/** How long a signal waits for the handler of the event that announces it, in milliseconds. */
const ANNOUNCE_MS = 1000;

/** How much of the end of a failed tool's output is looked at for a refusal of the sandbox's, in characters. */
const DENIAL_CHARS = 65_536;

/** The end of an attempt, as far as it is known. */
interface AttemptResult {
  readonly view: RunView | null;
  readonly exit: ExitPayload;
}

/** One run of an agent. */
export class AgentRun {
  readonly #setup: AgentSetup;
  readonly #owner: ProcessIdentity | null;
  readonly #queue: EventQueue;
  readonly #summary = new TurnSummary();
  readonly #runIds: string[] = [];
  readonly #notes = new Set<string>();
  /** What the sandbox refused, as standard error and failed tools tell of it; null without a sandbox. */
  readonly #denials: { readonly errors: DenialWatch; readonly tools: DenialWatch } | null;
  readonly #startedAt = performance.now();
  #state: SupervisorState = runningFrom(1, performance.now());
  #attempt: Attempt | null = null;
  #last: AttemptResult | null = null;
  #leftovers: readonly ProcessView[] = [];
  #mechanisms: readonly string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #announced: Promise<void> | null = null;
  #isLaunching = false;
  #pendingStop: StopCause | null = null;
  /** The stop that this side decided; null when none was, or somebody else's came first. */
  #decided: StopCause | null = null;
  #cause: AgentCause = "";
  #error: string | null = null;
  #finish: () => void = () => undefined;
  readonly #finished: Promise<void>;

  constructor(setup: AgentSetup, owner: ProcessIdentity | null) {
    this.#setup = setup;
    this.#owner = owner;
    const watch = (policy: SandboxPolicy): DenialWatch => new DenialWatch(policy, process.platform === "darwin");
    const policy = setup.sandbox?.policy;
    this.#denials = policy === undefined ? null : { errors: watch(policy), tools: watch(policy) };
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#queue = new EventQueue(
      setup.config.onEvent,
      {
        activity: () => this.#take({ kind: "activity", at: performance.now() }),
        write: (text) => this.#attempt?.input.write(text) ?? false,
        endInput: () => this.#attempt?.input.end(),
      },
      (message) => {
        this.#error = message;
        this.#take({ kind: "abort", at: performance.now() });
      },
    );
  }

  /**
   * Starts the agent and stays with it to its end.
   *
   * @throws ProctorError when the first attempt could not be started.
   */
  async run(): Promise<AgentReport> {
    const { signal, deadlineMs } = this.#setup.config;
    const abort = (): void => this.#take({ kind: "abort", at: performance.now() });
    const deadline =
      deadlineMs === undefined
        ? null
        : setTimeout(() => this.#take({ kind: "deadline", at: performance.now() }), deadlineMs);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await this.#launch(1);
      await this.#finished;
      await this.#queue.drained();
      return this.#report();
    } finally {
      signal?.removeEventListener("abort", abort);
      if (deadline !== null) clearTimeout(deadline);
      if (this.#timer !== null) clearTimeout(this.#timer);
    }
  }

  async #launch(number: number): Promise<void> {
    const { binary, args } = this.#setup;
    this.#isLaunching = true;
    this.#summary.restart();
    const isTurnOver = (type: string): boolean => type === "done";
    const attempt = await Attempt.start(this.#setup, this.#owner, {
      onEvent: (event) => {
        this.#summary.take(event);
        this.#lookForDenial(event);
        return this.#queue.send({
          kind: "provider.event",
          attempt: number,
          payload: { event, is_turn_complete: isTurnOver(event.type) },
        });
      },
      onOutput: () => this.#take({ kind: "output", at: performance.now() }),
      onStderrFailed: (error) => {
        this.#error = `stderr threw: ${error}`;
        this.#take({ kind: "abort", at: performance.now() });
      },
      onErrorText: (text) => this.#denials?.errors.take(text),
      onInputClosed: (error) =>
        void this.#queue.send({ kind: "process.stdin_closed", attempt: number, payload: { error } }),
    });
    this.#isLaunching = false;
    this.#attempt = attempt;
    this.#runIds.push(attempt.id);
    this.#send({
      kind: "process.started",
      attempt: number,
      payload: { pid: attempt.pid, binary, args, run_id: attempt.id },
    });
    // Silence begins when the program runs, not when its start was asked for.
    if (this.#state.phase === "running") this.#state = { ...this.#state, ...freshTimes(performance.now()) };
    this.#arm();
    if (this.#pendingStop !== null) this.#stop(this.#pendingStop);
    void attempt.ended.then(
      (view) => this.#ended(attempt, view),
      (error: unknown) => this.#lost(attempt, error),
    );
  }

  /** The attempt is over and all of its output is delivered. */
  async #ended(attempt: Attempt, view: RunView): Promise<void> {
    const isClean = view.cause === "completed" && view.exitCode === 0 && view.signal === null;
    this.#mechanisms = view.mechanisms ?? [];
    for (const note of view.notes) this.#notes.add(note);
    this.#leftovers = view.leftovers;
    if (!isClean && view.leftovers.length > 0) {
      // A launcher's death leaves its worker, and a worker its shell: nobody would stop them any more.
      const report = await this.#setup.api
        .stop(attempt.id, { reason: "the agent ended", graceMs: this.#setup.graceMs, blunt: true })
        .catch((error: unknown) => {
          this.#notes.add(`What the agent left behind could not be stopped: ${messageOf(error)}`);
          return null;
        });
      if (report !== null) this.#leftovers = report.survivors;
    }
    this.#noteDenials();
    const end: AttemptEnd = { isClean, cause: causeOf(view) };
    this.#last = { view, exit: exitPayload(view, "", isClean ? null : this.#errorOf(attempt, view)) };
    if (view.resource !== null && (view.cause === "resource_limit" || view.cause === "oom_kill")) {
      this.#send({
        kind: "supervisor.resource_limit",
        attempt: this.#state.attempt,
        payload: { resource: view.resource },
      });
    }
    this.#take({ kind: "exited", at: performance.now(), end });
  }

  /**
   * Its output could not be read to the end: an adapter threw, or the session was lost. Nobody would hear the agent
   * any more, so it is stopped; without its session how it ended is not known.
   */
  async #lost(attempt: Attempt, error: unknown): Promise<void> {
    const problem = `The agent's output could not be read: ${messageOf(error)}`;
    const stopped = isProctorError(error)
      ? null
      : await this.#setup.api
          .stop(attempt.id, { reason: problem, graceMs: this.#setup.graceMs })
          .catch((failure: unknown) => {
            this.#notes.add(`The agent could not be stopped: ${messageOf(failure)}`);
            return null;
          });
    if (stopped === null) {
      const message = `How the agent ended is not known: ${messageOf(error)}`;
      this.#notes.add(message);
      this.#last = { view: null, exit: { exit_code: -1, signal: 0, killed: false, cause: "", error: message } };
    } else {
      this.#error ??= problem;
      this.#last = { view: stopped.run, exit: exitPayload(stopped.run, "", problem) };
    }
    const cause = stopped !== null || isProctorError(error) ? "aborted" : "";
    this.#take({ kind: "exited", at: performance.now(), end: { isClean: false, cause } });
  }

  #take(input: SupervisorInput): void {
    const { state, effects } = stepSupervisor(this.#state, input, this.#setup.policy);
    this.#state = state;
    for (const effect of effects) this.#carryOut(effect);
    if (input.kind !== "output" && input.kind !== "activity") this.#arm();
  }

  #carryOut(effect: SupervisorEffect): void {
    const { attempt } = this.#state;
    switch (effect.do) {
      case "tell-idle":
        this.#announced = this.#queue.send({
          kind: "supervisor.idle_kill",
          attempt,
          payload: { idle_for_ms: Math.round(effect.idleForMs) },
        });
        return;
      case "tell-watchdog":
        this.#announced = this.#queue.send({
          kind: "supervisor.watchdog",
          attempt,
          payload: { no_activity_for_ms: Math.round(effect.noActivityForMs) },
        });
        return;
      case "stop":
        this.#decided = effect.cause;
        if (this.#isLaunching) this.#pendingStop = effect.cause;
        else this.#stop(effect.cause);
        return;
      case "tell-restart": {
        const exit = this.#lastExit("");
        this.#send({ kind: "process.exited", attempt, payload: exit });
        this.#send({
          kind: "supervisor.restart",
          attempt,
          payload: { attempt: effect.attempt, prev_exit: exit, backoff_for_ms: effect.backoffForMs },
        });
        return;
      }
      case "launch":
        void this.#launch(attempt).catch((error: unknown) => this.#couldNotRestart(error));
        return;
      case "finish":
        this.#conclude(effect.cause, effect.inBackoff);
        return;
    }
  }

  /** A restart that could not be started is no crash: it is not tried again. */
  #couldNotRestart(error: unknown): void {
    this.#isLaunching = false;
    this.#error = messageOf(error);
    const stopped = this.#state.phase === "stopping" ? this.#state.cause : null;
    this.#state = { phase: "ended", attempt: this.#state.attempt, cause: stopped ?? "restart_exhausted" };
    this.#conclude(stopped ?? "restart_exhausted", true);
  }

  /** Tells the last event. */
  #conclude(cause: AgentCause, inBackoff: boolean): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#cause = cause;
    if (inBackoff && isOurs(cause)) this.#decided = cause;
    const { attempt } = this.#state;
    const exit = this.#lastExit(cause);
    const event: NewEvent =
      cause === "timeout"
        ? { kind: "process.timeout", attempt, payload: { ...exit, error: exit.error ?? this.#stopMessage("timeout") } }
        : { kind: "process.exited", attempt, payload: exit };
    const pending = this.#queue.send(event, true);
    if (pending === null) this.#finish();
    else void pending.finally(this.#finish);
  }

  #lastExit(cause: AgentCause): ExitPayload {
    const exit = this.#last?.exit ?? { exit_code: -1, signal: 0, killed: false, error: null };
    const error = this.#error ?? (this.#decided === null ? exit.error : this.#stopMessage(this.#decided));
    return { ...exit, cause, error };
  }

  #stop(cause: StopCause): void {
    this.#pendingStop = null;
    const current = this.#attempt;
    if (current === null) return;
    const { graceMs, idleGraceMs } = this.#setup;
    const reason = this.#stopMessage(cause);
    const requests: Readonly<Record<StopCause, StopRequest>> = {
      aborted: { reason, graceMs },
      timeout: { reason, graceMs, cause: "timeout" },
      idle_timeout: { reason, graceMs: idleGraceMs, cause: "idle_timeout", blunt: true },
      watchdog_kill: { reason, graceMs: 0, cause: "watchdog_kill", blunt: true },
    };
    const announced = this.#announced ?? Promise.resolve();
    this.#announced = null;
    void within(announced, ANNOUNCE_MS)
      .then(() => this.#setup.api.stop(current.id, requests[cause]))
      .then(
        (report) => {
          if (!report.confirmed)
            this.#notes.add(
              `Still alive after SIGKILL: ${report.survivors.map((s) => `${s.pid} ${s.command}`).join("; ")}`,
            );
        },
        (error: unknown) => this.#notes.add(`The agent could not be stopped: ${messageOf(error)}`),
      );
  }

  #stopMessage(cause: StopCause): string {
    const { deadlineMs, supervisor } = this.#setup.config;
    switch (cause) {
      case "aborted":
        return "The run was aborted.";
      case "timeout":
        return `The run was not over at its deadline of ${formatDuration(deadlineMs ?? 0)}.`;
      case "idle_timeout":
        return `The agent printed nothing for ${formatDuration(supervisor?.idleKillMs ?? 0)}.`;
      case "watchdog_kill":
        return `The agent was not heard of for ${formatDuration(supervisor?.watchdogMs ?? 0)}.`;
    }
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isLaunching) return;
    const due = nextLook(this.#state, this.#setup.policy);
    if (due === null) return;
    this.#timer = setTimeout(
      () => {
        // What was printed and not read yet counts too: the handler may be slow, the agent is not.
        if (this.#state.phase === "running" && this.#attempt?.hasGrown() === true)
          this.#take({ kind: "output", at: performance.now() });
        this.#take({ kind: "look", at: performance.now() });
      },
      Math.max(0, due - performance.now()),
    );
  }

  #send(event: NewEvent): void {
    const pending = this.#queue.send(event);
    if (pending !== null) void pending.catch(() => undefined); // a handler's failure is told to the queue's own listener
  }

  #lookForDenial(event: ProviderEvent): void {
    const said =
      event.type === "tool_result" && event.isError ? event.output : event.type === "error" ? event.message : "";
    if (said !== "") this.#denials?.tools.take(`${said.slice(-DENIAL_CHARS)}\n`);
  }

  #noteDenials(): void {
    if (this.#denials === null) return;
    const { errors, tools } = this.#denials;
    errors.end();
    for (const { what, line } of [...errors.found, ...tools.found]) {
      this.#notes.add(
        `The sandbox "${this.#setup.sandbox?.policy.name ?? ""}" refused ${what === "write" ? "a write" : "the network"}: ${line}`,
      );
    }
  }

  #errorOf(attempt: Attempt, view: RunView): string {
    const { isOom, how } = howItEnded(view);
    if (isOom || (view.cause !== "completed" && view.message !== null)) return view.message ?? how;
    return this.#summary.error ?? attempt.lastError ?? how;
  }

  #report(): AgentReport {
    const view = this.#last?.view ?? null;
    const exit = this.#lastExit(this.#cause);
    const { turn } = this.#summary;
    // After our own stop a provider may still print a last word that looks like success: ours stands.
    const wasStopped = this.#cause !== "" && turn === "completed" && isOurs(this.#cause);
    return {
      attempts: Math.max(1, this.#runIds.length),
      durationMs: Math.round(performance.now() - this.#startedAt),
      exitCode: view === null || view.signal !== null ? null : view.exitCode,
      signal: view?.signal ?? null,
      cause: this.#cause,
      turn: wasStopped ? "failed" : turn,
      error:
        exit.error ??
        this.#summary.error ??
        (turn === "missing" ? "The agent left without a last word: its turn is not known to be complete." : null),
      sessionId: this.#summary.sessionId,
      usage: this.#summary.usage,
      costUsd: this.#summary.costUsd,
      log: { stdout: this.#attempt?.stdoutPath ?? "", stderr: this.#attempt?.stderrPath ?? "" },
      leftovers: this.#leftovers,
      runIds: this.#runIds,
      session: this.#setup.api.dir,
      mechanisms: this.#mechanisms,
      notes: [...this.#notes],
    };
  }
}

function freshTimes(at: number): { lastOutput: number; lastActivity: number; lastLook: number } {
  return { lastOutput: at, lastActivity: at, lastLook: at };
}

function isOurs(cause: AgentCause): cause is StopCause {
  return cause === "aborted" || cause === "timeout" || cause === "idle_timeout" || cause === "watchdog_kill";
}

/** The engine's cause in the words of an agent run. */
function causeOf(view: RunView): AgentCause {
  switch (view.cause) {
    case "oom_kill":
    case "resource_limit":
    case "timeout":
    case "idle_timeout":
    case "watchdog_kill":
      return view.cause;
    case "stopped":
    case "owner_lost":
    case "log_limit":
    case "never_started":
      return "aborted";
    case "completed":
    case "restart_exhausted":
    case "spawn_failed":
    case "lost":
    case null:
      return "";
  }
}

function exitPayload(view: RunView, cause: AgentCause, error: string | null): ExitPayload {
  return {
    exit_code: view.signal === null ? (view.exitCode ?? -1) : -1,
    signal: view.signal === null ? 0 : signalNumber(view.signal),
    killed: view.signal === "SIGKILL",
    cause,
    error,
  };
}

function howItEnded(view: RunView): { isOom: boolean; how: string } {
  const how =
    view.signal === null
      ? `The agent left with exit code ${view.exitCode ?? "unknown"}.`
      : `The agent was killed by ${view.signal} (${constants.signals[view.signal as NodeJS.Signals] ?? "?"}).`;
  return { isOom: view.cause === "oom_kill", how };
}

async function within(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
