/**
 * The session that the server's calls run in. It is part of how the server was started, never of a
 * connection; it is opened by the first call that needs it, lives for this process, and ends with it. When
 * it was ended from elsewhere, the next call opens a new one in its place.
 */
import { DEFAULT_GRACE_MS, isProctorError, sameProcess } from "../model/index.ts";
import type { ProcessIdentity, SessionEndReport } from "../model/index.ts";
import { SessionClient, findSession, freshSessionDir, openSession, thisProcess } from "../session/index.ts";

interface Opened {
  readonly client: SessionClient;
  readonly owner: ProcessIdentity;
}

/** One session, opened when it is needed. */
export class OwnedSession {
  readonly #dir: string;
  #opened: Promise<Opened> | null = null;
  #isOver = false;

  /** `given` is a session directory; null: PROCTOR_SESSION_DIR, or a fresh one. */
  constructor(given: string | null, env: NodeJS.ProcessEnv) {
    const named = given ?? env["PROCTOR_SESSION_DIR"] ?? "";
    this.#dir = named === "" ? freshSessionDir(env) : named;
  }

  /**
   * The session, with a host behind it.
   *
   * @throws ProctorError `ERR_SESSION_DIR`, `ERR_HOST_DISK`, `ERR_HOST_UNREACHABLE` …
   */
  async client(): Promise<SessionClient> {
    const current = this.#opened;
    if (current !== null && !this.#isOver) {
      const { client } = await current;
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
    return (await this.#opened).client;
  }

  /** The session if a call has opened it; null when there is none to ask. */
  async opened(): Promise<SessionClient | null> {
    if (this.#isOver) return null;
    const opened = await this.#opened?.catch(() => null); // whoever opened it was told why it failed
    return opened?.client ?? null;
  }

  async #open(): Promise<Opened> {
    const owner = thisProcess();
    const client = new SessionClient(openSession(this.#dir, owner), { lease: owner, start: true });
    await client.open();
    return { client, owner };
  }

  /** Ends the session if it is this process's own; lets go of it otherwise. Gives null when there was nothing to end. */
  async end(): Promise<SessionEndReport | null> {
    this.#isOver = true;
    // One that could not be opened has told its caller why; there is nothing to end.
    const opened = await this.#opened?.catch(() => null);
    if (opened === undefined || opened === null) return null;
    const { client, owner } = opened;
    try {
      const recorded = findSession(client.dir)?.record;
      if (recorded?.id !== client.id || recorded.owner === null || !sameProcess(recorded.owner, owner)) return null;
      return await client.end({ reason: "the MCP connection ended", graceMs: DEFAULT_GRACE_MS });
    } catch (error) {
      // A host that is gone by now has ended the session, or its guardian does: our lease is closed either way.
      if (isProctorError(error) && error.code === "ERR_HOST_UNREACHABLE") return null;
      throw error;
    } finally {
      client.close();
    }
  }

  /** Lets go at once: what was asked of the host goes on, and our death ends the session. */
  abandon(): void {
    this.#isOver = true;
    void this.#opened?.then(
      ({ client }) => client.close(),
      () => undefined,
    );
  }
}
