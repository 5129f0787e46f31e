/** A session for a program: `connect()` gives one that lives and ends with the calling process. */
import { resolve } from "node:path";
import { DEFAULT_GRACE_MS, NO_LIMITS, ProctorError, checkDurationMs, newId } from "../model/index.ts";
import type {
  InputAnswer,
  LogSlice,
  QueueEvent,
  RunEvent,
  RunResult,
  RunView,
  ScreenView,
  SessionApi,
  SessionEndReport,
  StopReport,
  TerminalSize,
} from "../model/index.ts";
import { callSettings } from "./call-settings.ts";
import { checkCommand, checkId, checkIds, checkListener, checkMode, checkOptions } from "./check-options.ts";
import { CompletionReceiver } from "./completions.ts";
import { commandEnvironment } from "./command-environment.ts";
import { DETACHED_LIMIT_MS, parseLifetime, reachingDetached, withDetached } from "./detached.ts";
import type { OwnerSession } from "./owner-session.ts";
import { DEFAULT_SLICE_BYTES, readLog } from "./log-reader.ts";
import { callerInRun, thisProcess } from "./owner.ts";
import { compilePattern } from "./pattern-search.ts";
import { runCommand } from "./run-command.ts";
import { screenOf } from "./screen.ts";
import { SessionClient } from "./session-client.ts";
import { freshSessionDir, openSession } from "./session-dir.ts";
import { SessionHost } from "./session-host.ts";
import type {
  BashOptions,
  CompletionsOptions,
  ConnectOptions,
  EndOptions,
  LogsOptions,
  StopOptions,
  TypedInput,
} from "./session-options.ts";
import { waitFor, waitForRuns } from "./wait.ts";
import type { WaitManyOutcome, WaitOptions } from "./wait.ts";

