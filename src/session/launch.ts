/**
 * The launch service, for hosts of agents: starts work in the caller's own session, or in the session of its
 * trusted owner, which is the one that the host recorded when it bootstrapped the caller's. What is routed
 * there is supervised by the owner and ends with it, survives the caller, and never wakes the owner's agent.
 */
import { DEFAULT_GRACE_MS, NO_LIMITS, ProctorError, checkDurationMs, isProctorError, newId } from "../model/index.ts";
import type { Limits, LogSlice, RunEvent, RunView, SessionApi, StartRequest, StopReport } from "../model/index.ts";
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
    query?: { readonly lines?: number; readonly from?: number; readonly fromLine?: number; readonly grep?: string },
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
  /**
   * Cancels starts that were not handed over yet, and this service's own subscriptions: no listener is called
   * any more. What was handed over goes on. A start that was on its way tells which of the two it was: it
   * resolves with the run, or rejects with `ERR_REFUSED_SESSION_ENDING` and nothing was started.
   */
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
  const atOwner = owner === null ? null : launches(ownerConnection(owner, releases), releases);
  const service: LaunchService = {
    ...launches({ reach: async () => inner.api, handOver: (api, request) => api.start(request) }, releases),
    ...(atOwner === null ? {} : { forOwner: () => atOwner }),
    release: () => releases.now(),
    [Symbol.dispose]: () => releases.now(),
  };
  return Object.freeze(service);
}

/** What ends with the service. */
class Release {
  readonly #subscriptions = new Set<() => void>();
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

  /** Ends at once. */
  subscribed(end: () => void): void {
    if (this.isOver) end();
    else this.#subscriptions.add(end);
  }

  unsubscribed(end: () => void): void {
    this.#subscriptions.delete(end);
  }

  /** Ends when no start is on its way any more. */
  onRelease(last: () => void): void {
    this.#last.push(last);
  }

  /** A start that is on its way: what the owner has recorded is handed over, so its answer is waited for. */
  handing<T>(request: Promise<T>): Promise<T> {
    const settled: Promise<unknown> = request.catch(() => undefined).then(() => this.#handing.delete(settled));
    this.#handing.add(settled);
    return request;
  }

  now(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const end of this.#subscriptions) end();
    void Promise.all(this.#handing).then(() => {
      for (const last of this.#last.splice(0)) last();
    });
  }
}

/** How a session is reached, and how a start gets there. */
interface Way {
  readonly reach: () => Promise<SessionApi>;
  readonly handOver: (api: SessionApi, request: StartRequest) => Promise<RunView>;
}

/** How long it may take to learn whether a start was heard by a host that was lost meanwhile, in milliseconds. */
const SETTLE_MS = 5000;
const SETTLE_LOOK_MS = 50;

/** The connection to the owner's session, made when it is needed and never to any other. */
function ownerConnection(owner: OwnerSession, releases: Release): Way {
  let client: SessionClient | null = null;
  releases.onRelease(() => client?.close());
  const unavailable = (why: string, cause?: unknown): ProctorError =>
    new ProctorError(
      "ERR_REFUSED_OWNER_UNAVAILABLE",
      `owner unavailable: ${why}. Nothing was started; start it in your own session if that will do.`,
      { cause, details: { owner: owner.session } },
    );
  const reach = async (): Promise<SessionApi> => {
    try {
      const place = ownerPlace(owner, processTable());
      if (place === null) throw unavailable("the session that started this one is gone");
      client ??= new SessionClient(place, { lease: null, start: false, once: true });
      await client.open();
      return guarded(client, unavailable);
    } catch (error) {
      throw ownerError(error, unavailable);
    }
  };
  return { reach, handOver: (api, request) => handOverOnce(owner, { api, reach }, request, releases) };
}

/**
 * Hands a start over. When the connection is lost meanwhile the owner's next host is asked whether the run is
 * on record: it is handed over then; otherwise it is sent again, unless the service was released.
 */
async function handOverOnce(
  owner: OwnerSession,
  way: { readonly api: SessionApi; readonly reach: () => Promise<SessionApi> },
  request: StartRequest,
  releases: Release,
): Promise<RunView> {
  const until = performance.now() + SETTLE_MS;
  let { api } = way;
  let isLost = false;
  for (;;) {
    try {
      if (!isLost) return await api.start(request);
      api = await way.reach();
      return await api.status(request.id);
    } catch (error) {
      const code = isProctorError(error) ? error.code : null;
      if (isLost && code === "ERR_INPUT_ID") {
        releases.check();
        isLost = false;
        continue;
      }
      if (code !== "ERR_REFUSED_OWNER_UNAVAILABLE" || ownerPlace(owner, processTable()) === null) throw error;
      isLost = true;
      if (performance.now() > until) {
        throw new ProctorError(
          "ERR_REFUSED_OWNER_UNAVAILABLE",
          `owner unavailable: its host was lost while the start was on its way, and no other came within ${SETTLE_MS / 1000} s. ` +
            `If it was heard, the run ${request.id} is in the owner's session.`,
          { cause: error, details: { owner: owner.session, run: request.id } },
        );
      }
      await new Promise((resolve) => setTimeout(resolve, SETTLE_LOOK_MS));
    }
  }
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

function launches({ reach, handOver }: Way, releases: Release): Launches {
  return {
    async start(request) {
      checkFields("start", request, REQUEST_FIELDS);
      releases.check();
      const api = await reach();
      releases.check();
      const { env, withheld, unrecorded } = commandEnvironment(process.env, request.env ?? {}, false);
      return releases.handing(
        handOver(api, {
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
        fromLine: query.fromLine ?? null,
        grep: query.grep === undefined ? null : compilePattern(query.grep, "grep"),
        maxBytes: DEFAULT_SLICE_BYTES,
      });
    },
    onChange(listener) {
      let unsubscribe: (() => void) | null = null;
      let isOver = false;
      const end = (): void => {
        isOver = true;
        releases.unsubscribed(end);
        unsubscribe?.();
      };
      releases.subscribed(end);
      // An owner that is gone has nothing to tell; every other call says so.
      reach().then(
        (api) => {
          // What is on its way when the subscription ends is not told either.
          if (!isOver) unsubscribe = api.onChange((event) => void (isOver || listener(event)));
        },
        () => undefined,
      );
      return end;
    },
  };
}
