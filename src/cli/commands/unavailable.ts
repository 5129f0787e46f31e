/** Commands that have their name, but not their work yet: refused, with what to use instead. */
import { ProctorError } from "../../model/index.ts";
import type { Arguments } from "../command-spec.ts";

/** Refuses. */
export async function execute(args: Arguments): Promise<number> {
  const { name, about } = args.command;
  throw new ProctorError("ERR_REFUSED_UNSUPPORTED", `${name}: ${about.join(" ")}`);
}
