/**
 * A project's settings for Pi, `.pi/proctor.json`: the keys of `.proctor.json`, which it takes the place of. Pi's own
 * trust decides whether it counts; what can't be used in it is told to the user once, and never to the model.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { resolveSettings } from "../model/index.ts";
import { callSettings, parseProjectFile, readProjectFile } from "../session/index.ts";
import type { CallSettings } from "../session/index.ts";

/** What reading the file came to. */
export interface PiProject {
  /** What counts; null when there is nothing. */
  readonly project: { readonly path: string; readonly value: unknown } | null;
  /** What there is to say to the user. */
  readonly notes: readonly string[];
}

/** Reads the settings of the project that Pi works in. Never throws for a file that can't be used. */
export function piProject(cwd: string, isTrusted: boolean): PiProject {
  const path = join(cwd, ".pi", "proctor.json");
  if (!existsSync(path)) return { project: null, notes: [] };
  if (!isTrusted)
    return { project: null, notes: [`settings: ${path} is not used: Pi does not trust this project (/trust).`] };
  const file = readProjectFile(path);
  if (file.kind === "refused") return { project: null, notes: [`settings: ${path} is not used: it ${file.why}.`] };
  const parsed = parseProjectFile(file.text);
  if (parsed.kind === "broken")
    return { project: null, notes: [`settings: ${path} is not used: it is not JSON (${parsed.why}).`] };
  const project = { path, value: parsed.value };
  return { project, notes: resolveSettings({ project }).notes };
}

/** The settings of one call. */
export function settingsOfCall(
  commands: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  { project, notes }: PiProject,
): CallSettings {
  const call = callSettings(commands, { env, cwd, project });
  return { ...call, notes: call.notes.filter((note) => !notes.includes(note)) };
}
