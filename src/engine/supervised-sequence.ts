/**
 * A sequence of stages: each a run of its own in a fresh shell, started only after the last one's process
 * really ended with exit code 0. The sequence ends once, with the outcome of the last stage that was tried.
 */
import { DEFAULT_GRACE_MS, messageOf } from "../model/index.ts";
import type { Cause, RunRecord, RunStateRecord, RunView, StopReport, StopRequest, ViewState } from "../model/index.ts";
import { INITIAL_SEQUENCE, stepSequence } from "../machine/index.ts";
import type { Decision, SequenceInput, SequenceState } from "../machine/index.ts";
import type { EngineDependencies } from "./dependencies.ts";
import type { SupervisedRun } from "./supervised-run.ts";

/** Makes, records and launches the stage with this index. Throws when it can't be recorded. */
export type StartStage = (sequence: SupervisedSequence, index: number) => SupervisedRun;

/** Called after each change that a caller could see. */
export type SequenceListener = (kind: "started" | "changed" | "ended", sequence: SupervisedSequence) => void;

/** One sequence under supervision, or the record of one that has ended. */
export class SupervisedSequence {
  readonly record: RunRecord;
  readonly stages: SupervisedRun[] = [];
  readonly #deps: EngineDependencies;
  readonly #startStage: StartStage;
  readonly #listener: SequenceListener;
  readonly #ended: Promise<void>;
  #resolveEnded: () => void = () => undefined;
  #state: SequenceState = INITIAL_SEQUENCE;
  #endedAt: number | null = null;
  #isStopping = false;
  /** Why no stage could be started at all. */
  #failure: Decision | null = null;

