/** Floor 1: the seams to the system, as types. */
export type * from "./cgroups.ts";
export type * from "./clock.ts";
export type * from "./filter-process.ts";
export type * from "./launcher.ts";
export type * from "./process-table.ts";
export type * from "./queue.ts";
export type * from "./run-store.ts";
export type * from "./terminals.ts";
export type * from "./panes.ts";
