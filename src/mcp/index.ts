/** Floor 5: the Model Context Protocol face. */
import { ProctorError } from "../model/index.ts";

/** Serves MCP on standard input and output; gives the exit status. */
export async function serveMcp(_call: { readonly argv: readonly string[]; readonly env: NodeJS.ProcessEnv }): Promise<number> {
  throw new ProctorError("ERR_REFUSED_UNSUPPORTED", "proctor mcp is not part of this build.");
}
