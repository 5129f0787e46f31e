/** `proctor completion`: the script for a shell. */
import type { Arguments } from "../command-spec.ts";
import { bashCompletion } from "../completion-bash.ts";
import { fishCompletion } from "../completion-fish.ts";
import { zshCompletion } from "../completion-zsh.ts";
import { writeOut } from "../standard-output.ts";

/** Prints the script. */
export async function execute(args: Arguments): Promise<number> {
  const [shell] = args.operands;
  await writeOut(shell === "zsh" ? zshCompletion() : shell === "fish" ? fishCompletion() : bashCompletion());
  return 0;
}
