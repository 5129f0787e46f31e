/**
 * What an agent client is to the installer: which of its files say which servers it starts, and what has to
 * stand there. One table per client (`client-table.ts`) is the only place that knows a client's own words.
 */

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One thing that has to stand in a configuration. */
export type Entry =
  /** The value at a path of keys; objects on the way are made where they are missing. */
  | { readonly kind: "value"; readonly path: readonly string[]; readonly value: Json }
  /** A string that the list at a path has to contain. */
  | { readonly kind: "member"; readonly path: readonly string[]; readonly value: string };

/** How a configuration file is written. */
export type Format = "json" | "toml";

/** A configuration file and what is wanted in it. */
export interface WantedFile {
  readonly path: string;
  readonly format: Format;
  readonly entries: readonly Entry[];
}

/** Whose configuration: the user's own, for every project, or that of the project in the current directory. */
export type Scope = "user" | "project";

/** How the server is started. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A server as a client's configuration names it. */
export interface ConfiguredServer extends ServerCommand {
  readonly env: Readonly<Record<string, string>>;
  /** The client's own switch says that it is not to be started. */
  readonly isOff: boolean;
}

/** Where things are. */
export interface Place {
  readonly scope: Scope;
  readonly home: string;
  /** The project's directory. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What a client loads of proctor in the place of the MCP server. */
export interface LoadedExtension {
  /** The settings file that names it. */
  readonly path: string;
  /** As it stands there. */
  readonly source: string;
}

/** An agent client. */
export interface Client {
  /** The name on the command line. */
  readonly id: ClientId;
  /** Its name for people. */
  readonly title: string;
  /** Its program, for the note that it is not here; null when it has none. */
  readonly program: string | null;
  /** The file that names servers, and the path of proctor's entry in it. */
  readonly servers: (place: Place) => {
    readonly path: string;
    readonly format: Format;
    readonly entry: readonly string[];
  };
  /** The entry that starts `server`. */
  readonly entryOf: (server: ServerCommand) => Json;
  /** Where its own shell is turned off; a text says why it can't be. */
  readonly shellSwitch: (place: Place) => readonly WantedFile[] | string;
  /** The extension that does the server's work where it is loaded; only of clients for which there is one. */
  readonly extension?: (place: Place) => LoadedExtension | null;
}

/** The clients, in the order in which they are named. */
export const CLIENT_IDS = ["claude", "codex", "gemini", "opencode", "pi", "qwen", "copilot", "cursor"] as const;

/** A client's name on the command line. */
export type ClientId = (typeof CLIENT_IDS)[number];

/** The name that proctor's server has in every client's configuration. */
export const SERVER_NAME = "proctor";
