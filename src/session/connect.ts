/** A session for a program: `connect()` gives one that lives and ends with the calling process. */
import { ProctorError } from "../model/index.ts";
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
import { DEFAULT_GRACE_MS, NO_LIMITS, newId, checkDurationMs } from "../model/index.ts";
import type { Limits } from "../model/index.ts";
import { CompletionReceiver } from "./completions.ts";
import { callSettings } from "./call-settings.ts";
import { commandEnvironment } from "./command-environment.ts";
import { DETACHED_LIMIT_MS, parseLifetime, reachingDetached, withDetached } from "./detached.ts";
import type { Lifetime } from "./detached.ts";
import type { OwnerSession } from "./owner-session.ts";
import { DEFAULT_SLICE_BYTES, readLog } from "./log-reader.ts";
import { callerInRun, thisProcess } from "./owner.ts";
import { compilePattern } from "./pattern-search.ts";
import { runCommand } from "./run-command.ts";
import { screenOf } from "./screen.ts";
import { SessionClient } from "./session-client.ts";
import { freshSessionDir, openSession } from "./session-dir.ts";
import { SessionHost } from "./session-host.ts";
import { waitFor, waitForRuns } from "./wait.ts";
import type { WaitManyOutcome, WaitOptions } from "./wait.ts";

/** How a session is opened. */
export interface ConnectOptions {
  /** The session's directory; default: a fresh one below the user's state directory. */
  readonly dir?: string;
  /** Run the engine in this process instead of a host of its own. */
  readonly embedded?: boolean;
  /** Attach to a session without owning it: it goes on when this process ends. Default: this process owns it. */
  readonly own?: boolean;
}

/** One call of the shell. Times in milliseconds, sizes in bytes. */
export interface BashOptions {
  readonly name?: string;
  /** Default: this process's. */
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Pass on variables that look like secrets, too. Default false. */
  readonly envAll?: boolean;
  /** A file for standard input; default /dev/null. */
  readonly stdin?: string;
  /** For each command, over its whole life. Default: none. */
  readonly timeoutMs?: number;
  readonly background?: boolean;
  /** Whether a run that goes on in the background is open work until its completion was acknowledged. Default true. */
  readonly watch?: boolean;
  /**
   * "detached": the runs outlive this session, on purpose, until they are stopped or `timeoutMs` (24 h unless
   * given) is over. They are no open work of it; every session lists them and finds them by id. Default "session".
   */
  readonly lifetime?: Lifetime;
  /** The last command gets a terminal; the call answers as soon as that stage has started. */
  readonly interactive?: boolean;
  /** Foreground to background; null never. Default: the setting, 60,000. */
  readonly promoteAfterMs?: number | null;
  readonly limits?: Partial<Omit<Limits, "timeoutMs">>;
  /** Aborting stops the run while the call waits for it. */
  readonly signal?: AbortSignal;
}

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
  logs(id: string, options?: { lines?: number; from?: number; grep?: string }): Promise<LogSlice>;
  /** Resolves when the run has ended, a line matches, or the time is over: `matched` tells whether it came true. */
  wait(id: string, options?: WaitOptions): Promise<{ matched: boolean; over: boolean; run: RunView }>;
  /** The same for several runs, until it came true of `any` of them or of `all`. */
  waitForRuns(ids: readonly string[], mode: "any" | "all", options?: WaitOptions): Promise<WaitManyOutcome>;
  /** Types into an interactive run: text, then Enter, then keys, then the end of input. Never an error on a run that has ended. */
  input(
    id: string,
    typed: { text?: string; enter?: boolean; keys?: readonly string[]; eof?: boolean },
  ): Promise<InputAnswer>;
  /** Gives the terminal of an interactive run another size, in character cells. */
  resize(id: string, size: TerminalSize): Promise<RunView>;
  /** What the terminal of an interactive run shows. */
  screen(id: string): Promise<ScreenView>;
  /** Stops a run: SIGTERM, `graceMs` (default 5,000), SIGKILL, verified. */
  stop(id: string, options?: { reason?: string; graceMs?: number }): Promise<StopReport>;
  stopAll(options?: { reason?: string; graceMs?: number }): Promise<readonly StopReport[]>;
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
  onCompletions(
    admit: (runs: readonly RunView[]) => Promise<void> | void,
    options?: { admitted?: Iterable<string> },
  ): () => void;
  /** Stops everything and removes the session's directory. */
  end(options?: { graceMs?: number }): Promise<SessionEndReport>;
}

/**
 * Opens a session.
 *
 * @throws ProctorError `ERR_SESSION_DIR`, `ERR_HOST_DISK`, `ERR_HOST_UNREACHABLE`.
 */
export async function connect(options: ConnectOptions = {}): Promise<Session> {
  const owner = options.own === false ? null : thisProcess();
  const place = openSession(options.dir ?? freshSessionDir(), owner);
  if (options.embedded === true) {
    const started = await SessionHost.start(place, { embedded: true, guarded: false, report: () => undefined });
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
  const end = async (options: { graceMs?: number } = {}): Promise<SessionEndReport> => {
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
      const { env, withheld, unrecorded } = commandEnvironment(
        process.env,
        given.env ?? {},
        given.envAll ?? false,
        given.interactive ?? false,
      );
      const commands = typeof command === "string" ? [command] : command;
      const cwd = given.cwd ?? process.cwd();
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
            stdin: given.stdin ?? null,
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
    status: (id) => api.status(id),
    async logs(id, query = {}) {
      const view = await api.status(id);
      return readLog(view, {
        lines: query.lines ?? null,
        from: query.from ?? null,
        grep: query.grep === undefined ? null : compilePattern(query.grep, "grep"),
        maxBytes: DEFAULT_SLICE_BYTES,
      });
    },
    wait: (id, options = {}) => waitFor(api, id, options),
    waitForRuns: (ids, mode, options = {}) => waitForRuns(api, ids, mode, options),
    input: (id, typed) =>
      api.input({
        id,
        data: null,
        text: typed.text ?? null,
        enter: typed.enter ?? false,
        keys: typed.keys ?? [],
        eof: typed.eof ?? false,
      }),
    resize: (id, { columns, rows }) => api.resize({ id, columns, rows }),
    screen: async (id) => screenOf(await api.status(id)),
    stop: (id, options = {}) =>
      api.stop(id, { reason: options.reason ?? null, graceMs: grace(options.graceMs), isOwn: true }),
    stopAll: (options = {}) =>
      api.stopAll({ reason: options.reason ?? null, graceMs: grace(options.graceMs), isOwn: true }),
    onChange: (listener) => api.onChange(listener),
    onQueueChange: (listener) => api.onQueueChange(listener),
    openWork: () => api.openWork(),
    acknowledge: (ids) => api.acknowledge(ids),
    onCompletions(admit, options = {}) {
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
