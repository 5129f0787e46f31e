/** The tables of `install` and `uninstall`: proctor in an agent client's configuration. */
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { DONE, OUTPUT, REFUSED, jsonOption } from "./shared-options.ts";

const WHERE = "Where";

/** The clients; what is known about them (`src/clients`) is loaded only where it is needed. */
export const CLIENT_WORDS: readonly string[] = [
  "claude",
  "codex",
  "gemini",
  "opencode",
  "pi",
  "qwen",
  "copilot",
  "cursor",
];

const SHARED: readonly OptionSpec[] = [
  {
    long: "scope",
    kind: { type: "text" },
    placeholder: "user|project",
    group: WHERE,
    text: "Your own configuration, for every project, or that of the project in the current directory.",
    fallback: "user",
  },
  {
    long: "config",
    kind: { type: "file" },
    placeholder: "FILE",
    group: WHERE,
    text: "Another file than the client's own, of the same format.",
  },
  {
    long: "dry-run",
    kind: { type: "flag" },
    group: OUTPUT,
    text: "Only show what would be changed.",
  },
];

/** Puts proctor into a client. */
export const INSTALL: CommandSpec = {
  name: "install",
  summary: "Make proctor known to an agent client",
  operands: "CLIENT",
  operandKind: "word",
  words: CLIENT_WORDS,
  minOperands: 1,
  maxOperands: 1,
  about: [
    `CLIENT is ${CLIENT_WORDS.slice(0, -1).join(", ")} or ${CLIENT_WORDS.at(-1)}.`,
    "Adds the MCP server to the client's own configuration, with comments and foreign keys left as they are, and shows the change. Doing it again changes nothing.",
    'A copy of the file as it was is kept, and "proctor uninstall" brings it back. For a client that is not named here and reads "mcpServers" from a JSON file: cursor --config FILE.',
  ],
  options: [
    {
      long: "replace-shell",
      kind: { type: "flag" },
      group: "What",
      text: "Also turn the client's own shell off, so that proctor's is the only one.",
    },
    {
      long: "tools",
      kind: { type: "text" },
      placeholder: "NAME,...",
      group: "What",
      text: "Offer only these tools.",
      fallback: "all eight",
    },
    ...SHARED,
    jsonOption('{"client", "scope", "dryRun", "files": [...], "notes": [...]}'),
  ],
  examples: [
    { line: "proctor install claude --dry-run", text: "what would be changed" },
    { line: "proctor install codex --replace-shell", text: "proctor's shell instead of Codex's" },
    { line: "proctor install gemini --scope project", text: "for everybody who works on this project" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/install.ts"),
};

/** Takes proctor out of a client. */
export const UNINSTALL: CommandSpec = {
  name: "uninstall",
  summary: "Take proctor out of an agent client's configuration",
  operands: "CLIENT",
  operandKind: "word",
  words: CLIENT_WORDS,
  minOperands: 1,
  maxOperands: 1,
  about: [
    "Brings the file back as it was, to the byte. When it was changed by others since, only what proctor put there is taken out, and what stood in its place is put back.",
  ],
  options: [...SHARED, jsonOption('{"client", "scope", "dryRun", "files": [...], "notes": [...]}')],
  examples: [
    { line: "proctor uninstall claude", text: "from your own configuration" },
    { line: "proctor uninstall claude --scope project --dry-run", text: "what would be changed in the project's" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/uninstall.ts"),
};
