/**
 * The launch service, for hosts of agents: starts work in the caller's own session, or in the session of its
 * trusted owner, which is the one that the host recorded when it bootstrapped the caller's. What is routed
 * there is supervised by the owner and ends with it, survives the caller, and never wakes the owner's agent.
 */
import { DEFAULT_GRACE_MS, NO_LIMITS, ProctorError, checkDurationMs, isProctorError, newId } from "../model/index.ts";
import type { Limits, LogSlice, RunEvent, RunView, SessionApi, StopReport } from "../model/index.ts";
import { processTable } from "../os/index.ts";
import { commandEnvironment } from "./command-environment.ts";
import { innerSession } from "./connect.ts";
import type { Session } from "./connect.ts";
import { DEFAULT_SLICE_BYTES, readLog } from "./log-reader.ts";
import { callerInRun } from "./owner.ts";
import { ownerPlace } from "./owner-session.ts";
import type { OwnerSession } from "./owner-session.ts";
import { compilePattern } from "./pattern-search.ts";
import { SessionClient } from "./session-client.ts";

/** What is started. Times in milliseconds. */
export interface LaunchRequest {
  /** One command, or several as fail-fast stages. */
  readonly command: string | readonly string[];
  readonly name?: string;
  /** Default: this process's. */
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** For each command, over its whole life. Default: none. */
  readonly timeoutMs?: number;
  readonly limits?: Partial<Omit<Limits, "timeoutMs">>;
}

/** One session's runs, as the launch service offers them. Every method rejects with a `ProctorError`. */
export interface Launches {
  /** Starts in the background; resolves once the run is on record in the session. */
  start(request: LaunchRequest): Promise<RunView>;
  get(id: string): Promise<RunView>;
  list(): Promise<readonly RunView[]>;
  stop(id: string, options?: { readonly reason?: string; readonly graceMs?: number }): Promise<StopReport>;
  logs(
    id: string,
    query?: { readonly lines?: number; readonly from?: number; readonly grep?: string },
  ): Promise<LogSlice>;
  /** Calls back with each change of a run; returns the unsubscription. */
  onChange(listener: (event: RunEvent) => void): () => void;
}

/** The launch service of one session. */
export interface LaunchService extends Launches, Disposable {
  /**
   * The same six on the trusted owner's session. Present only where the host recorded an owner: check
   * before the call. Its methods reject with `ERR_REFUSED_OWNER_UNAVAILABLE` when the owner is gone or of
   * another build, and with `ERR_REFUSED_SESSION_ENDING` when it is closing; nothing was started then, in
   * the owner's session or anywhere else.
   */
  readonly forOwner?: () => Launches;
  /** Cancels starts that were not handed over yet, and this service's own subscriptions; what was started goes on. */
  release(): void;
}

/** Whose launches they are: the session that `connect()` gave. */
export interface LauncherContext {
  readonly session: Session;
}

const REQUEST_FIELDS: ReadonlySet<string> = new Set(["command", "name", "cwd", "env", "timeoutMs", "limits"]);

/** A field that nobody reads could be thought to name an owner: it is refused. */
function checkFields(where: string, given: object, known: ReadonlySet<string>): void {
  const unknown = Object.keys(given).find((field) => !known.has(field));
  if (unknown === undefined) return;
  throw new ProctorError(
    "ERR_INPUT_PARAMS",
    `${where}: "${unknown}" is not a field of it. Accepted: ${[...known].join(", ")}. An owner can't be named.`,
    {
      details: { field: unknown },
    },
  );
}

/**
 * Opens the launch service for a session.
 *
 * @throws ProctorError `ERR_INPUT_PARAMS` for a context that `connect()` did not make; `ERR_HOST_UNREACHABLE`.
 */
export async function openLauncher(context: LauncherContext): Promise<LaunchService> {
  checkFields("openLauncher", context, new Set(["session"]));
  const inner = innerSession(context.session);
  if (inner === null)
    throw new ProctorError(
      "ERR_INPUT_PARAMS",
      "openLauncher: session is not one that connect() gave. Accepted: a session of this process.",
    );
  const releases = new Release();
  const owner = await inner.ownerSession();
  const service: LaunchService = {
    ...launches(async () => inner.api, releases),
    ...(owner === null ? {} : { forOwner: () => launches(ownerConnection(owner, releases), releases) }),
    release: () => releases.now(),
    [Symbol.dispose]: () => releases.now(),
  };
  return Object.freeze(service);
}

/** What ends with the service. */
class Release {
  readonly #last: (() => void)[] = [];
  readonly #handing = new Set<Promise<unknown>>();
  isOver = false;

