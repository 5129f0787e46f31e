/**
 * A door of its own: what a face needs to find a session and to reach its host, and no more. Excerpts and
 * readers of logs stay out, because most calls need neither and every start would pay for them.
 */
export { abandonedSessions, sweepAbandoned } from "./janitor.ts";
export { DETACHED_LIMIT_MS, findDetached, parseLifetime, withDetached, withClient } from "./detached.ts";
export type { Lifetime } from "./detached.ts";
export { SessionClient } from "./session-client.ts";
export {
  defaultSessionDir,
  detachedSessionDir,
  findSession,
  openSession,
  sessionsOnRecord,
  stateHome,
} from "./session-dir.ts";
export { socketPath } from "./host-socket.ts";
export type { DamagedSession, SessionPlace } from "./session-dir.ts";
