/** Whether a command waits for a slot of the machine's queue: by what it is, by its pragma, by the caller's settings. */
import { resolveSettings } from "../model/index.ts";
import type { Heaviness, HeavyRules } from "../model/index.ts";
import type { CommandVerdict } from "../shell/index.ts";

const NO_RULES: HeavyRules = { heavy: [], light: [] };

/** What a command is, and why. The parser is loaded by the first command that is asked about. */
export async function explainForQueue(command: string, rules: HeavyRules = NO_RULES): Promise<CommandVerdict> {
  const { explainCommand } = await import("../shell/index.ts");
  const { settings } = resolveSettings({ command });
  return explainCommand(command, {
    heavy: [...settings.heavyCommands, ...rules.heavy],
    light: [...settings.lightCommands, ...rules.light],
  });
}

/** Tells whether a command takes a slot, and for how long. */
export async function heavinessOf(command: string, rules: HeavyRules = NO_RULES): Promise<Heaviness> {
  const { heavy, heavyInBackground } = await explainForQueue(command, rules);
  if (!heavy) return "light";
  return heavyInBackground ? "heavy-in-background" : "heavy";
}
