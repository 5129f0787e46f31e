/** The server that a client would start for proctor, as the client's configuration says it. */
import { ProctorError } from "../model/index.ts";
import type { Client, ConfiguredServer, Place, Scope } from "./client.ts";
import { readConfigFile } from "./config-file.ts";
import { parseConfig, valueAt } from "./config-text.ts";

/** A configuration that names proctor. */
export interface FoundServer {
  readonly scope: Scope;
  readonly path: string;
  readonly server: ConfiguredServer;
}

/** The files that were looked at, and proctor's server where one names it; the project's comes first, as it does for clients. */
export interface Lookup {
  readonly paths: readonly string[];
  readonly found: readonly FoundServer[];
}

/**
 * Looks for proctor in a client's configuration.
 *
 * @throws ProctorError `ERR_INPUT_FILE` when a file is broken, or names the server in a way that can't be started.
 */
export function findServers(client: Client, place: Omit<Place, "scope">): Lookup {
  const paths: string[] = [];
  const found: FoundServer[] = [];
  for (const scope of ["project", "user"] as const) {
    const { path, format, entry } = client.servers({ ...place, scope });
    if (paths.includes(path)) continue;
    paths.push(path);
    const file = readConfigFile(path);
    if (file.bytes === null) continue;
    const value = valueAt(parseConfig(file.text, format, path), entry);
    if (value !== undefined) found.push({ scope, path, server: serverOf(value, path, entry) });
  }
  return { paths, found };
}

function serverOf(value: unknown, path: string, entry: readonly string[]): ConfiguredServer {
  const command = strings(valueAt(value, ["command"]));
  const [program, ...first] = command;
  if (program === undefined) {
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `${path}: ${entry.join(".")}.command: ${JSON.stringify(valueAt(value, ["command"])) ?? "nothing"} can't be started. Accepted: a program's name or path.`,
      { details: { file: path } },
    );
  }
  const env = valueAt(value, ["env"]) ?? valueAt(value, ["environment"]) ?? {};
  const isText = (pair: readonly [string, unknown]): pair is [string, string] => typeof pair[1] === "string";
  return {
    command: program,
    args: [...first, ...strings(valueAt(value, ["args"]))],
    env: Object.fromEntries(Object.entries(typeof env === "object" && env !== null ? env : {}).filter(isText)),
    isOff: valueAt(value, ["enabled"]) === false || valueAt(value, ["disabled"]) === true,
  };
}

/** A string, or a list of strings, as a list. */
function strings(value: unknown): readonly string[] {
  if (typeof value === "string" && value !== "") return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
