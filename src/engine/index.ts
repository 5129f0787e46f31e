/** Floor 3: runs, sequences and sessions, carried out over the ports. */
export type { EngineDependencies } from "./dependencies.ts";
export { SessionProcesses } from "./session-processes.ts";
export { SessionEngine } from "./session-engine.ts";
export type { SessionLifetime } from "./session-engine.ts";
