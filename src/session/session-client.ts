/**
 * A session as a face sees it: the same calls as the engine's, over the socket. A host that was killed is
 * replaced under the caller's feet: calls are asked again, a start with the id that the caller chose, so
 * that nothing is started twice.
 */
import { ProctorError, isProctorError } from "../model/index.ts";
import type {
  ExpiredLogView,
  QueueEvent,
  InputAnswer,
  InputRequest,
  ProcessIdentity,
  ResizeRequest,
  RunEvent,
  RunView,
  SessionApi,
  SessionEndReport,
  StartRequest,
  StopReport,
  StopRequest,
  WaitAnswer,
  WaitRequest,
} from "../model/index.ts";
import { Peer } from "../protocol/index.ts";
import { greet } from "./greeting.ts";
import { reachHost } from "./host-start.ts";
import type { OwnerSession } from "./owner-session.ts";
import type { SessionPlace } from "./session-dir.ts";

/** How a client behaves. */
export interface ClientOptions {
  /** The process that the session lives for; null attaches without owning. */
  readonly lease: ProcessIdentity | null;
  /** Start a host where there is none. */
  readonly start: boolean;
  /** Never ask again on a new connection what may have been heard on the lost one. Default false. */
  readonly once?: boolean;
}

/** How often a call is asked again after its host was lost. */
const ATTEMPTS = 3;

function unsupported(): Promise<never> {
  return Promise.reject(new ProctorError("ERR_HOST_PROTOCOL", "The session's host did not accept this connection."));
}

/** One face's connection to a session. */
export class SessionClient implements SessionApi {
  readonly id: string;
  readonly dir: string;
  readonly #place: SessionPlace;
  readonly #options: ClientOptions;
  readonly #listeners = new Set<(event: RunEvent) => void>();
  readonly #queueListeners = new Set<(event: QueueEvent) => void>();
  #peer: Promise<Peer> | null = null;
  #isClosed = false;

  constructor(place: SessionPlace, options: ClientOptions) {
    this.#place = place;
    this.#options = options;
    this.id = place.record.id;
    this.dir = place.dir;
  }

  /** Connects now instead of at the first call. */
  async open(): Promise<void> {
    await this.#again(() => this.#connection());
  }

  start(request: StartRequest): Promise<RunView> {
    return this.#ask("start", request) as Promise<RunView>;
  }

  list(): Promise<readonly RunView[]> {
    return this.#ask("list", {}) as Promise<readonly RunView[]>;
  }

  status(id: string): Promise<RunView> {
    return this.#ask("status", { id }) as Promise<RunView>;
  }

  wait(request: WaitRequest): Promise<WaitAnswer> {
    const began = performance.now();
    const ask = async (): Promise<WaitAnswer> => {
      const spent = performance.now() - began;
      const timeoutMs = request.timeoutMs === null ? null : Math.max(0, request.timeoutMs - spent);
      return (await this.#ask("wait", { id: request.id, timeoutMs }, 1)) as WaitAnswer;
    };
    return this.#again(ask);
  }

  stop(id: string, request: StopRequest): Promise<StopReport> {
    return this.#ask("stop", { id, ...request }) as Promise<StopReport>;
  }

  stopAll(request: StopRequest): Promise<readonly StopReport[]> {
    return this.#ask("stopAll", request) as Promise<readonly StopReport[]>;
  }

  interrupt(id: string): Promise<RunView> {
    return this.#ask("interrupt", { id }, 1) as Promise<RunView>;
  }

  /** The session that this one was started from, as its host recorded it. */
  ownerSession(): Promise<OwnerSession | null> {
    return this.#ask("ownerSession", {}) as Promise<OwnerSession | null>;
  }

  collect(dryRun: boolean): Promise<readonly ExpiredLogView[]> {
    return this.#ask("collect", { dryRun }) as Promise<readonly ExpiredLogView[]>;
  }

  onQueueChange(listener: (event: QueueEvent) => void): () => void {
    this.#queueListeners.add(listener);
    if (this.#queueListeners.size === 1) {
      void this.#ask("subscribeQueue", {}).catch(() => this.#queueListeners.delete(listener));
    }
    return () => this.#queueListeners.delete(listener);
  }

  watch(id: string): Promise<RunView> {
    return this.#ask("watch", { id }) as Promise<RunView>;
  }

  openWork(): Promise<readonly RunView[]> {
    return this.#ask("openWork", {}) as Promise<readonly RunView[]>;
  }

  acknowledge(ids: readonly string[]): Promise<readonly string[]> {
    return this.#ask("acknowledge", { ids }) as Promise<readonly string[]>;
  }

  input(request: InputRequest): Promise<InputAnswer> {
    // Asked once: a host that was killed may have typed a part of it.
    return this.#ask("input", request, 1) as Promise<InputAnswer>;
  }

  resize(request: ResizeRequest): Promise<RunView> {
    return this.#ask("resize", request) as Promise<RunView>;
  }

  onChange(listener: (event: RunEvent) => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) void this.#ask("subscribe", {}).catch(() => this.#listeners.delete(listener));
    return () => this.#listeners.delete(listener);
  }

  async end(request: StopRequest): Promise<SessionEndReport> {
    const report = (await this.#ask("end", request, 1)) as SessionEndReport;
    this.close();
    return report;
  }

  /** Lets go of the session; what runs goes on, unless this was its owner. */
  close(): void {
    this.#isClosed = true;
    void this.#peer?.then(
      (peer) => peer.close(),
      () => undefined,
    );
  }

  #connection(): Promise<Peer> {
    if (this.#isClosed) return unsupported();
    this.#peer ??= this.#connect().catch((error: unknown) => {
      this.#peer = null;
      throw error;
    });
    return this.#peer;
  }

  async #connect(): Promise<Peer> {
    const socket = await reachHost(this.#place, this.#options.start);
    if (socket === null) {
      throw new ProctorError("ERR_HOST_UNREACHABLE", `No host serves the session ${this.#place.dir}.`, {
        retryable: true,
      });
    }
    const peer = new Peer(socket, unsupported);
    peer.onNotification((method, params) => {
      if (method === "queue") for (const listener of this.#queueListeners) listener(params as QueueEvent);
      if (method !== "event") return;
      for (const listener of this.#listeners) listener(params as RunEvent);
    });
    void peer.whenClosed.then(() => {
      this.#peer = null;
      // An owner's lease is taken up again at once: within its grace the session knows nothing of the loss.
      if (
        !this.#isClosed &&
        (this.#options.lease !== null || this.#listeners.size > 0 || this.#queueListeners.size > 0)
      )
        void this.#connection().catch(() => undefined);
    });
    const answer = await greet(peer, this.#place, this.#options.lease);
    if (answer.session !== this.id) {
      peer.destroy();
      throw new ProctorError("ERR_SESSION_NOT_FOUND", `The host in ${this.dir} serves another session; try again.`, {
        retryable: true,
      });
    }
    if (this.#listeners.size > 0) await peer.request("subscribe", {});
    if (this.#queueListeners.size > 0) await peer.request("subscribeQueue", {});
    return peer;
  }

  #ask(method: string, params: unknown, attempts: number = ATTEMPTS): Promise<unknown> {
    return this.#again(async () => (await this.#connection()).request(method, params), attempts);
  }

  async #again<T>(ask: () => Promise<T>, attempts: number = ATTEMPTS): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        const isLost = isProctorError(error) && error.code === "ERR_HOST_UNREACHABLE";
        const isFinal = this.#isClosed || this.#options.once === true || attempt >= attempts;
        if (!isLost || isFinal || error.details["silent"] === true) throw error;
      }
    }
  }
}
