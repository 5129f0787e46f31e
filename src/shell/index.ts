/** Floor 1: what a command line is. */
export { explainCommand, type CommandRules, type CommandVerdict } from "./explain.ts";
