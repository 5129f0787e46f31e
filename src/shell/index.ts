/** Floor 1: what a command line is. */
export { explainCommand, type CommandRules, type CommandVerdict } from "./explain.ts";
export type { FilterName } from "./output-filters.ts";
