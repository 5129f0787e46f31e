/**
 * One run: carries out, over the ports, what the pure reducer decides. Everything that happens enters
 * through `#take`, one input at a time; the state is on disk before an effect is carried out.
 */
import { DEFAULT_GRACE_MS, ProctorError, formatSize, errnoOf, messageOf } from "../model/index.ts";
import type {
  InputAnswer,
  InputRequest,
  PoliteStop,
  RunRecord,
  RunStateRecord,
  RunView,
  StopReport,
  StopRequest,
  SupervisorCause,
  TerminalSize,
} from "../model/index.ts";
import { INITIAL_RUN, QUEUED_RUN, stepRun } from "../machine/index.ts";
import { sandboxSummary } from "../sandbox/index.ts";
import type { Decision, RunEffect, RunInput, RunState } from "../machine/index.ts";
import type { CorruptRecord, LaunchEvent, LaunchSubscription, RunCgroup, Timer } from "../ports/index.ts";
import type { EngineDependencies } from "./dependencies.ts";
import { isHeavy, launchPlan, lingers } from "./launch-plan.ts";
import { LimitWatch } from "./limit-watch.ts";
import { exitEvidence, limitMechanisms } from "./limit-evidence.ts";
import { MemberSweep } from "./member-sweep.ts";
import type { SweepReport } from "./member-sweep.ts";
import { Membership } from "./membership.ts";
import { QueuePlace } from "./queue-place.ts";
import { damageNote, expiryNote, launchFailure, scribeEnd, withheldNote } from "./run-messages.ts";
import { stateRecord, viewOf } from "./run-state.ts";
import { RunTyping } from "./run-typing.ts";

/** How long the last facts of an end may take after everything else is known, in milliseconds. */
const SETTLE_MS = 5000;
/** How long an interactive run must live to be shown in a pane, in milliseconds: nobody could look at a shorter one. */
const PANE_AFTER_MS = 300;
/** How often it is looked whether anything is left of a run that keeps its slot until then, in milliseconds. */
const LINGER_LOOK_MS = 500;
/** How often the command of a run is looked for whose launcher was killed, in milliseconds. */
const VANISH_LOOK_MS = 200;

/** Called after each change that a caller could see. */
export type RunListener = (kind: "started" | "changed" | "ended", run: SupervisedRun) => void;

/** One run under supervision, or the record of one that has ended. */
export class SupervisedRun {
  readonly record: RunRecord;
  readonly members: Membership;
  readonly #deps: EngineDependencies;
  readonly #listener: RunListener;
  readonly #ended: Promise<void>;
  #resolveEnded: () => void = () => undefined;
  #state: RunState;
  #notes: string[] = [];
  #goal: "up" | "down" = "up";
  #subscription: LaunchSubscription | null = null;
  #cgroup: RunCgroup | null = null;
  #limits: LimitWatch | null = null;
  #settle: Timer | null = null;
  #sweep: MemberSweep | null = null;
  #polite: PoliteStop | null = null;
  #sweeping: Promise<SweepReport> | null = null;
  #lastSweep: SweepReport = { signals: [], survivors: [] };
  #emptied = false;
  #final: { readonly view: RunView; json: string | null } | null = null;
  /** An interrupt came before the launcher said who the command is: the command may have begun already. */
  #interruptAtLaunch = false;
  #lines: { readonly bytes: number; readonly lines: number } | null = null;
  /** Why the number of lines is not known. */
  #uncounted: string | null = null;
  #startedMono = 0;
  readonly #place: QueuePlace;
  /** The same until the launcher has started it: it may come back without. */
  #retry: Readonly<Record<string, string>> = {};
  /** What the command gets, for the time that it waits. */
  #env: Readonly<Record<string, string>> = {};
  /** Taken up from another host: its pane is there already. */
  #isAdopted = false;
  #pane: Timer | null = null;
  #lingering: Timer | null = null;
  readonly #typing: RunTyping;
  readonly #begun: Promise<void>;
  #resolveBegun: () => void = () => undefined;

