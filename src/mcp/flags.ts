/** What `proctor mcp` is told on its command line. */
import { parseArgs } from "node:util";
import { ProctorError, messageOf } from "../model/index.ts";
import { TOOLS } from "./tools/index.ts";

/** The flags, read. */
export interface Flags {
  /** Answers carry `structuredContent`, and tools an `outputSchema`. */
  readonly structured: boolean;
  /** Names of the tools that are offered. */
  readonly tools: readonly string[];
  /** The session's directory; null: PROCTOR_SESSION_DIR, or a fresh one. */
  readonly session: string | null;
}

/**
 * Reads the arguments behind `mcp`.
 *
 * @throws ProctorError `ERR_INPUT_USAGE`.
 */
export function parseFlags(argv: readonly string[]): Flags {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        structured: { type: "boolean", default: false },
        tools: { type: "string" },
        session: { type: "string" },
      },
    }));
  } catch (error) {
    throw new ProctorError("ERR_INPUT_USAGE", `mcp: ${messageOf(error)} Accepted: --tools, --structured, --session.`, {
      cause: error,
    });
  }
  if (values.session === "")
    throw new ProctorError(
      "ERR_INPUT_USAGE",
      'mcp: --session: "" is not a directory. Accepted: the path of a session directory.',
    );
  return {
    structured: values.structured,
    tools: toolNames(values.tools),
    session: values.session ?? null,
  };
}

function toolNames(given: string | undefined): readonly string[] {
  const all = TOOLS.map((tool) => tool.name);
  if (given === undefined) return all;
  // "wait" is short for "runner_wait", as people say it.
  const wanted = given
    .split(",")
    .map((name) => name.trim().replaceAll("-", "_"))
    .filter((name) => name !== "")
    .map((name) => (all.includes(name) ? name : `runner_${name}`));
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined || wanted.length === 0) {
    throw new ProctorError(
      "ERR_INPUT_USAGE",
      `mcp: --tools: "${unknown?.replace(/^runner_/, "") ?? given}" is no tool. Accepted: some of ${all.join(", ")}, separated by commas, with or without "runner_".`,
    );
  }
  return all.filter((name) => wanted.includes(name));
}
