/** What a client is told to start, so that it starts this proctor whatever its own environment looks like. */
import { SERVER_NAME } from "./client.ts";
import type { Scope, ServerCommand } from "./client.ts";

/** What is known about this program. */
export interface ThisProgram {
  /** The Node that runs it. */
  readonly node: string;
  /** Its main module. */
  readonly main: string;
  readonly version: string;
}

/**
 * The command that serves MCP. For the user: this very program by its full path, because a client that was started
 * from a desktop has another PATH. For a project: by name, because others have it elsewhere. From npx's
 * cache, which is emptied at times: by npx, and the same version.
 *
 * @param serverArgs what follows `mcp`.
 */
export function serverCommand(program: ThisProgram, scope: Scope, serverArgs: readonly string[]): ServerCommand {
  if (/[/\\]_npx[/\\]/.test(program.main))
    return { command: "npx", args: ["-y", `${SERVER_NAME}@${program.version}`, "mcp", ...serverArgs] };
  if (scope === "project") return { command: SERVER_NAME, args: ["mcp", ...serverArgs] };
  return { command: program.node, args: [program.main, "mcp", ...serverArgs] };
}
