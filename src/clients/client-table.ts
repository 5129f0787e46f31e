/**
 * What each client's configuration looks like: files, keys, and the switch for its own shell. The facts are the
 * clients' own documentation and were tried with the programs themselves (docs/agents.md has them as a table).
 */
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ProctorError } from "../model/index.ts";
import { CLIENT_IDS, SERVER_NAME } from "./client.ts";
import type { Client, ClientId, Json, Place, ServerCommand, WantedFile } from "./client.ts";
import { piExtensionIn } from "./pi-extension.ts";

/** A directory that an environment variable may move; the variable counts only when it is absolute. */
function movable(place: Place, variable: string | null, ...usual: readonly string[]): string {
  const value = variable === null ? undefined : place.env[variable];
  return value !== undefined && isAbsolute(value) ? value : join(place.home, ...usual);
}

/** The first of these files that exists, else the last. */
function firstThere(dir: string, names: readonly string[]): string {
  return join(dir, names.find((name) => existsSync(join(dir, name))) ?? names.at(-1) ?? "");
}

/** The entry that most clients share. */
function plainEntry({ command, args }: ServerCommand): Json {
  return { command, args };
}

function jsonFile(path: string, ...entries: WantedFile["entries"]): readonly WantedFile[] {
  return [{ path, format: "json", entries }];
}

/** The file beside the servers' that most clients keep their settings in. */
function settings(place: Place, variable: string | null, folder: string, ...inside: readonly string[]): string {
  return place.scope === "project"
    ? join(place.cwd, folder, "settings.json")
    : join(movable(place, variable, folder, ...inside), "settings.json");
}

const ENTRY = ["mcpServers", SERVER_NAME];

const CLIENTS: Readonly<Record<ClientId, Client>> = {
  claude: {
    id: "claude",
    title: "Claude Code",
    program: "claude",
    servers: (place) => ({
      path:
        place.scope === "project"
          ? join(place.cwd, ".mcp.json")
          : join(movable(place, "CLAUDE_CONFIG_DIR"), ".claude.json"),
      format: "json",
      entry: ENTRY,
    }),
    entryOf: ({ command, args }) => ({ type: "stdio", command, args }),
    shellSwitch: (place) =>
      jsonFile(settings(place, "CLAUDE_CONFIG_DIR", ".claude"), {
        kind: "member",
        path: ["permissions", "deny"],
        value: "Bash",
      }),
  },
  codex: {
    id: "codex",
    title: "Codex",
    program: "codex",
    servers: (place) => ({ path: codexFile(place), format: "toml", entry: ["mcp_servers", SERVER_NAME] }),
    // Without "required" the first question to the model may go out before the server's tools are known.
    entryOf: ({ command, args }) => ({ command, args, required: true }),
    shellSwitch: (place) => [
      {
        path: codexFile(place),
        format: "toml",
        entries: ["shell_tool", "unified_exec"].map((key) => ({
          kind: "value",
          path: ["features", key],
          value: false,
        })),
      },
    ],
  },
  gemini: {
    id: "gemini",
    title: "Gemini CLI",
    program: "gemini",
    servers: (place) => ({ path: settings(place, null, ".gemini"), format: "json", entry: ENTRY }),
    entryOf: plainEntry,
    shellSwitch: (place) =>
      jsonFile(settings(place, null, ".gemini"), {
        kind: "member",
        path: ["tools", "exclude"],
        value: "run_shell_command",
      }),
  },
  opencode: {
    id: "opencode",
    title: "opencode",
    program: "opencode",
    servers: (place) => ({ path: opencodeFile(place), format: "json", entry: ["mcp", SERVER_NAME] }),
    entryOf: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
    shellSwitch: (place) => jsonFile(opencodeFile(place), { kind: "value", path: ["tools", "bash"], value: false }),
  },
  pi: {
    id: "pi",
    title: "Pi",
    program: "pi",
    servers: (place) => ({
      path:
        place.scope === "project"
          ? join(place.cwd, ".pi", "mcp.json")
          : join(movable(place, "PI_CODING_AGENT_DIR", ".pi", "agent"), "mcp.json"),
      format: "json",
      entry: ENTRY,
    }),
    // By default Pi offers a server's tools to its code mode only.
    entryOf: ({ command, args }) => ({ command, args, exposure: "direct" }),
    shellSwitch: (place) =>
      jsonFile(settings(place, "PI_CODING_AGENT_DIR", ".pi", "agent"), {
        kind: "member",
        path: ["defaultTools"],
        value: "-bash",
      }),
    // In a project Pi loads what the user's settings name and what the project's do.
    extension: (place) => {
      const scopes = place.scope === "project" ? (["project", "user"] as const) : (["user"] as const);
      const files = scopes.map((scope) => settings({ ...place, scope }, "PI_CODING_AGENT_DIR", ".pi", "agent"));
      return piExtensionIn(files, place.home);
    },
  },
  qwen: {
    id: "qwen",
    title: "Qwen Code",
    program: "qwen",
    servers: (place) => ({ path: settings(place, null, ".qwen"), format: "json", entry: ENTRY }),
    entryOf: plainEntry,
    shellSwitch: (place) =>
      jsonFile(settings(place, null, ".qwen"), {
        kind: "member",
        path: ["permissions", "deny"],
        value: "run_shell_command",
      }),
  },
  copilot: {
    id: "copilot",
    title: "Copilot CLI",
    program: "copilot",
    servers: (place) => ({
      path:
        place.scope === "project"
          ? join(place.cwd, ".github", "mcp.json")
          : join(movable(place, "COPILOT_HOME", ".copilot"), "mcp-config.json"),
      format: "json",
      entry: ENTRY,
    }),
    entryOf: ({ command, args }) => ({ type: "local", command, args, tools: ["*"] }),
    shellSwitch: () =>
      "Copilot CLI has no setting that turns its shell off; start it with --excluded-tools bash instead",
  },
  cursor: {
    id: "cursor",
    title: "Cursor",
    program: null,
    servers: (place) => ({
      path: join(place.scope === "project" ? place.cwd : place.home, ".cursor", "mcp.json"),
      format: "json",
      entry: ENTRY,
    }),
    entryOf: plainEntry,
    shellSwitch: () =>
      "Cursor has no setting that turns its terminal off; its tool list can be changed in its settings",
  },
};

function codexFile(place: Place): string {
  return place.scope === "project"
    ? join(place.cwd, ".codex", "config.toml")
    : join(movable(place, "CODEX_HOME", ".codex"), "config.toml");
}

function opencodeFile(place: Place): string {
  return place.scope === "project"
    ? firstThere(place.cwd, ["opencode.jsonc", "opencode.json"])
    : firstThere(join(movable(place, "XDG_CONFIG_HOME", ".config"), "opencode"), [
        "opencode.jsonc",
        "config.json",
        "opencode.json",
      ]);
}

/**
 * The client of this name.
 *
 * @throws ProctorError `ERR_INPUT_USAGE` when there is none.
 */
export function clientNamed(name: string): Client {
  const id = CLIENT_IDS.find((known) => known === name);
  if (id !== undefined) return CLIENTS[id];
  throw new ProctorError(
    "ERR_INPUT_USAGE",
    `CLIENT: "${name}" is not known. Accepted: ${CLIENT_IDS.join(", ")}; for another one that reads "mcpServers" from a JSON file: cursor --config FILE.`,
    { details: { value: name } },
  );
}
