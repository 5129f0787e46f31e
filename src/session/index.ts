/** Floor 4: sessions, their hosts, and what faces share. Faces that only ask never load the host's own parts. */
export { DEFAULT_ENV_DENY, commandEnvironment, envDenyList, parseEnvAssignment } from "./command-environment.ts";
export { explainForQueue } from "./heavy-commands.ts";
export { sweepAbandoned } from "./janitor.ts";
export { DEFAULT_SLICE_BYTES, followLog, logLines, offsetOfLastLines, readLog, waitForLine } from "./log-reader.ts";
export type { LogLine, LogQuery } from "./log-reader.ts";
export { openLog } from "./log-source.ts";
export { callerInRun, thisProcess } from "./owner.ts";
export { compilePattern } from "./pattern-search.ts";
export type { Pattern } from "./pattern-search.ts";
export { logLine, outcomeLine, resultOf, resultText, runCommand } from "./run-command.ts";
export type { WaitingOptions } from "./run-command.ts";
export { queueView, watchQueue } from "./queue-view.ts";
export { SessionClient } from "./session-client.ts";
export { defaultSessionDir, findSession, freshSessionDir, openSession, registeredSessions, stateHome } from "./session-dir.ts";
export type { SessionPlace } from "./session-dir.ts";
export { stagesFrom } from "./stages.ts";
export { waitFor } from "./wait.ts";
export type { WaitOptions, WaitOutcome } from "./wait.ts";
