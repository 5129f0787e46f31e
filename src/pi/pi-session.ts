/**
 * The session that belongs to this Pi process. It is opened by the first call that needs it, lives for the
 * process, and ends with it: on an orderly end by `end`, on any other because the host sees its owner die. An
 * instance of the extension that is replaced leaves its connection open until the next one has taken over, so
 * that the session never counts as lost.
 */
import { DEFAULT_GRACE_MS, isProctorError, sameProcess } from "../model/index.ts";
import { SessionClient, findSession, freshSessionDir, openSession, thisProcess } from "../session/index.ts";
import type { SharedState } from "./shared-state.ts";

/** The session of one instance of the extension. */
export class PiSession {
  readonly #state: SharedState;
  readonly #env: NodeJS.ProcessEnv;
  readonly #onOpened: (client: SessionClient) => void;
  #opened: Promise<SessionClient> | null = null;
  #isOver = false;

  /** `onOpened` gets each connection once it is there. */
  constructor(state: SharedState, env: NodeJS.ProcessEnv, onOpened: (client: SessionClient) => void) {
    this.#state = state;
    this.#env = env;
    this.#onOpened = onOpened;
  }

  /**
   * The session, with a host behind it; one that was ended from elsewhere is replaced by a new one.
   *
   * @throws ProctorError `ERR_SESSION_DIR`, `ERR_HOST_DISK`, `ERR_HOST_UNREACHABLE` …
   */
  async client(): Promise<SessionClient> {
    const current = this.#opened;
    if (current !== null && !this.#isOver) {
      const client = await current;
      if (findSession(client.dir)?.record.id === client.id) return client;
      if (this.#opened === current) {
        client.close();
        this.#opened = null;
      }
    }
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  /** The session if there is one: opened by a call, or by an earlier instance. */
  async existing(): Promise<SessionClient | null> {
    if (this.#isOver) return null;
    const opened = await this.#opened?.catch(() => null); // whoever opened it was told why it failed
    if (opened !== undefined && opened !== null)
      return findSession(opened.dir)?.record.id === opened.id ? opened : null;
    const { dir } = this.#state;
    return dir === null || findSession(dir) === null ? null : this.client();
  }

  /** A connection that acts for the user, not for the agent: what it stops is news to the agent. */
  async forUser<T>(act: (client: SessionClient) => Promise<T>): Promise<T> {
    const { dir } = await this.client();
    const place = openSession(dir, null);
    const client = new SessionClient(place, { lease: null, start: false });
    try {
      return await act(client);
    } finally {
      client.close();
    }
  }

  async #open(): Promise<SessionClient> {
    const owner = thisProcess();
    const given = this.#env["PROCTOR_SESSION_DIR"] ?? "";
    const dir = this.#state.dir ?? (given === "" ? freshSessionDir(this.#env) : given);
    const client = new SessionClient(openSession(dir, owner), { lease: owner, start: true });
    await client.open();
    this.#state.dir = client.dir;
    // Only now: the host must never be without a connection of its owner's.
    this.#state.release?.();
    this.#state.release = null;
    this.#onOpened(client);
    return client;
  }

  /** Leaves the session to the next instance. */
  async handOver(): Promise<void> {
    this.#isOver = true;
    const client = await this.#opened?.catch(() => null);
    if (client !== undefined && client !== null) this.#state.release = () => client.close();
  }

  /** Ends the session if it is this process's own; lets go of it otherwise. */
  async end(): Promise<void> {
    this.#isOver = true;
    const client = await this.#opened?.catch(() => null);
    this.#state.release?.();
    this.#state.release = null;
    if (client === undefined || client === null) return;
    try {
      const recorded = findSession(client.dir)?.record;
      const isOurs =
        recorded?.id === client.id && recorded.owner !== null && sameProcess(recorded.owner, thisProcess());
      if (isOurs) await client.end({ reason: "Pi has ended", graceMs: DEFAULT_GRACE_MS });
    } catch (error) {
      // A host that is gone by now has ended the session, or its guardian does: this process is about to die.
      if (!isProctorError(error) || error.code !== "ERR_HOST_UNREACHABLE") throw error;
    } finally {
      client.close();
      this.#state.dir = null;
    }
  }
}
