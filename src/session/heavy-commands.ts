/** Whether a command waits for a slot of the machine's queue, by what it is and by the settings in its pragma. */
import { resolveSettings } from "../model/index.ts";
import type { CommandVerdict } from "../shell/index.ts";

/** What a command is, and why. The parser is loaded by the first command that is asked about. */
export async function explainForQueue(command: string): Promise<CommandVerdict> {
  const { explainCommand } = await import("../shell/index.ts");
  const { settings } = resolveSettings({ command });
  return explainCommand(command, { heavy: settings.heavyCommands, light: settings.lightCommands });
}

/** Tells whether a command is a heavy one. */
export async function isHeavyCommand(command: string): Promise<boolean> {
  return (await explainForQueue(command)).heavy;
}