  constructor(record: RunRecord, deps: EngineDependencies, listener: RunListener) {
    this.record = record;
    this.#deps = deps;
    this.#listener = listener;
    this.#state = INITIAL_RUN;
    this.members = new Membership(deps.table, record.id, deps.processes);
    this.#place = new QueuePlace(record, deps, {
      admitted: () => this.#take({ kind: "admitted" }),
      moved: () => this.#listener("changed", this),
      failed: (message) => this.#take({ kind: "failed", atWallMs: this.#now(), message }),
      note: (text) => this.#notes.push(text),
    });
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#begun = new Promise((resolve) => {
      this.#resolveBegun = resolve;
    });
    this.#typing = new RunTyping(
      deps.terminals,
      deps.answers,
      deps.store.runDir(record.id),
      deps.store.logPath(record.id),
    );
    if (record.withheld.length > 0) {
      this.#notes.push(withheldNote(record.withheld));
    }
  }

  get id(): string {
    return this.record.id;
  }

  get isEnded(): boolean {
    return this.#state.phase === "ended";
  }

  /** When it ended, in milliseconds since the epoch; null before. */
  get endedAt(): number | null {
    return this.#state.phase === "ended" ? this.#state.endedAt : null;
  }

  /** Gives up the log of a run that has ended; what it was stays on record. */
  expireLog(why: "age" | "size"): void {
    if (!this.isEnded || this.mayHaveLeftovers) return;
    const bytes = this.#deps.store.logBytes(this.id);
    this.#deps.store.removeLog(this.id);
    this.#notes = [...this.#notes, expiryNote(why, bytes, this.#deps.retention)];
    this.#final = null;
    this.#lines = { bytes: 0, lines: 0 };
    this.#persist();
  }

  /** Whether the run ended by itself with exit code 0. */
  get succeeded(): boolean {
    const state = this.#state;
    return (
      state.phase === "ended" &&
      state.decision.cause === "completed" &&
      state.exit?.wait.kind === "exited" &&
      state.exit.wait.code === 0
    );
  }

  /** Resolves when the run has ended. */
  get whenEnded(): Promise<void> {
    return this.#ended;
  }

  /** Whether processes of an ended run may live on. */
  get mayHaveLeftovers(): boolean {
    if (!this.isEnded || this.#emptied || this.members.processes === null) return false;
    // A launcher that was killed says no more that it has no child left: looked at by ourselves.
    if (!this.members.isComplete && !this.members.anyKnownAlive() && this.members.find().length === 0) {
      this.#emptied = true;
      this.members.emptied();
    }
    return !this.#emptied;
  }

  /**
   * Takes a place in the queue if the command is heavy: before it is on record, because a queue that is full
   * refuses it.
   *
   * @throws ProctorError `ERR_REFUSED_QUEUE_FULL`.
   */
  takePlace(): void {
    if (this.#place.take()) this.#state = QUEUED_RUN;
  }

  /** Gives the place back when the run could not be recorded. */
  givePlaceBack(): void {
    this.#place.leave();
  }

  /**
   * Starts the command, one that took a place when its turn comes. The record is on disk; from here on
   * nothing is forgotten.
   */
  start(env: Readonly<Record<string, string>>): void {
    this.#env = env;
    if (this.#state.phase !== "queued") {
      this.#launch();
      return;
    }
    this.#persist();
    this.#listener("changed", this);
  }

  #launch(): void {
    const { record } = this;
    const env = this.#env;
    this.#env = {};
    this.#cgroup = this.#deps.cgroups.create(record.id, record.limits);
    if (this.#cgroup !== null) this.members.joined(this.#cgroup);
    this.#noteLimitMechanism();
    const plan = launchPlan(record, env, this.#deps, this.#cgroup, this.#place.claim);
    this.#retry = env;
    this.#subscription = this.#deps.launcher.launch(plan, (event) => this.#onLaunchEvent(event));
  }

  /**
   * Takes the run up after another host left it: running, or ended without anybody looking. `damage`: what could not
   * be read of it; `isSalvaged`: its own record is among that.
   */
  adopt(state: RunStateRecord | null, damage: readonly CorruptRecord[] = [], isSalvaged: boolean = false): void {
    this.#isAdopted = true;
    const told = damage.map(({ path, problem }) => damageNote(path, problem, isSalvaged));
    this.#notes = [...new Set([...(state?.notes ?? this.#notes), ...told])];
    if (state?.phase === "ended") {
      this.#restoreEnded(state);
      return;
    }
    this.#place.resumed(state?.waitedMs ?? null);
    this.#cgroup = this.#deps.cgroups.find(this.record.id);
    if (this.#cgroup !== null) this.members.joined(this.#cgroup);
    const dir = this.#deps.store.runDir(this.record.id);
    // What was asked for before the former host died is taken up first: the cause is never decided twice.
    const pending: Decision | null =
      state !== null && state.goal === "down" && state.cause !== null
        ? { cause: state.cause, resource: state.resource, message: state.message }
        : null;
    if (pending !== null)
      this.#take({ kind: "stop", decision: pending, graceMs: DEFAULT_GRACE_MS, atWallMs: this.#now() });
    this.#subscription = this.#deps.launcher.adopt(dir, (event) => this.#onLaunchEvent(event));
    if (this.#subscription !== null) return;
    // On record, and nobody has begun it: what the former host meant to do is done now. Only one launcher
    // can take a run up, so a late one of the former host's does no harm.
    if (pending === null && this.record.unrecorded.length === 0 && !isSalvaged) {
      this.#env = this.record.env;
      if (!isHeavy(this.record)) this.#launch();
      else {
        // What waits is recorded as it began to wait.
        this.#place.resumed(Math.max(state?.waitedMs ?? 0, this.#now() - this.record.createdAt, 0));
        this.#state = QUEUED_RUN;
        this.#place.takeUp();
      }
      return;
    }
    if (!this.#deps.launcher.cancel(dir)) {
      this.#subscription = this.#deps.launcher.adopt(dir, (event) => this.#onLaunchEvent(event));
      return;
    }
    this.#take({
      kind: "failed",
      atWallMs: this.#now(),
      message: isSalvaged
        ? "The record was damaged before the command was started; nothing was run. Start it again."
        : `The session's host was killed before the command was started, and ${this.record.unrecorded.join(", ")} is never written to disk; nothing was run. Start it again.`,
    });
  }

  /**
   * Starts watching an ended run's leftovers again after a recovery: a launcher that still lives has some.
   */
  #restoreEnded(state: RunStateRecord): void {
    this.#goal = state.goal;
    this.#state = {
      phase: "ended",
      startedAt: state.startedAt,
      endedAt: state.endedAt ?? this.record.createdAt,
      exit: state.wait === null ? null : { wait: state.wait, atWallMs: state.endedAt ?? this.record.createdAt },
      decision: { cause: state.cause ?? "lost", resource: state.resource, message: state.message },
      tail: { drained: true, scribe: null },
    };
    this.#place.resumed(state.waitedMs ?? null);
    if (state.logBytes !== null && state.logLines !== null)
      this.#lines = { bytes: state.logBytes, lines: state.logLines };
    this.#resolveEnded();
    this.#emptied = state.emptied === true;
    if (this.#emptied) {
      this.#place.leave();
      return;
    }
    this.#subscription = this.#deps.launcher.adopt(this.#deps.store.runDir(this.record.id), (event) => {
      if (event.kind === "launched") this.members.launched(event.processes);
      if (event.kind === "emptied") this.#onEmptied();
    });
    // Who is left of it is read from its status file in a moment.
    if (lingers(this.record)) this.#linger();
    else this.#place.leave();
  }

  /**
   * Asks for the end: records why, then stops every member. On a run that has ended its leftovers are
   * stopped and its record stays as it is.
   */
  async stop(decision: Decision, request: StopRequest): Promise<StopReport> {
    const alreadyEnded = this.isEnded || this.#state.phase === "draining";
    if (!alreadyEnded && request.blunt !== true) this.#polite = this.record.polite ?? null;
    if (!alreadyEnded) {
      this.#take({ kind: "stop", decision, graceMs: request.graceMs, atWallMs: this.#now() });
      await this.#ended;
    } else {
      await this.#ended;
      if (this.mayHaveLeftovers) {
        this.#lastSweep = await this.#startSweep(request.graceMs);
        this.#listener("changed", this);
      } else {
        this.#lastSweep = { signals: [], survivors: [] };
      }
    }
    const { signals, survivors } = this.#lastSweep;
    return {
      id: this.id,
      requested: true,
      confirmed: survivors.length === 0,
      alreadyEnded,
      signals,
      survivors,
      run: await this.view(),
    };
  }

  /** Sends SIGINT to the command's process group, as a terminal's Ctrl-C would. */
  interrupt(): void {
    if (this.isEnded) return;
    const { processes } = this.members;
    if (processes === null) {
      this.#interruptAtLaunch = true;
      return;
    }
    this.#deps.table.signalGroup(processes.command, processes.leader.pid, "SIGINT");
  }

  /**
   * Types into the run's terminal.
   *
   * @throws ProctorError `ERR_INPUT_NOT_INTERACTIVE`, `ERR_INPUT_KEY`, `ERR_INPUT_TERMINAL_LINE`.
   */
  async input(request: InputRequest): Promise<InputAnswer> {
    await this.#whenTyped();
    const { written, isGone, notes } = this.isEnded
      ? { written: 0, isGone: false, notes: [] }
      : await this.#typing.type(request, this.members.processes?.terminal ?? null);
    // The caller gets the end itself, not a run that is still called running.
    if (isGone)
      await Promise.race([this.#ended, new Promise<void>((resolve) => this.#deps.clock.after(SETTLE_MS, resolve))]);
    return {
      id: this.id,
      written,
      run: await this.view(),
      notes: this.isEnded ? [...notes, "The run has ended."] : notes,
    };
  }

  /** Gives the run's terminal another size. */
  async resize(size: TerminalSize): Promise<RunView> {
    await this.#whenTyped();
    if (!this.isEnded) await this.#typing.resize(size);
    return this.view();
  }

  /** Resolves when there is a terminal to type into, or the run is over. */
  async #whenTyped(): Promise<void> {
    if (!this.record.interactive && !this.isEnded) {
      throw new ProctorError(
        "ERR_INPUT_NOT_INTERACTIVE",
        `id: the run ${this.id} has no terminal: its standard input is ${this.record.stdin ?? "empty"}, and nothing can be typed into it. Start it with --interactive.`,
        { details: { field: "id", value: this.id } },
      );
    }
    await Promise.race([this.#begun, this.#ended]);
  }

  /** Lets go of the run without touching its processes: a host that hands over, or a test. */
  release(): void {
    this.#subscription?.release();
    this.#limits?.stop();
    this.#settle?.cancel();
    this.#pane?.cancel();
    this.#lingering?.cancel();
  }

  /** The run as callers see it. What can't change any more is put together once. */
  async view(): Promise<RunView> {
    if (this.#final !== null) return this.#final.view;
    const view = await this.#currentView();
    if (this.isEnded && this.#emptied && this.#uncounted === null && view.state === "ended")
      this.#final = { view, json: null };
    return view;
  }

  /** The view as JSON text where it can't change any more and was asked for before; null otherwise. */
  get finalJson(): string | null {
    return this.#final?.json ?? null;
  }

  /** The same as JSON text: a list of 10,000 runs is not serialised anew each time. */
  async viewJson(): Promise<string> {
    if (this.finalJson !== null) return this.finalJson;
    const view = await this.view();
    if (this.#final === null) return JSON.stringify(view);
    this.#final.json ??= JSON.stringify(view);
    return this.#final.json;
  }

  async #currentView(): Promise<RunView> {
    const { record } = this;
    const bytes = this.#deps.store.logBytes(record.id);
    return {
      id: record.id,
      kind: "run",
      name: record.name,
      session: this.#deps.sessionId,
      command: record.commands[0] ?? "",
      cwd: record.cwd,
      interactive: record.interactive,
      ...viewOf(this.#state, this.#now()),
      queuePosition: this.#state.phase === "queued" ? this.#place.position : null,
      waitedMs: this.#place.waitedMs,
      log: { path: this.#deps.store.logPath(record.id), bytes, lines: await this.#countLines(bytes) },
      leftovers: this.mayHaveLeftovers ? this.members.leftovers() : [],
      pid: this.members.processes?.command.pid ?? null,
      ...(record.output === "split" ? { errorLog: this.#deps.store.errorLogPath(record.id) } : {}),
      ...(record.sandbox === undefined ? {} : { sandbox: record.sandbox.policy }),
      mechanisms: this.#mechanisms(),
      notes: this.#allNotes(),
    };
  }

  #allNotes(): readonly string[] {
    const invitation = this.record.interactive && !this.isEnded ? this.#deps.panes.invitation(this.id) : null;
    if (invitation === null && this.#uncounted === null) return this.#notes;
    return [
      ...this.#notes,
      ...(this.#uncounted === null ? [] : [this.#uncounted]),
      ...(invitation === null
        ? []
        : [`A person can join with: proctor attach ${this.id} --session ${this.#deps.sessionDir}, or: ${invitation}`]),
    ];
  }

  async #countLines(bytes: number): Promise<number> {
    if (this.#lines?.bytes === bytes) return this.#lines.lines;
    try {
      const lines = await this.#deps.store.countLines(this.id);
      this.#lines = { bytes, lines };
      this.#uncounted = null;
      return lines;
    } catch (error) {
      // A host that has no descriptor left, a log that nobody may read: the run itself is told all the same.
      if (errnoOf(error) === null) throw error;
      this.#uncounted = `The lines of its log could not be counted (${errnoOf(error) ?? ""}).`;
      return this.#lines?.lines ?? 0;
    }
  }

  #now(): number {
    return this.#deps.clock.wall();
  }

  #onLaunchEvent(event: LaunchEvent): void {
    switch (event.kind) {
      case "slot-lost":
        this.#env = this.#retry;
        this.#take({ kind: "slot-lost", atWallMs: this.#now() });
        return;
      case "launched":
        this.#retry = {};
        this.members.launched(event.processes);
        this.#resolveBegun();
        if (this.record.interactive && this.#isAdopted) {
          void this.#deps.panes.adopt(this.id, (message) => this.#onPaneLost(message));
          void this.#typing.askAgain().catch((error: unknown) => this.#deps.report(error));
        }
        if (this.record.interactive && !this.#isAdopted && this.#deps.panes.rejected !== null)
          this.#notes.push(this.#deps.panes.rejected);
        if (this.record.interactive && !this.#isAdopted)
          this.#pane = this.#deps.clock.after(
            PANE_AFTER_MS,
            () => void this.#deps.panes.show(this.id, (message) => this.#onPaneLost(message)),
          );
        this.#startedMono = this.#deps.clock.mono() - Math.max(0, this.#now() - event.atWallMs);
        this.#take({ kind: "launched", atWallMs: event.atWallMs });
        if (this.#interruptAtLaunch) this.interrupt();
        return;
      case "failed":
        this.#take({
          kind: "failed",
          atWallMs: this.#now(),
          message: launchFailure(event.stage, event.errno, this.record),
        });
        return;
      case "exited":
        this.#take({
          kind: "exited",
          exit: { wait: event.wait, atWallMs: event.atWallMs },
          evidence: exitEvidence(this.record.limits, event.wait, this.#cgroup?.evidence() ?? null),
        });
        return;
      case "asked":
        if (this.isEnded) return;
        void this.#typing.answer(event.from).catch((error: unknown) => this.#deps.report(error));
        return;
      case "drained":
        this.#take({ kind: "drained", atWallMs: this.#now() });
        return;
      case "scribe-ended":
        this.#take({
          kind: "scribe-ended",
          errno: event.errno,
          signal: event.signal,
          problem: this.#scribeProblem(event.errno, event.signal),
          atWallMs: this.#now(),
        });
        return;
      case "emptied":
        this.#onEmptied();
        return;
      case "launcher-lost":
        this.#notes.push(
          "The process that waits for the command was killed from outside; what the command still printed may be missing from the log.",
        );
        this.#take({ kind: "launcher-lost", atWallMs: this.#now() });
        return;
    }
  }

  /** Gives the place up, unless the work that took it goes on behind the command that ended. */
  #leavePlace(): void {
    if (lingers(this.record) && this.mayHaveLeftovers) {
      if (this.#lingering === null) this.#linger();
      return;
    }
    this.#lingering?.cancel();
    this.#lingering = null;
    this.#place.leave();
  }

  /** A launcher says when nothing is left; one that was killed does not, and then it is looked at here. */
  #linger(): void {
    this.#lingering = this.#deps.clock.after(LINGER_LOOK_MS, () => {
      this.#lingering = null;
      this.#leavePlace();
    });
  }

  #onEmptied(): void {
    this.#emptied = true;
    if (this.isEnded) this.#leavePlace();
    this.#sweep?.nudge();
    this.#cgroup?.remove();
    this.members.emptied();
    if (!this.isEnded) return;
    if (this.#lines !== null) this.#persist();
    this.#listener("changed", this);
  }

  /** What the scribe's end means for the run; null when the log is whole, or a true prefix that a note tells of. */
  #scribeProblem(errno: number, signal: number): Decision | null {
    const { note, problem } = scribeEnd(
      errno,
      signal,
      this.#deps.store.logBytes(this.id),
      this.record.limits.logMaxBytes,
    );
    if (note !== null) this.#notes.push(note);
    return problem;
  }

  #take(input: RunInput): void {
    const before = this.#state;
    const { state, effects } = stepRun(before, input);
    this.#state = state;
    if (
      state !== before &&
      (state.phase === "ended" || state.phase === "stopping" || (state.phase === "starting" && state.decision !== null))
    ) {
      if (state.phase !== "ended" || state.decision.cause !== "completed") this.#goal = "down";
      this.#persist();
    }
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: RunEffect): void {
    switch (effect.do) {
      case "launch":
        this.#persist(); // how long it waited
        this.#launch();
        return;
      case "enqueue":
        this.#place.takeAgain();
        return;
      case "announce":
        if (effect.kind === "ended") this.#finish();
        this.#listener(effect.kind, this);
        return;
      case "arm-limits":
        this.#limits = new LimitWatch(
          this.record,
          this.#deps,
          this.members,
          this.#cgroup,
          this.#startedMono,
          (decision) => this.#take({ kind: "stop", decision, graceMs: DEFAULT_GRACE_MS, atWallMs: this.#now() }),
        );
        return;
      case "disarm-limits":
        this.#limits?.stop();
        this.#limits = null;
        return;
      case "arm-settle":
        this.#settle ??= this.#deps.clock.after(SETTLE_MS, () => {
          this.#settle = null;
          this.#take({ kind: "settle-timeout", atWallMs: this.#now() });
        });
        return;
      case "cancel-launch":
        if (this.#deps.launcher.cancel(this.#deps.store.runDir(this.id)))
          this.#take({ kind: "cancelled", atWallMs: this.#now() });
        else this.#carryOut({ do: "arm-settle" }); // a launcher has begun: it will tell
        return;
      case "sweep":
        void this.#startSweep(effect.graceMs).then(
          (report) => {
            this.#lastSweep = report;
            if (report.survivors.length > 0) {
              this.#notes.push(
                `Still alive after SIGKILL: ${report.survivors.map((s) => `${s.pid} ${s.command}`).join("; ")}.`,
              );
            }
            this.#take({
              kind: "swept",
              result: { signals: report.signals, survivors: report.survivors.length },
              atWallMs: this.#now(),
            });
          },
          (error: unknown) => this.#deps.report(error),
        );
        return;
      case "hasten":
        this.#sweep?.hasten(effect.graceMs);
        return;
      case "watch-command":
        this.#watchCommand();
        return;
    }
  }

  #startSweep(graceMs: number): Promise<SweepReport> {
    if (this.#sweeping !== null) {
      this.#sweep?.hasten(graceMs);
      return this.#sweeping;
    }
    const sweep = new MemberSweep(
      this.members,
      this.#deps.table,
      this.#deps.clock,
      this.#cgroup,
      () => this.#emptied,
      graceMs,
      {
        polite: this.isEnded ? null : this.#polite,
        isWrapped: this.record.sandbox !== undefined,
      },
    );
    this.#sweep = sweep;
    this.#sweeping = sweep.run().finally(() => {
      this.#sweep = null;
      this.#sweeping = null;
      this.#cgroup?.remove();
    });
    return this.#sweeping;
  }

  /** The run ends with its command; what else lives on are leftovers, as after any end. */
  #watchCommand(): void {
    this.members.find(); // while the command lives, its descendants can still be told
    const look = (): void => {
      if (this.#state.phase !== "vanishing") return;
      const { processes } = this.members;
      if (processes !== null && this.#deps.table.isAlive(processes.command)) {
        this.#deps.clock.after(VANISH_LOOK_MS, look);
        return;
      }
      this.#take({ kind: "vanished", atWallMs: this.#now() });
    };
    look();
  }

  /** The server of its pane was killed: the person's terminal is gone, as when a window is closed. */
  #onPaneLost(message: string): void {
    const decision: Decision = { cause: "stopped", resource: null, message };
    this.#take({ kind: "stop", decision, graceMs: DEFAULT_GRACE_MS, atWallMs: this.#now() });
  }

  #finish(): void {
    this.#pane?.cancel();
    if (this.record.interactive) {
      this.#deps.panes.ended(this.id);
      void this.#typing.close().catch((error: unknown) => this.#deps.report(error));
    }
    this.#settle?.cancel();
    this.#settle = null;
    this.#leavePlace();
    this.#resolveEnded();
    // The end is on record; the number of lines is a convenience that may follow.
    void this.#countLines(this.#deps.store.logBytes(this.id)).then(
      () => this.#persist(),
      (error: unknown) => this.#deps.report(error),
    );
  }

  #persist(): void {
    try {
      this.#deps.store.writeState(
        stateRecord(this.id, this.#state, {
          goal: this.#goal,
          notes: this.#notes,
          log: this.#lines,
          emptied: this.#emptied,
          waitedMs: this.#place.waitedMs,
        }),
      );
    } catch (error) {
      // The launcher's own record of the exit stands; what is lost is said where a caller looks.
      this.#notes.push(`The run's record could not be written: ${messageOf(error)}`);
      this.#deps.report(error);
    }
  }

  /** What holds this run, named: the sandbox, and what enforces each limit that was asked for. */
  #mechanisms(): readonly string[] {
    const { sandbox, limits } = this.record;
    const found = sandbox === undefined ? [] : [sandboxSummary(sandbox)];
    return [...found, ...limitMechanisms(limits, this.#cgroup)];
  }

  #noteLimitMechanism(): void {
    const { memoryBytes } = this.record.limits;
    if (memoryBytes === null) return;
    this.#notes.push(
      typeof this.#cgroup?.memoryBy === "string"
        ? `Memory limit of ${formatSize(memoryBytes)} enforced by ${this.#cgroup.memoryBy}.`
        : `Memory limit of ${formatSize(memoryBytes)} watched, not enforced: no memory cgroup can be written here.`,
    );
  }
}

/** The decision of a stop that a caller asked for, or a supervisor outside the engine decided. */
export function stopDecision(reason: string | null, cause?: SupervisorCause): Decision {
  if (cause !== undefined) return { cause, resource: null, message: reason ?? `Stopped by its supervisor: ${cause}.` };
  return {
    cause: "stopped",
    resource: null,
    message: reason === null || reason === "" ? "Stopped on request." : `Stopped on request: ${reason}`,
  };
}
