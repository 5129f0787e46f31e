/**
 * The runs of one session: starts, finds, stops and ends them. The same class works inside the session
 * host and embedded in a caller's own process.
 */
import { EventEmitter } from "node:events";
import { statSync, accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { DEFAULT_GRACE_MS, ProctorError, errnoOf, matchId, newId } from "../model/index.ts";
import type {
  ExpiredLogView,
  Heaviness,
  QueueEvent,
  InputAnswer,
  InputRequest,
  ProcessIdentity,
  ResizeRequest,
  RunEvent,
  RunRecord,
  RunView,
  SessionApi,
  SessionEndReport,
  StartExtras,
  StartRequest,
  StopReport,
  StopRequest,
  WaitAnswer,
  WaitRequest,
} from "../model/index.ts";
import { expiredLogs } from "../machine/index.ts";
import type { Decision, KeptLog } from "../machine/index.ts";
import type { CorruptRecord, StoredRun, Timer } from "../ports/index.ts";
import type { EngineDependencies } from "./dependencies.ts";
import { Handoffs } from "./handoffs.ts";
import { SupervisedRun, stopDecision } from "./supervised-run.ts";
import { SupervisedSequence } from "./supervised-sequence.ts";

/** How long nothing must run before what coming starts need is prepared, in milliseconds. */
const REST_MS = 10;
/** The pause after each part of that, in milliseconds: a request that comes meanwhile is answered first. */
const PART_MS = 1;
/** A wall clock that went further than this from the system's own since the former host looked, jumped. In milliseconds. */
const JUMP_MS = 60_000;
/** How often it is noted that a log's path was given out, in milliseconds. */
const GIVE_AGAIN_MS = 60_000;

type Entry = SupervisedRun | SupervisedSequence;

/** Which sequence a stage belongs to, by the sequences' own states: for stages whose record is damaged. */
function parentsByState(runs: readonly StoredRun[]): ReadonlyMap<string, NonNullable<RunRecord["parent"]>> {
  return new Map(
    runs.flatMap(({ record, state }) =>
      record.kind !== "sequence" || state === null
        ? []
        : state.stages.map((stage, index) => [stage, { id: record.id, index }] as const),
    ),
  );
}

/** What a session must do when it ends, besides stopping its runs: remove its directory. */
export interface SessionLifetime {
  /** Called once every run was stopped. */
  removeDirectory(): void;
}

/** The engine of one session. */
export class SessionEngine implements SessionApi {
  readonly id: string;
  readonly dir: string;
  /** Records that could not be read when the session was taken up. */
  readonly corrupt: CorruptRecord[] = [];
  readonly #deps: EngineDependencies;
  readonly #lifetime: SessionLifetime;
  /** Runs and sequences in start order; stages are in `#stages`. */
  readonly #entries = new Map<string, Entry>();
  readonly #stages = new Map<string, SupervisedRun>();
  /** The environments of runs whose next stage may still need what is not on disk. */
  readonly #environments = new Map<string, Readonly<Record<string, string>>>();
  /** Runs whose own owner needs no more looks: it was lost, or nothing of the run is left. */
  readonly #orphaned = new Set<string>();
  readonly #events = new EventEmitter();
  readonly #handoffs: Handoffs;
  readonly #given = new Map<string, number>();
  readonly #beganMono: number;
  readonly #beganWall: number;
  /** Nothing counts as older than this: the wall clock jumped between the former host and this one. */
  #eldest = 0;
  #isClockNoted = false;
  #serial = 0;
  #ending: Promise<SessionEndReport> | null = null;
  /** Runs that were started here and have not ended. */
  #active = 0;
  #rest: Timer | null = null;
  /** One start is weighed after the other, so that places in the queue are taken in the order of the starts. */
  #weighing: Promise<unknown> = Promise.resolve();

  constructor(deps: EngineDependencies, lifetime: SessionLifetime) {
    this.id = deps.sessionId;
    this.dir = deps.sessionDir;
    this.#deps = deps;
    this.#lifetime = lifetime;
    this.#handoffs = new Handoffs(deps.store);
    this.#beganMono = deps.clock.mono();
    this.#beganWall = deps.clock.wall();
    this.#events.setMaxListeners(0);
  }

  /** Takes up every run that stands on disk: those that run, those that ended unseen, those that ended. */
  recover(): void {
    this.#deps.store.sweep();
    const ahead = this.#deps.store.notedClock();
    if (ahead !== null && Math.abs(this.#aheadMs - ahead) > JUMP_MS) this.#eldest = this.#beganWall;
    this.#noteClock();
    const { runs, corrupt } = this.#deps.store.load();
    this.corrupt.push(...corrupt);
    for (const { path, problem } of corrupt) this.#deps.report(new Error(`${path} is damaged: ${problem}`));
    const stagesOf = new Map<string, SupervisedRun[]>();
    const parents = parentsByState(runs);
    for (const { record: found, state, damage, isSalvaged } of runs) {
      const record = isSalvaged ? { ...found, parent: parents.get(found.id) ?? null } : found;
      this.#serial = Math.max(this.#serial, record.serial);
      if (record.kind !== "run") continue;
      const run = new SupervisedRun(record, this.#deps, (kind) => this.#onRun(kind, record.id));
      if (record.parent === null) this.#entries.set(record.id, run);
      else {
        this.#stages.set(record.id, run);
        const siblings = stagesOf.get(record.parent.id) ?? [];
        siblings[record.parent.index] = run;
        stagesOf.set(record.parent.id, siblings);
      }
      run.adopt(state, damage, isSalvaged);
    }
    for (const { record, state } of runs) {
      if (record.kind !== "sequence") continue;
      const sequence = this.#newSequence(record);
      this.#entries.set(record.id, sequence);
      sequence.adopt(
        state,
        (stagesOf.get(record.id) ?? []).filter((s) => s !== undefined),
      );
    }
    const ordered = [...this.#entries.values()].toSorted((a, b) => a.record.serial - b.record.serial);
    this.#entries.clear();
    for (const entry of ordered) {
      this.#entries.set(entry.id, entry);
      this.#handoffs.recover(entry.id, entry.isEnded);
    }
    // One that was drawn for a run which was never recorded would be kept for nobody.
    setImmediate(() => this.#deps.queue.sweep());
  }

  /** How far the wall clock is ahead of the system's start. */
  get #aheadMs(): number {
    return this.#deps.clock.wall() - this.#deps.clock.boot();
  }

  /** Leaves to the next host by what it can tell that the wall clock jumped. */
  #noteClock(): void {
    if (!this.#isClockNoted) this.#isClockNoted = this.#deps.store.noteClock(this.#aheadMs);
  }

  /** Whether something of this session runs, or lives on after its command. */
  get isBusy(): boolean {
    for (const entry of this.#entries.values()) if (!entry.isEnded || entry.mayHaveLeftovers) return true;
    return false;
  }

  async start(request: StartRequest): Promise<RunView> {
    this.#refuseWhenEnding();
    const known = this.#entries.get(request.id);
    if (known !== undefined) return known.view();
    checkStart(request);
    const weighed = this.#weighing.then(() => this.#weigh(request));
    this.#weighing = weighed.catch(() => undefined);
    const heavy = await weighed;
    if (hasGroupLimits(request.limits)) await this.#deps.cgroups.prepare(request.limits);
    this.#refuseWhenEnding();
    const meanwhile = this.#entries.get(request.id);
    if (meanwhile !== undefined) return meanwhile.view();
    const isSequence = request.commands.length > 1;
    if (isSequence && heavy[0] !== "light") this.#deps.queue.refuseWhenFull();
    const record = this.#record(request.id, request, isSequence ? "sequence" : "run", request.commands, null, heavy);
    if (isSequence) {
      this.#deps.store.create(record, null);
      this.#given.set(record.id, this.#deps.clock.mono());
      this.#environments.set(record.id, request.env);
      const sequence = this.#newSequence(record);
      this.#entries.set(record.id, sequence);
      sequence.begin();
      return sequence.view();
    }
    const run = new SupervisedRun(record, this.#deps, (kind) => this.#onRun(kind, record.id));
    this.#createRun(run, request.commands[0] ?? "");
    this.#noteClock();
    this.#given.set(record.id, this.#deps.clock.mono()); // the answer tells where the log is
    this.#entries.set(record.id, run);
    run.start(request.env);
    return run.view();
  }

  #refuseWhenEnding(): void {
    if (this.#ending === null) return;
    throw new ProctorError(
      "ERR_REFUSED_SESSION_ENDING",
      `The session ${this.dir} is ending; nothing can be started in it. Use another session.`,
    );
  }

  /** Takes the run's place in the queue if it needs one, and records it; a run that can't be recorded has no place. */
  #createRun(run: SupervisedRun, command: string): void {
    run.takePlace();
    try {
      this.#deps.store.create(run.record, command);
    } catch (error) {
      run.givePlaceBack();
      throw error;
    }
    this.#active += 1;
    void run.whenEnded.then(() => {
      this.#active -= 1;
      if (this.#active === 0) this.#prepareWhenResting(REST_MS);
    });
  }

  /** When nothing has run for a moment, what coming starts need is made, a part at a time. */
  #prepareWhenResting(ms: number): void {
    this.#rest ??= this.#deps.clock.after(ms, () => {
      this.#rest = null;
      if (this.#active > 0 || this.#ending !== null) return;
      this.#deps.store.pause();
      this.#deps.launcher.prepare();
      if (this.#deps.store.prepare()) this.#prepareWhenResting(PART_MS);
    });
  }

  /** Which of the commands take a place in the queue. The one with a terminal, the last, never does: a person is there. */
  async #weigh({ commands, interactive, rules }: StartRequest): Promise<readonly Heaviness[]> {
    return Promise.all(
      commands.map(async (command, i) => {
        if (interactive && i === commands.length - 1) return "light";
        return this.#deps.heavinessOf(command, rules ?? { heavy: [], light: [] });
      }),
    );
  }

  async list(): Promise<readonly RunView[]> {
    this.#give(null);
    return Promise.all([...this.#entries.values()].map((entry) => entry.view()));
  }

  /** The list as JSON text, for whoever only passes it on. */
  async listJson(): Promise<string> {
    this.#give(null);
    const texts: string[] = [];
    for (const entry of this.#entries.values()) texts.push(entry.finalJson ?? (await entry.viewJson()));
    return `[${texts.join(",")}]`;
  }

  async status(id: string): Promise<RunView> {
    return this.#find(id).view();
  }

  async wait(request: WaitRequest): Promise<WaitAnswer> {
    const entry = this.#find(request.id);
    if (entry.isEnded) return { outcome: "ended", run: await entry.view() };
    const outcome = await new Promise<"ended" | "timeout">((resolve) => {
      const timer =
        request.timeoutMs === null ? null : this.#deps.clock.after(request.timeoutMs, () => resolve("timeout"));
      void entry.whenEnded.then(() => {
        timer?.cancel();
        resolve("ended");
      });
    });
    return { outcome, run: await entry.view() };
  }

  async stop(id: string, request: StopRequest): Promise<StopReport> {
    const entry = this.#find(id);
    if (request.isOwn === true) this.#handoffs.stoppedByWatcher(entry.id);
    return entry.stop(stopDecision(request.reason, request.cause), request);
  }

  /** Stops the runs whose own owner died, apart from the session's. */
  loseOwners(isAlive: (owner: ProcessIdentity) => boolean): void {
    for (const run of this.#entries.values()) {
      const { owner } = run.record;
      if (owner === undefined || this.#orphaned.has(run.id)) continue;
      if (run.isEnded && !run.mayHaveLeftovers) {
        this.#orphaned.add(run.id);
        continue;
      }
      if (isAlive(owner)) continue;
      this.#orphaned.add(run.id);
      const decision: Decision = {
        cause: "owner_lost",
        resource: null,
        message: `The run's owner (pid ${owner.pid}) is gone, so it was stopped.`,
      };
      void run
        .stop(decision, { reason: null, graceMs: DEFAULT_GRACE_MS, blunt: true })
        .catch((error: unknown) => this.#deps.report(error));
    }
  }

  async stopAll(request: StopRequest): Promise<readonly StopReport[]> {
    if (request.isOwn === true)
      for (const [id, entry] of this.#entries) if (!entry.isEnded) this.#handoffs.stoppedByWatcher(id);
    return this.#stopEverything(stopDecision(request.reason), request);
  }

  async interrupt(id: string): Promise<RunView> {
    const entry = this.#find(id);
    entry.interrupt();
    return entry.view();
  }

  onQueueChange(listener: (event: QueueEvent) => void): () => void {
    return this.#deps.queue.onChange(listener);
  }

  async watch(id: string): Promise<RunView> {
    const entry = this.#find(id);
    this.#handoffs.watch(entry.id, entry.isEnded);
    return entry.view();
  }

  async openWork(): Promise<readonly RunView[]> {
    const open = [...this.#entries.values()].filter((entry) => this.#handoffs.isOpen(entry.id));
    return Promise.all(open.map((entry) => entry.view()));
  }

  async collect(dryRun: boolean): Promise<readonly ExpiredLogView[]> {
    // A wall clock that jumps while this host lives makes no log older.
    const now = this.#beganWall + (this.#deps.clock.mono() - this.#beganMono);
    const runs = [...this.#entries.values()].flatMap((entry) =>
      entry instanceof SupervisedRun ? [entry] : entry.stages,
    );
    const logs = runs.flatMap((run): KeptLog[] => {
      if (!run.isEnded) return [];
      const { id, parent } = run.record;
      const isNeeded = run.mayHaveLeftovers || this.#handoffs.isOpen(parent?.id ?? id);
      const given = [id, ...(parent === null ? [] : [parent.id])].map((one) => this.#deps.store.givenAt(one) ?? 0);
      const givenAt = Math.max(...given);
      return [
        {
          id,
          bytes: this.#deps.store.logBytes(id),
          endedAt: Math.max(run.endedAt ?? now, this.#eldest),
          givenAt: givenAt === 0 ? null : Math.max(givenAt, this.#eldest),
          isNeeded,
        },
      ];
    });
    const expired = expiredLogs(logs, now, this.#deps.retention);
    if (dryRun) return expired;
    for (const { id, why } of expired) runs.find((run) => run.id === id)?.expireLog(why);
    return expired;
  }

  /** A caller is told where a log is: it stays good for a while. Noted once a minute at most. */
  #give(id: string | null): void {
    this.#noteClock();
    const key = id ?? "";
    const now = this.#deps.clock.mono();
    if (now - (this.#given.get(key) ?? Number.NEGATIVE_INFINITY) < GIVE_AGAIN_MS) return;
    this.#given.set(key, now);
    this.#deps.store.given(id);
  }

  async acknowledge(ids: readonly string[]): Promise<readonly string[]> {
    const closed = ids.filter((id) => this.#handoffs.acknowledge(id));
    for (const id of closed) this.#emit("acknowledged", id);
    return closed;
  }

  async input(request: InputRequest): Promise<InputAnswer> {
    const entry = this.#find(request.id);
    // Typing into what has ended is no error, whatever it was.
    if (entry instanceof SupervisedSequence && entry.isEnded) {
      return { id: entry.id, written: 0, run: await entry.view(), notes: ["The sequence has ended."] };
    }
    return this.#typable(request.id).input(request);
  }

  async resize(request: ResizeRequest): Promise<RunView> {
    return this.#typable(request.id).resize({ columns: request.columns, rows: request.rows });
  }

  onChange(listener: (event: RunEvent) => void): () => void {
    this.#events.on("change", listener);
    return () => this.#events.off("change", listener);
  }

  async end(request: StopRequest): Promise<SessionEndReport> {
    return this.endFor(stopDecision(request.reason ?? "the session ended"), request);
  }

  /** Ends the session for a reason of the host's own, such as the owner's death. */
  async endFor(decision: Decision, request: StopRequest): Promise<SessionEndReport> {
    this.#ending ??= this.#stopEverything(decision, request).then((stopped) => {
      this.release();
      this.#lifetime.removeDirectory();
      return { ended: true, stopped };
    });
    return this.#ending;
  }

  /** Lets go of every run without touching its processes. */
  release(): void {
    this.#rest?.cancel();
    for (const entry of this.#entries.values()) entry.release();
    this.#deps.launcher.close();
    this.#deps.queue.close();
  }

  /** Gets ready for the first start. */
  prepare(): void {
    this.#deps.launcher.prepare();
  }

  /** In reverse start order, but at the same time: a long grace period of one is no longer for all. */
  async #stopEverything(decision: Decision, request: StopRequest): Promise<readonly StopReport[]> {
    const open = [...this.#entries.values()].filter((entry) => !entry.isEnded || entry.mayHaveLeftovers).toReversed();
    const reports = await Promise.all(open.map((entry) => entry.stop(decision, request)));
    // What ended by itself while it was being asked, and left nothing, was not stopped.
    return reports.filter((report) => !report.alreadyEnded || report.signals.length > 0);
  }

  #find(given: string): Entry {
    const direct = this.#entries.get(given) ?? this.#stages.get(given);
    if (direct !== undefined) {
      this.#give(direct.id);
      return direct;
    }
    const match = matchId(given, [...this.#entries.keys(), ...this.#stages.keys()]);
    switch (match.kind) {
      case "one": {
        const entry = this.#entries.get(match.id) ?? this.#stages.get(match.id);
        if (entry !== undefined) {
          this.#give(entry.id);
          return entry;
        }
        break;
      }
      case "many":
        throw new ProctorError(
          "ERR_INPUT_ID_AMBIGUOUS",
          `"${given}" is the beginning of ${match.ids.length} ids: ${match.ids.slice(0, 5).join(", ")}. Give more of it.`,
          {
            details: { id: given, matches: match.ids.slice(0, 20) },
          },
        );
      case "none":
        break;
    }
    const damaged = this.corrupt.find(({ path }) => path.includes(`/${given}/`));
    if (damaged !== undefined) {
      throw new ProctorError(
        "ERR_HOST_RECORD",
        `The record of ${given} is damaged: ${damaged.path}: ${damaged.problem}. What it was can't be told; its files are in ${dirname(damaged.path)}.`,
        { details: { id: given, path: damaged.path } },
      );
    }
    throw new ProctorError(
      "ERR_INPUT_ID",
      `There is no run "${given}" in the session ${this.dir}. "proctor list" shows the runs; a prefix needs at least 4 characters.`,
      {
        details: { id: given, session: this.dir },
      },
    );
  }

  /** The run with this id; a sequence is refused with the id of the stage that is meant. */
  #typable(id: string): SupervisedRun {
    const entry = this.#find(id);
    if (entry instanceof SupervisedRun) return entry;
    const stage = entry.stages.find((one) => one.record.interactive);
    const what =
      stage !== undefined
        ? `type into its interactive stage, ${stage.id}`
        : entry.record.interactive && !entry.isEnded
          ? "its interactive stage, the last one, has not started yet"
          : "none of its stages has a terminal";
    throw new ProctorError(
      "ERR_INPUT_NOT_INTERACTIVE",
      `id: ${entry.id} is a sequence, and nothing can be typed into it: ${what}.`,
      {
        details: { field: "id", value: id, stage: stage?.id ?? null },
      },
    );
  }

  #record(
    id: string,
    request: Omit<StartRequest, "id">,
    kind: "run" | "sequence",
    commands: readonly string[],
    parent: RunRecord["parent"],
    weights: readonly Heaviness[],
  ): RunRecord {
    const hidden = new Set(request.unrecorded);
    this.#serial += 1;
    return {
      v: 1,
      id,
      kind,
      serial: this.#serial,
      name: request.name,
      commands,
      parent,
      cwd: request.cwd,
      env: Object.fromEntries(Object.entries(request.env).filter(([name]) => !hidden.has(name))),
      unrecorded: request.unrecorded,
      withheld: request.withheld,
      umask: request.umask,
      stdin: request.stdin,
      interactive: request.interactive,
      limits: request.limits,
      ...extrasOf(request),
      createdAt: this.#deps.clock.wall(),
      ...heavyOf(weights, request.caller ?? null),
    };
  }

  #newSequence(record: RunRecord): SupervisedSequence {
    return new SupervisedSequence(
      record,
      this.#deps,
      (sequence, index) => this.#startStage(sequence.record, index),
      (kind) => this.#onRun(kind, record.id),
    );
  }

  #startStage(sequence: RunRecord, index: number): SupervisedRun {
    const env = this.#environments.get(sequence.id) ?? sequence.env;
    const missing = sequence.unrecorded.filter((name) => env[name] === undefined);
    if (missing.length > 0) {
      throw new ProctorError(
        "ERR_INPUT_ENV",
        `the session's host was replaced, and ${missing.join(", ")} is never written to disk. Start the remaining commands again.`,
      );
    }
    const command = sequence.commands[index] ?? "";
    const record = this.#record(
      newId(),
      {
        ...sequence,
        env,
        commands: [command],
        interactive: sequence.interactive && index === sequence.commands.length - 1,
      },
      "run",
      [command],
      { id: sequence.id, index },
      [weightOf(sequence, index)],
    );
    const run = new SupervisedRun(record, this.#deps, (kind) =>
      this.#onRun(kind === "ended" ? "changed" : kind, sequence.id),
    );
    this.#createRun(run, command);
    this.#stages.set(record.id, run);
    run.start(env);
    return run;
  }

  #onRun(kind: RunEvent["kind"], id: string): void {
    // While the only command starts up there is time to replace the launcher that its start used.
    if (kind === "started" && this.#active === 1) this.#deps.launcher.prepare();
    const entry = this.#entries.get(id);
    if (entry?.isEnded === true) this.#environments.delete(id);
    if (kind === "ended" && entry !== undefined) this.#handoffs.ended(id);
    this.#emit(kind, id);
  }

  #emit(kind: RunEvent["kind"], id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || this.#events.listenerCount("change") === 0) return;
    void entry.view().then(
      (run) => this.#events.emit("change", { kind, run } satisfies RunEvent),
      (error: unknown) => this.#deps.report(error),
    );
  }
}

/** What is recorded of commands that take a slot; nothing where none does. */
function heavyOf(
  weights: readonly Heaviness[],
  caller: ProcessIdentity | null,
): Pick<RunRecord, "heavy" | "lingers" | "caller"> {
  if (weights.every((weight) => weight === "light")) return {};
  const lingers = weights.map((weight) => weight === "heavy-in-background");
  return {
    heavy: weights.map((weight) => weight !== "light"),
    ...(lingers.includes(true) ? { lingers } : {}),
    caller,
  };
}

function weightOf({ heavy, lingers }: RunRecord, index: number): Heaviness {
  if (heavy?.[index] !== true) return "light";
  return lingers?.[index] === true ? "heavy-in-background" : "heavy";
}

/** What a start asked for beyond a shell command, without what it left out. */
/** Whether a control group could enforce or count one of these limits. */
function hasGroupLimits({ memoryBytes, cpuTimeMs, processes }: StartRequest["limits"]): boolean {
  return memoryBytes !== null || cpuTimeMs !== null || processes !== null;
}

function extrasOf(request: StartExtras): StartExtras {
  const { argv, output, owner, polite, unmarked, sandbox } = request;
  return {
    ...(argv === undefined ? {} : { argv }),
    ...(output === undefined ? {} : { output }),
    ...(owner === undefined ? {} : { owner }),
    ...(polite === undefined ? {} : { polite }),
    ...(unmarked === undefined ? {} : { unmarked }),
    ...(sandbox === undefined ? {} : { sandbox }),
  };
}

/** Refuses what can't be run, before anything is recorded. */
function checkStart(request: StartRequest): void {
  if (request.commands.length === 0) {
    throw new ProctorError("ERR_INPUT_COMMAND", "command: none was given. Accepted: one or more commands for bash.");
  }
  request.commands.forEach((command, i) => {
    const field = request.commands.length === 1 ? "command" : `command ${i + 1}`;
    if (command.trim() === "")
      throw new ProctorError("ERR_INPUT_COMMAND", `${field}: it is empty. Accepted: a command for bash.`);
    if (command.includes("\0")) {
      throw new ProctorError(
        "ERR_INPUT_COMMAND",
        `${field}: it contains a NUL character (\\u0000) at position ${command.indexOf("\0")}, which no shell can be given.`,
      );
    }
  });
  for (const [name, value] of Object.entries(request.env)) {
    if (name === "" || name.includes("=") || name.includes("\0") || value.includes("\0")) {
      throw new ProctorError(
        "ERR_INPUT_ENV",
        `env: ${JSON.stringify(name)} can't be passed on: a name must not be empty or contain "=", and neither name nor value a NUL.`,
      );
    }
  }
  checkCwd(request.cwd);
  if (request.stdin !== null) checkStdin(request.stdin);
}

/** open(2) takes a directory for reading, and only the command's first read(2) would fail; so it is looked at first. */
function checkStdin(path: string): void {
  let errno: string | null = null;
  let cause: unknown;
  try {
    accessSync(path, constants.R_OK);
    if (statSync(path).isDirectory()) errno = "EISDIR";
  } catch (error) {
    errno = errnoOf(error) ?? "unknown";
    cause = error;
  }
  if (errno === null) return;
  const what = errno === "EISDIR" ? "is a directory" : "can't be read";
  throw new ProctorError(
    "ERR_INPUT_STDIN",
    `stdin: ${path} ${what} (${errno}). Accepted: a file, a FIFO or a device that exists and may be read.`,
    { cause, details: { field: "stdin", value: path, errno } },
  );
}

/** A missing directory would be reported by exec(3) as a missing shell; so it is looked at first. */
function checkCwd(cwd: string): void {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(cwd).isDirectory();
    if (isDirectory) accessSync(cwd, constants.X_OK);
  } catch (error) {
    const errno = errnoOf(error) ?? "unknown";
    const reason =
      errno === "ENOENT" ? "it does not exist" : errno === "EACCES" ? "it may not be entered" : "it can't be used";
    throw new ProctorError("ERR_INPUT_CWD", `cwd: ${cwd}: ${reason} (${errno}). Accepted: a directory that exists.`, {
      cause: error,
      details: { cwd, errno },
    });
  }
  if (!isDirectory) {
    throw new ProctorError(
      "ERR_INPUT_CWD",
      `cwd: ${cwd} is not a directory (ENOTDIR). Accepted: a directory that exists.`,
      {
        details: { cwd, errno: "ENOTDIR" },
      },
    );
  }
}