  constructor(record: RunRecord, deps: EngineDependencies, startStage: StartStage, listener: SequenceListener) {
    this.record = record;
    this.#deps = deps;
    this.#startStage = startStage;
    this.#listener = listener;
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  get id(): string {
    return this.record.id;
  }

  get isEnded(): boolean {
    return this.#state.phase === "ended";
  }

  /** Resolves when the sequence has ended. */
  get whenEnded(): Promise<void> {
    return this.#ended;
  }

  /** Whether processes of an ended stage may live on. */
  get mayHaveLeftovers(): boolean {
    return this.isEnded && this.stages.some((stage) => stage.mayHaveLeftovers);
  }

  /** Starts the first stage. */
  begin(): void {
    this.#take({ kind: "begin" });
  }

  /** Takes the sequence up with the stages that a former host started, the last of which may still run. */
  adopt(state: RunStateRecord | null, stages: readonly SupervisedRun[]): void {
    this.stages.push(...stages);
    const decision: Decision | null =
      state?.goal === "down" && state.cause !== null
        ? { cause: state.cause, resource: null, message: state.message }
        : null;
    if (state?.phase === "ended") {
      this.#state = { phase: "ended", last: stages.length === 0 ? null : stages.length - 1, decision };
      this.#endedAt = state.endedAt;
      this.#resolveEnded();
      return;
    }
    const last = stages.length - 1;
    const stage = stages[last];
    if (stage === undefined) {
      if (decision === null) this.begin();
      else this.#take({ kind: "stop", decision });
      return;
    }
    this.#state = { phase: "stage", stage: last, decision };
    this.#follow(stage, last);
    // The former host may have died between recording the sequence's stop and asking its stage.
    if (decision !== null)
      void stage.stop(decision, { reason: null, graceMs: DEFAULT_GRACE_MS }).catch(this.#deps.report);
  }

  /** Stops the stage that runs and every stage after it; on a sequence that has ended, the leftovers of its stages. */
  async stop(decision: Decision, request: StopRequest): Promise<StopReport> {
    const alreadyEnded = this.isEnded;
    const reports: StopReport[] = [];
    if (!alreadyEnded) {
      this.#isStopping = true;
      this.#persist("down", decision);
      const current = this.stages.at(-1);
      this.#take({ kind: "stop", decision });
      if (current !== undefined) reports.push(await current.stop(decision, request));
      await this.#ended;
    }
    for (const stage of this.stages.toReversed()) {
      if (stage.mayHaveLeftovers) reports.push(await stage.stop(decision, request));
    }
    return {
      id: this.id,
      requested: true,
      confirmed: reports.every((r) => r.confirmed),
      alreadyEnded,
      signals: [...new Set(reports.flatMap((r) => r.signals))],
      survivors: reports.flatMap((r) => r.survivors),
      run: await this.view(),
    };
  }

  /** Sends SIGINT to the process group of the stage that runs. */
  interrupt(): void {
    this.stages.at(-1)?.interrupt();
  }

  /** Lets go of every stage without touching its processes. */
  release(): void {
    for (const stage of this.stages) stage.release();
  }

  /** The sequence as callers see it, its stages inside. */
  async view(): Promise<RunView> {
    const { record } = this;
    const stages = await Promise.all(this.stages.map((stage) => stage.view()));
    const first = stages[0];
    const last = stages.at(-1);
    const outcome = this.#outcome(last ?? null);
    const startedAt = first?.startedAt ?? null;
    const endedAt = this.#endedAt;
    return {
      id: record.id,
      kind: "sequence",
      name: record.name,
      session: this.#deps.sessionId,
      command: record.commands.join(" && "),
      commands: record.commands,
      cwd: record.cwd,
      interactive: record.interactive,
      state: this.#viewState(last ?? null),
      exitCode: this.isEnded ? (last?.exitCode ?? null) : null,
      signal: this.isEnded ? (last?.signal ?? null) : null,
      cause: outcome.cause,
      resource: this.isEnded ? (last?.resource ?? null) : null,
      message: outcome.message,
      queuePosition: this.isEnded ? null : (last?.queuePosition ?? null),
      waitedMs: stages.some((s) => s.waitedMs !== null) ? stages.reduce((sum, s) => sum + (s.waitedMs ?? 0), 0) : null,
      startedAt,
      endedAt: this.isEnded && endedAt !== null ? new Date(endedAt).toISOString() : null,
      durationMs:
        startedAt === null
          ? null
          : Math.max(0, (this.isEnded && endedAt !== null ? endedAt : this.#deps.clock.wall()) - Date.parse(startedAt)),
      log: last?.log ?? { path: this.#deps.store.logPath(record.id), bytes: 0, lines: 0 },
      leftovers: stages.flatMap((s) => s.leftovers),
      stages,
      notes: [...new Set(stages.flatMap((s) => s.notes))],
    };
  }

  /** A sequence is put together anew each time. */
  get finalJson(): string | null {
    return null;
  }

  /** The same as JSON text. */
  async viewJson(): Promise<string> {
    return JSON.stringify(await this.view());
  }

  #outcome(last: RunView | null): { cause: Cause | null; message: string | null } {
    const state = this.#state;
    if (state.phase !== "ended") return { cause: null, message: null };
    const own = state.decision ?? this.#failure;
    if (own !== null)
      return {
        cause: state.last === null && own.cause === "stopped" ? "never_started" : own.cause,
        message: own.message,
      };
    if (last === null) return { cause: "never_started", message: "No stage was started." };
    return { cause: last.cause, message: last.message };
  }

  #viewState(last: RunView | null): ViewState {
    if (this.isEnded) return "ended";
    if (this.#isStopping || last?.state === "stopping") return "stopping";
    if (last?.state === "queued") return "queued";
    return "running";
  }

  #take(input: SequenceInput): void {
    const { state, effects } = stepSequence(this.#state, input, this.record.commands.length);
    this.#state = state;
    for (const effect of effects) {
      switch (effect.do) {
        case "start-stage":
          this.#start(effect.stage);
          break;
        case "stop-stage":
          break; // `stop` does, and waits for its report
        case "announce-end":
          this.#endedAt = this.#deps.clock.wall();
          this.#persist(
            state.phase === "ended" && state.decision !== null ? "down" : "up",
            state.phase === "ended" ? state.decision : null,
          );
          this.#resolveEnded();
          this.#listener("ended", this);
          break;
      }
    }
  }

  #start(index: number): void {
    let stage: SupervisedRun;
    try {
      stage = this.#startStage(this, index);
    } catch (error) {
      this.#failure = {
        cause: "spawn_failed",
        resource: null,
        message: `Stage ${index + 1} could not be started: ${messageOf(error)}`,
      };
      this.#deps.report(error);
      this.#take({ kind: "stop", decision: this.#failure });
      this.#take({ kind: "stage-ended", stage: index, ok: true });
      return;
    }
    this.stages.push(stage);
    this.#persist("up", null);
    this.#listener(index === 0 ? "started" : "changed", this);
    this.#follow(stage, index);
  }

  #follow(stage: SupervisedRun, index: number): void {
    void stage.whenEnded.then(() => this.#take({ kind: "stage-ended", stage: index, ok: stage.succeeded }));
  }

  #persist(goal: "up" | "down", decision: Decision | null): void {
    try {
      this.#deps.store.writeState({
        v: 1,
        id: this.id,
        goal,
        phase: this.isEnded ? "ended" : "running",
        startedAt: null,
        endedAt: this.#endedAt,
        wait: null,
        cause: decision?.cause ?? null,
        resource: decision?.resource ?? null,
        message: decision?.message ?? null,
        notes: [],
        logBytes: null,
        logLines: null,
        stages: this.stages.map((s) => s.id),
      });
    } catch (error) {
      this.#deps.report(error);
    }
  }
}
