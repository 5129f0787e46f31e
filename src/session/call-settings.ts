/**
 * The settings of one call: environment and pragmas. What applies to the call as a whole (how long to wait,
 * the cap on logs) is taken from its first command; an excerpt goes by the command whose log it shows.
 */
import { resolveSettings } from "../model/index.ts";
import type { ResolvedSettings } from "../model/index.ts";

/** Resolves the settings of a call; `notes` names once what can't be used, whichever command it stands in. */
export function callSettings(commands: readonly string[], env: NodeJS.ProcessEnv): ResolvedSettings {
  const [first, ...rest] = commands.map((command) => resolveSettings({ command, env }));
  const settings = (first ?? resolveSettings({ env })).settings;
  return { settings, notes: [...new Set([first, ...rest].flatMap((resolved) => resolved?.notes ?? []))] };
}
