/**
 * What becomes of a client's configuration files: planned whole before anything is written, carried out whole or
 * not at all. When a later file fails, the earlier ones get their old content back.
 */
import type { Client, Format, Place, WantedFile } from "./client.ts";
import { removeConfigFile, removeEmpty, writeConfigFile } from "./config-file.ts";
import type { ConfigFile } from "./config-file.ts";

/** A file and what becomes of it. */
export interface PlannedChange {
  readonly file: ConfigFile;
  /** Null: the file is removed. */
  readonly after: Buffer | null;
  /** Carries it out. */
  readonly apply: () => void;
  /** Takes it back. */
  readonly undo: () => void;
  /** What is left to do once every file was changed. */
  readonly finish: () => void;
  /** What else goes when it is empty afterwards: directories that were made for this file, outermost first. */
  readonly directories: readonly string[];
  /** Where the original is kept afterwards; null when it is not. */
  readonly backup: string | null;
}

/** What would be done. */
export interface Plan {
  /** The files that change; none when everything is as it is wanted. */
  readonly changes: readonly PlannedChange[];
  readonly notes: readonly string[];
}

/** Which configuration is meant. */
export interface Target {
  readonly client: Client;
  readonly place: Place;
  /** Another file than the client's own; absolute. */
  readonly config: string | null;
}

/** What new files and directories look like: the user's are private, a project's are shared. */
export const MODES = {
  user: { file: 0o600, directory: 0o700 },
  project: { file: 0o666, directory: 0o777 },
} as const;

/**
 * Carries a plan out, all of it or nothing.
 *
 * @throws ProctorError `ERR_INPUT_FILE` when a file can't be written, `ERR_HOST_DISK` when the original can't be kept.
 */
export function carryOut(plan: Plan): void {
  const done: PlannedChange[] = [];
  try {
    for (const change of plan.changes) {
      change.apply();
      done.push(change);
    }
  } catch (error) {
    for (const change of done.toReversed()) change.undo();
    throw error;
  }
  for (const change of plan.changes) change.finish();
  // Of two files in one directory only the last leaves it empty.
  removeEmpty(plan.changes.flatMap((change) => change.directories).toSorted((a, b) => a.length - b.length));
}

/** Gives a file the content that it had. */
export function putBack(file: ConfigFile, after: Buffer | null): void {
  const now: ConfigFile = { ...file, bytes: after };
  if (file.bytes === null) removeConfigFile(now);
  else writeConfigFile(now, file.bytes, MODES.user);
}

/** The file that names servers, and the path of proctor's entry. */
export function serversFile({ client, place, config }: Target): {
  readonly path: string;
  readonly format: Format;
  readonly entry: readonly string[];
} {
  const servers = client.servers(place);
  return config === null ? servers : { ...servers, path: config };
}

/** One plan for each file, also where several things stand in the same. */
export function merged(files: readonly WantedFile[]): readonly WantedFile[] {
  const byPath = new Map<string, WantedFile>();
  for (const file of files) {
    const known = byPath.get(file.path);
    byPath.set(file.path, known === undefined ? file : { ...known, entries: [...known.entries, ...file.entries] });
  }
  return [...byPath.values()];
}
