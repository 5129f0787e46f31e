/**
 * The settings of one call, from all four layers, resolved once: every face starts a run with them and shows
 * its output by them. What applies to the call as a whole (how long to wait, the cap on logs) is taken from
 * its first command; an excerpt goes by the command whose log it shows.
 */
import { resolveSettings } from "../model/index.ts";
import type { ResolvedSettings } from "../model/index.ts";
import { projectSettings } from "./project-file.ts";

/** Where a call comes from. */
export interface CallOrigin {
  /** The environment of the caller: its settings, its home, its PATH. */
  readonly env: NodeJS.ProcessEnv;
  /** The directory that the commands run in, from which a project file is looked for; null for none. */
  readonly cwd: string | null;
  /** Settings of the project that the caller has read and may use, in place of its file; null and absent: the file. */
  readonly project?: { readonly path: string; readonly value: unknown } | null;
}

/** The settings of a call; `notes` names once what can't be used, whichever command it stands in. */
export interface CallSettings extends ResolvedSettings {
  readonly env: NodeJS.ProcessEnv;
  /** What the settings with one command's own pragma come to. */
  of(command: string): ResolvedSettings;
}

/** Resolves the settings of a call. Never throws for a setting that can't be used. */
export function callSettings(commands: readonly string[], origin: CallOrigin): CallSettings {
  const given = origin.project ?? null;
  const { project, notes } = given === null ? projectSettings(origin.cwd, origin.env) : { project: given, notes: [] };
  const resolve = (command: string | null): ResolvedSettings => resolveSettings({ command, env: origin.env, project });
  const [first = resolve(null), ...rest] = commands.map(resolve);
  return {
    env: origin.env,
    settings: first.settings,
    errorPatternPlaces: first.errorPatternPlaces,
    notes: [...new Set([...notes, ...[first, ...rest].flatMap((resolved) => resolved.notes)])],
    of: resolve,
  };
}
