/** Floor 1: the lives of runs and sequences as pure functions. */
export * from "./agent-supervisor.ts";
export * from "./run.ts";
export * from "./sequence.ts";
export * from "./queue.ts";
export * from "./handoff.ts";
export * from "./retention.ts";
