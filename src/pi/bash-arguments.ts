/**
 * The arguments of `bash`: Pi's own `command` and `timeout`, and the list of commands, `background`, `interactive`.
 *
 * Theory: other extensions look at `command` before a call runs, to ask the user or to refuse, and may change it. So a
 * list always stands in `command`, too, joined as a shell would have it; and a `command` that somebody changed is what
 * runs, not the list.
 */
import { ProctorError, durationFromSeconds } from "../model/index.ts";
import type { Schema } from "./pi-api.ts";

/** The schema for the model. */
export const BASH_PARAMETERS: Schema = {
  type: "object",
  properties: {
    command: { type: "string", description: "Shell command to execute" },
    timeout: { type: "number", description: "Timeout in seconds for each command (optional, no default timeout)" },
    commands: {
      type: "array",
      items: { type: "string" },
      description: "Instead of command: stages, each in a fresh shell, the next only if the one before exited 0",
    },
    background: { type: "boolean", description: "Answer at once; you are told when it ends" },
    interactive: { type: "boolean", description: "Give the (last) command a terminal, for runner_input" },
  },
};

/** The arguments, read. */
export interface BashCall {
  readonly commands: readonly string[];
  readonly timeoutMs: number | null;
  readonly background: boolean;
  readonly interactive: boolean;
}

function joined(commands: readonly unknown[]): string {
  return commands.join(" && ");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Puts a list into `command`, too, before anybody looks at the arguments. */
export function prepareBashArguments(args: unknown): Record<string, unknown> {
  if (typeof args !== "object" || args === null) return { command: args };
  const given: Record<string, unknown> = { ...args };
  const { command, commands } = given;
  // A list under the other name can only mean one thing.
  const list: unknown = Array.isArray(command) ? command : commands;
  if (!Array.isArray(list) || list.length === 0 || !list.every(isText)) return given;
  return { ...given, command: joined(list), commands: list };
}

/**
 * Reads the arguments of a call.
 *
 * @throws ProctorError `ERR_INPUT_PARAMS`, `ERR_INPUT_DURATION`.
 */
export function readBashArguments(params: Readonly<Record<string, unknown>>): BashCall {
  const { command, commands, timeout } = params;
  const list = Array.isArray(commands) && commands.every(isText) ? commands : [];
  const isList = list.length > 0 && (command === undefined || command === joined(list));
  if (!isList && (typeof command !== "string" || command.trim() === ""))
    throw new ProctorError("ERR_INPUT_PARAMS", "command: it is missing. Accepted: a shell command, or commands.");
  return {
    commands: isList ? list : [String(command)],
    timeoutMs: typeof timeout === "number" ? durationFromSeconds(timeout, "timeout") : null,
    background: params["background"] === true,
    interactive: params["interactive"] === true,
  };
}
