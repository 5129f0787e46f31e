/** `proctor explain`: what is made of a command line, and why. Nothing is run. */
import { callSettings, explainForQueue } from "../../session/index.ts";
import type { Arguments } from "../command-spec.ts";
import { commandTexts } from "../command-texts.ts";
import { writeJson, writeOut } from "../standard-output.ts";

/** Carries out `proctor explain`. */
export async function execute(args: Arguments): Promise<number> {
  const [command = ""] = await commandTexts(args.ordered);
  const { settings } = callSettings([command], { env: process.env, cwd: process.cwd() });
  const verdict = await explainForQueue(command, { heavy: settings.heavyCommands, light: settings.lightCommands });
  if (args.has("json")) await writeJson({ command, ...verdict });
  else {
    await writeOut(
      `Heavy: ${verdict.heavy ? "yes" : "no"}: ${verdict.heavyReason}\n` +
        `Interactive: ${verdict.interactive ? "yes" : "no"}: ${verdict.interactiveReason}\n` +
        `Filter: ${verdict.filter ?? "none"}: ${verdict.filterReason}\n`,
    );
  }
  return 0;
}
