/**
 * Whether Pi loads proctor's extension, which takes the place of Pi's own shell: beside it the MCP server would
 * give the agent a second one. Pi's settings name packages by source (npm, git, a path) and extensions by path; a
 * path is proctor's when the package it belongs to is. Source: docs/packages.md and docs/settings.md of
 * @earendil-works/pi-coding-agent 1.6.0. What is named in another way the extension sees at run time.
 */
import { dirname, join, resolve } from "node:path";
import { ProctorError } from "../model/index.ts";
import type { LoadedExtension } from "./client.ts";
import { readConfigFile } from "./config-file.ts";
import { parseConfig, valueAt } from "./config-text.ts";

/** The npm package, with or without a version. */
const NPM_SOURCE = /^npm:proctor(@[^/]*)?$/;
const OTHER_SOURCE = /^(npm:|git:|[a-z+]+:\/\/|git@)/;

/**
 * The mention in the first of these settings files that has one; null when none has.
 *
 * @throws ProctorError `ERR_INPUT_FILE` when a file is broken.
 */
export function piExtensionIn(files: readonly string[], home: string): LoadedExtension | null {
  for (const path of files) {
    const file = readConfigFile(path);
    if (file.bytes === null) continue;
    const settings = parseConfig(file.text, "json", path);
    const isOurs = (given: string): boolean => isProctor(given, dirname(path), home);
    const source = [...packagesOf(settings), ...extensionsOf(settings)].find(isOurs);
    if (source !== undefined) return { path, source };
  }
  return null;
}

/** The sources of packages whose extensions are loaded. */
function packagesOf(settings: unknown): readonly string[] {
  return list(valueAt(settings, ["packages"])).flatMap((entry) => {
    if (typeof entry === "string") return [entry];
    const source = valueAt(entry, ["source"]);
    const extensions = valueAt(entry, ["extensions"]);
    const isLeftOut = Array.isArray(extensions) && extensions.length === 0;
    return typeof source === "string" && !isLeftOut ? [source] : [];
  });
}

/** The paths of extensions that are loaded; "!" and "-" before a path leave it out. */
function extensionsOf(settings: unknown): readonly string[] {
  return list(valueAt(settings, ["extensions"])).flatMap((entry) =>
    typeof entry === "string" && !/^[!-]/.test(entry) ? [entry] : [],
  );
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isProctor(source: string, base: string, home: string): boolean {
  if (OTHER_SOURCE.test(source)) return NPM_SOURCE.test(source);
  const path = source.replace(/^\+/, "").replace(/^~(?=\/|$)/, home);
  return packageNameAbove(resolve(base, path)) === "proctor";
}

/** The name of the package that a path belongs to; null when it belongs to none. */
function packageNameAbove(path: string): string | null {
  for (let at = path; ; at = dirname(at)) {
    const manifest = readManifest(join(at, "package.json"));
    if (manifest !== null) return manifest;
    if (dirname(at) === at) return null;
  }
}

/** The name in a manifest; null where there is none to be read. */
function readManifest(path: string): string | null {
  try {
    const file = readConfigFile(path);
    if (file.bytes === null) return null;
    const name = valueAt(parseConfig(file.text, "json", path), ["name"]);
    return typeof name === "string" ? name : "";
  } catch (error) {
    if (error instanceof ProctorError) return null; // below a file, or no manifest that Pi could read either
    throw error;
  }
}
