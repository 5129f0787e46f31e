/** Floor 3: runs, sequences and sessions, carried out over the ports. */
export type { EngineDependencies } from "./dependencies.ts";
export { SESSION_MARKER } from "./launch-plan.ts";
export { RUN_MARKER } from "./membership.ts";
export { SessionProcesses } from "./session-processes.ts";
export { SessionEngine } from "./session-engine.ts";
export type { SessionLifetime } from "./session-engine.ts";