/** A session that a program holds. Every method rejects with a `ProctorError`. */
export interface Session extends AsyncDisposable {
  readonly id: string;
  readonly dir: string;
  /** Runs one command, or several as fail-fast stages; answers at the end, or at the promotion threshold. */
  bash(command: string | readonly string[], options?: BashOptions): Promise<RunResult>;
  /** The session's runs, in start order, and then the detached ones. */
  list(): Promise<readonly RunView[]>;
  status(id: string): Promise<RunView>;
  /** A part of a run's log as plain text: the last `lines`, from byte `from`, only lines that match `grep`. */
  logs(id: string, options?: LogsOptions): Promise<LogSlice>;
  /** Resolves when the run has ended, a line matches, or the time is over: `matched` tells whether it came true. */
  wait(id: string, options?: WaitOptions): Promise<{ matched: boolean; over: boolean; run: RunView }>;
  /** The same for several runs, until it came true of `any` of them or of `all`. */
  waitForRuns(ids: readonly string[], mode: "any" | "all", options?: WaitOptions): Promise<WaitManyOutcome>;
  /** Types into an interactive run: text, then Enter, then keys, then the end of input. Never an error on a run that has ended. */
  input(id: string, typed: TypedInput): Promise<InputAnswer>;
  /** Gives the terminal of an interactive run another size, in character cells. */
  resize(id: string, size: TerminalSize): Promise<RunView>;
  /** What the terminal of an interactive run shows. */
  screen(id: string): Promise<ScreenView>;
  /** Stops a run: SIGTERM, `graceMs` (default 5,000), SIGKILL, verified. */
  stop(id: string, options?: StopOptions): Promise<StopReport>;
  stopAll(options?: StopOptions): Promise<readonly StopReport[]>;
  /** Calls back with each change of a run; returns the unsubscription. */
  onChange(listener: (event: RunEvent) => void): () => void;
  /** Calls back when the number of heavy commands that run or wait on this machine changed; returns the unsubscription. */
  onQueueChange(listener: (event: QueueEvent) => void): () => void;
  /** Runs in the background that were started or promoted here, until their completion was acknowledged. */
  openWork(): Promise<readonly RunView[]>;
  /** Says that completions were admitted, by the runs' ids; gives those that this closed. */
  acknowledge(ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Hands completions over: `admit` gets every run that has ended since, several at once together, and what
   * it resolves for is acknowledged. It is asked again when it rejects. `admitted` are ids that an earlier
   * process admitted: they are acknowledged and not told again. Returns the end of the hand-over.
   */
  onCompletions(admit: (runs: readonly RunView[]) => Promise<void> | void, options?: CompletionsOptions): () => void;
  /** Stops everything and removes the session's directory. */
  end(options?: EndOptions): Promise<SessionEndReport>;
}

/**
 * Opens a session.
 *
 * @throws ProctorError `ERR_INPUT_PARAMS`, `ERR_SESSION_DIR`, `ERR_HOST_DISK`, `ERR_HOST_UNREACHABLE`.
 */
export async function connect(options: ConnectOptions = {}): Promise<Session> {
  checkOptions("connect", options);
  const owner = options.own === false ? null : thisProcess();
  const place = openSession(options.dir ?? freshSessionDir(), owner);
  if (options.embedded === true) {
    const started = await SessionHost.start(place, {
      embedded: true,
      guarded: false,
      follows: false,
      report: () => undefined,
    });
    if (started.kind === "served-by-another") {
      throw new ProctorError(
        "ERR_SESSION_DIR",
        `The session in ${place.dir} is served by another process already; leave out "embedded", or give another directory.`,
      );
    }
    const { host } = started;
    if (owner !== null) host.own(owner);
    return session(
      host.engine,
      () => host.leave(),
      async () => host.ownerSession,
    );
  }
  const client = new SessionClient(place, { lease: owner, start: true });
  await client.open();
  return session(
    client,
    () => client.close(),
    () => client.ownerSession(),
  );
}

/** What a session of this process is made of. */
export interface InnerSession {
  readonly api: SessionApi;
  /** The session that it was started from, as its host recorded it. */
  readonly ownerSession: () => Promise<OwnerSession | null>;
}

/** By the very object that was given out: a look-alike has nothing inside. */
const INNER = new WeakMap<Session, InnerSession>();

/** The inside of a session that `connect` gave; null for anything else. */
export function innerSession(given: Session): InnerSession | null {
  return (typeof given === "object" && given !== null && INNER.get(given)) || null;
}

function session(inner: SessionApi, release: () => void, ownerSession: () => Promise<OwnerSession | null>): Session {
  // Detached runs that can't be looked at are no reason to fail a list of others: the process is warned instead.
  const api = reachingDetached(inner, (error) => process.emitWarning(error.message, { code: error.code }));
  let isEnded = false;
  const grace = (given: number | undefined): number =>
    given === undefined ? DEFAULT_GRACE_MS : checkDurationMs(given, `${given} ms`, "graceMs", { zero: true });
  const end = async (options: EndOptions = {}): Promise<SessionEndReport> => {
    checkOptions("end", options);
    if (isEnded) return { ended: true, stopped: [] };
    isEnded = true;
    const report = await api.end({ reason: null, graceMs: grace(options.graceMs) });
    release();
    return report;
  };
  const made: Session = {
    id: api.id,
    dir: api.dir,
    async bash(command, given = {}) {
      checkCommand(command);
      checkOptions("bash", given);
      const { env, withheld, unrecorded } = commandEnvironment(
        process.env,
        given.env ?? {},
        given.envAll ?? false,
        given.interactive ?? false,
      );
      const commands = typeof command === "string" ? [command] : command;
      const cwd = resolve(given.cwd ?? process.cwd());
      const call = callSettings(commands, { env: process.env, cwd });
      const isDetached = parseLifetime(given.lifetime ?? null, "lifetime") === "detached";
      const carryOut = (where: SessionApi): Promise<RunResult> =>
        runCommand(
          where,
          {
            id: newId(),
            commands,
            name: given.name ?? null,
            cwd,
            env,
            unrecorded,
            withheld,
            umask: process.umask(),
            stdin: given.stdin === undefined ? null : resolve(given.stdin),
            interactive: given.interactive ?? false,
            caller: callerInRun(process.env),
            rules: { heavy: call.settings.heavyCommands, light: call.settings.lightCommands },
            limits: {
              ...NO_LIMITS,
              logMaxBytes: call.settings.logMaxBytes,
              ...given.limits,
              timeoutMs:
                given.timeoutMs === undefined
                  ? isDetached
                    ? DETACHED_LIMIT_MS
                    : null
                  : checkDurationMs(given.timeoutMs, `${given.timeoutMs} ms`, "timeoutMs"),
            },
          },
          {
            background: given.background ?? false,
            watch: !isDetached && (given.watch ?? true),
            promoteAfterMs: given.promoteAfterMs === undefined ? call.settings.promoteAfterMs : given.promoteAfterMs,
            settings: call,
            ...(given.signal === undefined ? {} : { signal: given.signal }),
          },
        );
      return isDetached ? withDetached(carryOut) : carryOut(api);
    },
    list: () => api.list(),
    async status(id) {
      checkId("status", id);
      return api.status(id);
    },
    async logs(id, query = {}) {
      checkId("logs", id);
      checkOptions("logs", query);
      const view = await api.status(id);
      return readLog(view, {
        lines: query.lines ?? null,
        from: query.from ?? null,
        fromLine: query.fromLine ?? null,
        grep: query.grep === undefined ? null : compilePattern(query.grep, "grep"),
        maxBytes: DEFAULT_SLICE_BYTES,
      });
    },
    async wait(id, options = {}) {
      checkId("wait", id);
      checkOptions("wait", options);
      return waitFor(api, id, options);
    },
    async waitForRuns(ids, mode, options = {}) {
      checkIds("waitForRuns", ids);
      checkMode(mode);
      checkOptions("wait", options);
      return waitForRuns(api, ids, mode, options);
    },
    async input(id, typed) {
      checkId("input", id);
      checkOptions("input", typed);
      return api.input({
        id,
        data: null,
        text: typed.text ?? null,
        enter: typed.enter ?? false,
        keys: typed.keys ?? [],
        eof: typed.eof ?? false,
      });
    },
    async resize(id, size) {
      checkId("resize", id);
      checkOptions("resize", size);
      return api.resize({ id, columns: size.columns, rows: size.rows });
    },
    async screen(id) {
      checkId("screen", id);
      return screenOf(await api.status(id));
    },
    async stop(id, options = {}) {
      checkId("stop", id);
      checkOptions("stop", options);
      return api.stop(id, { reason: options.reason ?? null, graceMs: grace(options.graceMs), isOwn: true });
    },
    async stopAll(options = {}) {
      checkOptions("stop", options);
      return api.stopAll({ reason: options.reason ?? null, graceMs: grace(options.graceMs), isOwn: true });
    },
    onChange(listener) {
      checkListener("onChange", listener);
      return api.onChange(listener);
    },
    onQueueChange(listener) {
      checkListener("onQueueChange", listener);
      return api.onQueueChange(listener);
    },
    openWork: () => api.openWork(),
    async acknowledge(ids) {
      checkIds("acknowledge", ids);
      return api.acknowledge(ids);
    },
    onCompletions(admit, options = {}) {
      checkListener("onCompletions", admit);
      checkOptions("onCompletions", options);
      const receiver = new CompletionReceiver(api, async (runs) => admit(runs), options.admitted ?? []);
      return () => receiver.close();
    },
    end,
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
  INNER.set(made, { api: inner, ownerSession });
  return made;
}
