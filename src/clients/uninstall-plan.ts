/** How a client's configuration gets back to what it was, also when others have changed it since. */
import { isDeepStrictEqual } from "node:util";
import type { Client, Entry, Place, WantedFile } from "./client.ts";
import { readConfigFile, removeConfigFile, writeConfigFile } from "./config-file.ts";
import type { ConfigFile } from "./config-file.ts";
import { parseConfig, putEntry, stands, takeEntry, valueAt } from "./config-text.ts";
import { dropRecord, hashOf, readBackup, readRecord } from "./install-record.ts";
import type { InstallRecord, RecordKey } from "./install-record.ts";
import { MODES, merged, putBack, serversFile } from "./plan.ts";
import type { Plan, PlannedChange, Target } from "./plan.ts";

/**
 * Plans to take proctor out of a client's configuration: to the byte where nobody else changed the file since, else
 * only what was put there.
 *
 * @throws ProctorError `ERR_INPUT_FILE` for a file that can't be changed.
 */
export function planUninstall(request: Target): Plan {
  const { client, place } = request;
  const servers = serversFile(request);
  const shell = request.config === null ? client.shellSwitch(place) : [];
  const own: Entry = { kind: "value", path: servers.entry, value: {} };
  const files = merged([
    { path: servers.path, format: servers.format, entries: [own] },
    ...(typeof shell === "string" ? [] : shell),
  ]);
  const notes: string[] = [];
  const changes = files.flatMap((wanted) => uninstallFrom(client, wanted, servers, place, notes));
  return { changes, notes };
}

function uninstallFrom(
  client: Client,
  wanted: WantedFile,
  servers: { readonly path: string; readonly entry: readonly string[] },
  place: Place,
  notes: string[],
): readonly PlannedChange[] {
  const file = readConfigFile(wanted.path);
  const key: RecordKey = { client: client.id, target: file.target, env: place.env };
  const record = readRecord(key);
  if (file.bytes === null) return [];
  const original = record === null ? null : readBackup(key);
  const isUntouched = record !== null && record.sha256 === hashOf(file.bytes) && (!record.existed || original !== null);
  const after = isUntouched ? (record.existed ? original : null) : withoutOurs(file, wanted, servers, record, notes);
  if (after !== null && after.equals(file.bytes)) return [];
  const apply = (): void => {
    if (after === null) removeConfigFile(file);
    else writeConfigFile(file, after, MODES[place.scope]);
  };
  const undo = (): void => putBack(file, after);
  const directories = after === null ? (record?.directories ?? []) : [];
  return [{ file, after, apply, undo, finish: () => dropRecord(key), directories, backup: null }];
}

/** What is left of a file that others have changed since; null when nothing is. */
function withoutOurs(
  file: ConfigFile,
  { format, path, entries }: WantedFile,
  servers: { readonly path: string; readonly entry: readonly string[] },
  record: InstallRecord | null,
  notes: string[],
): Buffer | null {
  let { text } = file;
  const isServer = (entry: Entry): boolean => path === servers.path && isDeepStrictEqual(entry.path, servers.entry);
  if (record === null) {
    const config = parseConfig(text, format, path);
    for (const entry of entries) {
      if (isServer(entry)) {
        if (valueAt(config, entry.path) !== undefined) text = takeEntry(text, entry, format, path);
      } else if (stands(config, entry)) {
        notes.push(
          `${path}: ${entry.path.join(".")} turns the client's own shell off; whether proctor put it there is not on record, so it was left`,
        );
      }
    }
    return Buffer.from(text);
  }
  for (const kept of record.entries.toReversed()) {
    const { entry } = kept;
    const config = parseConfig(text, format, path);
    // Of its own entry whatever became of it; of a switch only what it set.
    const isThere = isServer(entry) ? valueAt(config, entry.path) !== undefined : stands(config, entry);
    if (!isThere) continue;
    text =
      kept.previous === undefined
        ? takeEntry(text, entry, format, path, kept.depth + 1)
        : putEntry(text, { kind: "value", path: entry.path, value: kept.previous }, format, path);
  }
  if (!record.existed && Object.keys(parseConfig(text, format, path)).length === 0 && isBlank(text)) return null;
  return Buffer.from(text);
}

/** Whether a text holds nothing that a person wrote. */
function isBlank(text: string): boolean {
  return /^\s*(\{\s*\})?\s*$/.test(text);
}
