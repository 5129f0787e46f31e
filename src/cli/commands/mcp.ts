/** `proctor mcp`: everything behind its name belongs to the server's own parser. */
import type { Arguments } from "../command-spec.ts";
import { sweepInBackground } from "../sweep.ts";

/** Serves until the client is gone. */
export async function execute(args: Arguments): Promise<number> {
  const { serveMcp } = await import("../../mcp/index.ts");
  void sweepInBackground();
  return serveMcp({ argv: args.operands, env: process.env });
}
