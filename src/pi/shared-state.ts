/**
 * What outlives one instance of the extension. Pi loads the extension anew for /reload, /new, /resume and /fork,
 * also from other files after an update, while its process and the runs go on; so this is kept on the global
 * object and holds plain data and one function, nothing whose shape belongs to a version of the code.
 */

/** The state of one Pi process. */
export interface SharedState {
  /** The session's directory; null until something was run. */
  dir: string | null;
  /** Lets go of the connection that keeps the session alive while an instance is replaced. */
  release: (() => void) | null;
  /** For each run the Pi conversations that know of it. */
  readonly conversations: Map<string, Set<string>>;
  /** Runs whose end the agent was told. */
  readonly told: Set<string>;
  /** The conversation that was open last. */
  lastConversation: string | null;
}

const KEY: unique symbol = Symbol.for("proctor.pi.1") as never;

/** The state of this process, made when it is first asked for. */
export function sharedState(): SharedState {
  const place = globalThis as { [KEY]?: SharedState };
  place[KEY] ??= { dir: null, release: null, conversations: new Map(), told: new Set(), lastConversation: null };
  return place[KEY];
}
