/** How proctor gets into a client's configuration: what is added to which file, and what is kept to take it out again. */
import { isDeepStrictEqual } from "node:util";
import { ProctorError } from "../model/index.ts";
import type { Client, Entry, Json, Place, ServerCommand, WantedFile } from "./client.ts";
import { readConfigFile, removeEmpty, writeConfigFile } from "./config-file.ts";
import { parseConfig, putEntry, stands, valueAt } from "./config-text.ts";
import { backupPath, dropRecord, hashOf, keepRecord, readRecord } from "./install-record.ts";
import type { InstallRecord, KeptEntry, RecordKey } from "./install-record.ts";
import { MODES, merged, putBack, serversFile } from "./plan.ts";
import type { Plan, PlannedChange, Target } from "./plan.ts";

/** What is asked of the installer. */
export interface InstallRequest extends Target {
  readonly server: ServerCommand;
  readonly replaceShell: boolean;
}

/**
 * Plans to put proctor into a client's configuration.
 *
 * @throws ProctorError `ERR_INPUT_FILE` for a file that can't be changed, `ERR_REFUSED_UNSUPPORTED` when the client's
 *   shell can't be turned off, or when an extension of it does the server's work already.
 */
export function planInstall(request: InstallRequest): Plan {
  const { client, place } = request;
  if (request.config === null) refuseBesideExtension(client, place);
  const servers = serversFile(request);
  const entry: Entry = { kind: "value", path: servers.entry, value: client.entryOf(request.server) };
  const wanted: WantedFile[] = [{ path: servers.path, format: servers.format, entries: [entry] }];
  if (request.replaceShell) wanted.push(...shellFiles(request));
  return { changes: merged(wanted).flatMap((file) => installInto(client, file, place)), notes: [] };
}

/** An agent that has two shells uses both, and neither knows of the other's runs. */
function refuseBesideExtension(client: Client, place: Place): void {
  const loaded = client.extension?.(place) ?? null;
  if (loaded === null) return;
  throw new ProctorError(
    "ERR_REFUSED_UNSUPPORTED",
    `${loaded.path}: ${client.title} loads proctor's extension ("${loaded.source}"), which takes the place of its shell; with the MCP server beside it the agent would have two. Nothing was changed. Accepted: the extension alone, as it is; or the server alone, after the extension was taken out of there.`,
    { details: { file: loaded.path } },
  );
}

function shellFiles({ client, place, config }: Target): readonly WantedFile[] {
  const files = client.shellSwitch(place);
  if (typeof files === "string")
    throw new ProctorError("ERR_REFUSED_UNSUPPORTED", `--replace-shell: ${files}. Nothing was changed.`);
  if (config !== null)
    throw new ProctorError(
      "ERR_INPUT_USAGE",
      "--replace-shell and --config can't be given together: the switch stands in the client's own settings.",
    );
  return files;
}

function installInto(client: Client, wanted: WantedFile, place: Place): readonly PlannedChange[] {
  const file = readConfigFile(wanted.path);
  const before = parseConfig(file.text, wanted.format, wanted.path);
  const added = wanted.entries.filter((entry) => !stands(before, entry));
  if (added.length === 0) return [];
  let { text } = file;
  for (const entry of added) text = putEntry(text, entry, wanted.format, wanted.path);
  const after = Buffer.from(text);
  const key: RecordKey = { client: client.id, target: file.target, env: place.env };
  const known = readRecord(key);
  // A record of what stands there no more is of another time.
  const old = known !== null && known.entries.some(({ entry }) => isThere(before, entry)) ? known : null;
  const entries = added.map((entry) => keptEntry(before, entry));
  const isOneChange = old === null || (file.bytes !== null && old.sha256 === hashOf(file.bytes));
  const record: InstallRecord = {
    v: 1,
    client: client.id,
    path: wanted.path,
    existed: old === null ? file.bytes !== null : old.existed,
    directories: old?.directories ?? [],
    entries: [
      ...(old?.entries.filter((kept) => !entries.some((entry) => isSame(kept, entry))) ?? []),
      ...entries.map((entry) => earliest(old, entry)),
    ],
    sha256: isOneChange ? hashOf(after) : null,
  };
  let made: readonly string[] = [];
  const restore = (): void => (known === null ? dropRecord(key) : keepRecord(key, known, null));
  const apply = (): void => {
    // The record first: whatever happens next, the file can be brought back.
    keepRecord(key, record, old === null ? file.bytes : null);
    try {
      made = writeConfigFile(file, after, MODES[place.scope]);
      if (made.length > 0) keepRecord(key, { ...record, directories: made }, null);
    } catch (error) {
      restore();
      throw error;
    }
  };
  const undo = (): void => {
    putBack(file, after);
    removeEmpty(made);
    restore();
  };
  const backup = record.existed ? backupPath(key) : null;
  return [{ file, after, apply, undo, finish: () => undefined, directories: [], backup }];
}

function isThere(config: unknown, entry: Entry): boolean {
  return entry.kind === "value" ? valueAt(config, entry.path) !== undefined : stands(config, entry);
}

function keptEntry(before: unknown, entry: Entry): KeptEntry {
  const previous = entry.kind === "value" ? valueAt(before, entry.path) : undefined;
  const kept = { entry, depth: depthOf(before, entry.path) };
  // Through JSON: what a parser of TOML gave may be a date.
  return previous === undefined ? kept : { ...kept, previous: JSON.parse(JSON.stringify(previous)) as Json };
}

function isSame(a: KeptEntry, b: KeptEntry): boolean {
  const isOne = isDeepStrictEqual([a.entry.kind, a.entry.path], [b.entry.kind, b.entry.path]);
  return isOne && (a.entry.kind === "value" || a.entry.value === b.entry.value);
}

/** What was there before the first of several installs. */
function earliest(old: InstallRecord | null, entry: KeptEntry): KeptEntry {
  const first = old?.entries.find((kept) => isSame(kept, entry));
  return first === undefined ? entry : { ...first, entry: entry.entry };
}

/** How many keys of a path are there. */
function depthOf(config: unknown, path: readonly string[]): number {
  let depth = 0;
  while (depth < path.length && valueAt(config, path.slice(0, depth + 1)) !== undefined) depth++;
  return depth;
}