  /** Refuses what comes too late. */
  check(): void {
    if (this.isOver)
      throw new ProctorError(
        "ERR_REFUSED_SESSION_ENDING",
        "The launch service was released before the start was handed over; nothing was started.",
      );
  }

  onRelease(last: () => void): void {
    this.#last.push(last);
  }

  /** A request that is on its way: what the owner has recorded is handed over, so it is waited for. */
  handing<T>(request: Promise<T>): Promise<T> {
    const settled: Promise<unknown> = request.catch(() => undefined).then(() => this.#handing.delete(settled));
    this.#handing.add(settled);
    return request;
  }

  now(): void {
    if (this.isOver) return;
    this.isOver = true;
    void Promise.all(this.#handing).then(() => {
      for (const last of this.#last.splice(0)) last();
    });
  }
}

/** The connection to the owner's session, made when it is needed and never to any other. */
function ownerConnection(owner: OwnerSession, releases: Release): () => Promise<SessionApi> {
  let client: SessionClient | null = null;
  releases.onRelease(() => client?.close());
  return async () => {
    const unavailable = (why: string, cause?: unknown): ProctorError =>
      new ProctorError(
        "ERR_REFUSED_OWNER_UNAVAILABLE",
        `owner unavailable: ${why}. Nothing was started; start it in your own session if that will do.`,
        { cause, details: { owner: owner.session } },
      );
    try {
      const place = ownerPlace(owner, processTable());
      if (place === null) throw unavailable("the session that started this one is gone");
      if (client === null) {
        const fresh = new SessionClient(place, { lease: null, start: false });
        await fresh.open();
        client = fresh;
      }
      return guarded(client, unavailable);
    } catch (error) {
      throw ownerError(error, unavailable);
    }
  };
}

function ownerError(error: unknown, unavailable: (why: string, cause?: unknown) => ProctorError): unknown {
  if (!isProctorError(error)) return error;
  if (error.code === "ERR_HOST_PROTOCOL") return unavailable("it is served by another version of proctor", error);
  if (
    error.code === "ERR_HOST_UNREACHABLE" ||
    error.code === "ERR_SESSION_NOT_FOUND" ||
    error.code === "ERR_SESSION_OWNER" ||
    error.code === "ERR_SESSION_DIR"
  ) {
    return unavailable("nobody serves the session that started this one", error);
  }
  return error;
}

/** The owner's session, whose loss is told as what it is to the caller. */
function guarded(client: SessionClient, unavailable: (why: string, cause?: unknown) => ProctorError): SessionApi {
  return new Proxy<SessionApi>(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, args);
        return answer instanceof Promise
          ? answer.catch((error: unknown) => {
              throw ownerError(error, unavailable);
            })
          : answer;
      };
    },
  });
}

function launches(reach: () => Promise<SessionApi>, releases: Release): Launches {
  return {
    async start(request) {
      checkFields("start", request, REQUEST_FIELDS);
      releases.check();
      const api = await reach();
      releases.check();
      const { env, withheld, unrecorded } = commandEnvironment(process.env, request.env ?? {}, false);
      return releases.handing(
        api.start({
          id: newId(),
          commands: typeof request.command === "string" ? [request.command] : request.command,
          name: request.name ?? null,
          cwd: request.cwd ?? process.cwd(),
          env,
          unrecorded,
          withheld,
          umask: process.umask(),
          stdin: null,
          interactive: false,
          limits: {
            ...NO_LIMITS,
            ...request.limits,
            timeoutMs:
              request.timeoutMs === undefined
                ? null
                : checkDurationMs(request.timeoutMs, `${request.timeoutMs} ms`, "timeoutMs"),
          },
          caller: callerInRun(process.env),
        }),
      );
    },
    get: async (id) => (await reach()).status(id),
    list: async () => (await reach()).list(),
    stop: async (id, options = {}) =>
      (await reach()).stop(id, { reason: options.reason ?? null, graceMs: options.graceMs ?? DEFAULT_GRACE_MS }),
    async logs(id, query = {}) {
      const view = await (await reach()).status(id);
      return readLog(view, {
        lines: query.lines ?? null,
        from: query.from ?? null,
        grep: query.grep === undefined ? null : compilePattern(query.grep, "grep"),
        maxBytes: DEFAULT_SLICE_BYTES,
      });
    },
    onChange(listener) {
      let unsubscribe: (() => void) | null = null;
      let isOver = false;
      const end = (): void => {
        isOver = true;
        unsubscribe?.();
      };
      releases.onRelease(end);
      // An owner that is gone has nothing to tell; every other call says so.
      reach().then(
        (api) => {
          if (!isOver) unsubscribe = api.onChange(listener);
        },
        () => undefined,
      );
      return end;
    },
  };
}
