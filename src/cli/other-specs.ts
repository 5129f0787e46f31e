/** The tables of `excerpt`, `doctor`, `mcp`, `completion`, and of what is not available yet. */
import type { CommandSpec } from "./command-spec.ts";
import { CLIENT_WORDS } from "./install-specs.ts";
import { DONE, OUTPUT, REFUSED, SESSION_OPTION, jsonOption } from "./shared-options.ts";

const INPUT_GROUP = "What is known about it";

/** Shows what an agent would get of a file. */
export const EXCERPT: CommandSpec = {
  name: "excerpt",
  summary: "Show the part of a log that matters, as an agent would get it",
  operands: "[FILE]",
  operandKind: "file",
  minOperands: 0,
  maxOperands: 1,
  about: ["Reads FILE, or standard input without one or for -, in bounded memory."],
  options: [
    {
      long: "exit",
      kind: { type: "count", min: 0, max: 255 },
      placeholder: "N",
      group: INPUT_GROUP,
      text: "The exit status of the command that wrote it. 0 gives less room.",
      fallback: "not known",
    },
    {
      long: "command",
      kind: { type: "text" },
      placeholder: "COMMAND",
      group: INPUT_GROUP,
      text: "The command that wrote it.",
    },
    jsonOption("the text and an account of the choice"),
  ],
  examples: [
    { line: "proctor excerpt build.log --exit 2", text: "of a file" },
    { line: "make 2>&1 | proctor excerpt --command make", text: "of a pipe" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/excerpt.ts"),
};

/** Tells what this machine can do. */
export const DOCTOR: CommandSpec = {
  name: "doctor",
  summary: "Tell what this machine can do, and what each missing thing costs",
  operands: "[CLIENT]",
  operandKind: "word",
  words: CLIENT_WORDS,
  minOperands: 0,
  maxOperands: 1,
  about: [
    "Looks at the shell, the launcher, control groups, the sandbox, terminals and the disk, by trying them.",
    `With CLIENT (${CLIENT_WORDS.join(", ")}): starts the server that the client's configuration names, as the client would, and calls a tool.`,
  ],
  options: [SESSION_OPTION, jsonOption('{"checks": [...]}')],
  examples: [
    { line: "proctor doctor", text: "for people" },
    { line: "proctor doctor claude", text: "whether Claude Code can use proctor" },
    { line: "proctor doctor --json", text: "for programs" },
  ],
  exits: [
    { status: "0", text: "commands can be run here; the client can use proctor" },
    { status: "1", text: "something is missing without which no command can be run, or the client can't" },
    REFUSED,
  ],
  load: () => import("./commands/doctor.ts"),
};

/** Serves the Model Context Protocol. */
export const MCP: CommandSpec = {
  name: "mcp",
  summary: "Serve the Model Context Protocol on standard input and output",
  operands: "",
  operandKind: "none",
  minOperands: 0,
  maxOperands: Number.POSITIVE_INFINITY,
  passThrough: true,
  about: ["The session lives as long as this process: it ends when standard input is closed."],
  options: [
    {
      long: "tools",
      kind: { type: "text" },
      placeholder: "NAME,...",
      group: "Tools",
      text: "Offer only these tools.",
      fallback: "all eight",
    },
    {
      long: "structured",
      kind: { type: "flag" },
      group: "Tools",
      text: "Add structured content and output schemas; some clients then show the model only these.",
    },
    { ...SESSION_OPTION, fallback: "$PROCTOR_SESSION_DIR, else one of its own" },
  ],
  examples: [
    { line: "proctor mcp", text: "as an MCP client starts it" },
    { line: "proctor mcp --structured", text: "with structured content, for clients that read it" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/mcp.ts"),
};

/** Prints completions. */
export const COMPLETION: CommandSpec = {
  name: "completion",
  summary: "Print the completions for a shell",
  operands: "bash|zsh|fish",
  operandKind: "word",
  words: ["bash", "zsh", "fish"],
  minOperands: 1,
  maxOperands: 1,
  about: ["Completes commands, options, and the ids of runs."],
  options: [],
  examples: [
    { line: 'eval "$(proctor completion bash)"', text: "in ~/.bashrc; zsh the same in ~/.zshrc" },
    { line: "proctor completion fish > ~/.config/fish/completions/proctor.fish", text: "for fish" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/completion.ts"),
};

/** Shows the queue of heavy commands. */
export const QUEUE: CommandSpec = {
  name: "queue",
  summary: "Show the queue of heavy commands: who runs, who waits",
  operands: "",
  operandKind: "none",
  minOperands: 0,
  maxOperands: 0,
  about: [
    "Builds, tests, linters and type checks of all sessions of this user take turns, PROCTOR_MAX_HEAVY_JOBS at a time (default 2), " +
      'in the order in which they came. "proctor explain" tells whether a command is one of them.',
  ],
  options: [
    {
      long: "watch",
      kind: { type: "flag" },
      group: OUTPUT,
      text: "Show it again whenever it changes, until interrupted.",
    },
    jsonOption("the queue; with --watch one document a line"),
  ],
  examples: [
    { line: "proctor queue", text: "who runs and who waits" },
    { line: "proctor queue --json", text: "for programs" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/queue.ts"),
};

/** Gives up what nobody needs any more. */
export const GC: CommandSpec = {
  name: "gc",
  summary: "Remove logs that are kept no longer and what dead sessions left",
  operands: "",
  operandKind: "none",
  minOperands: 0,
  maxOperands: 0,
  about: [
    "Happens by itself while sessions are served. Logs of ended runs are kept for PROCTOR_LOG_TTL_MS (default 24h), the oldest go first; " +
      "never one whose path was given to a caller in the last hour, and never the record of a run of a session that lives.",
  ],
  options: [
    { long: "dry-run", kind: { type: "flag" }, group: OUTPUT, text: "Only show what would be removed." },
    jsonOption('{"dryRun", "sessions": [...], "logs": [...]}'),
  ],
  examples: [
    { line: "proctor gc --dry-run", text: "what would go" },
    { line: "proctor gc --json", text: "for programs" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/gc.ts"),
};

/** Tells what a command line is. */
export const EXPLAIN: CommandSpec = {
  name: "explain",
  summary: "Tell whether a command waits in the queue and whether its output is filtered, and why",
  operands: "COMMAND",
  operandKind: "command",
  minOperands: 1,
  maxOperands: 1,
  optionsFirst: true,
  about: ["The command line is read as a shell reads it. Nothing is run."],
  options: [jsonOption("the verdict")],
  examples: [
    { line: "proctor explain 'CI=1 npm test'", text: "a heavy command" },
    { line: "proctor explain --json 'git status'", text: "for programs" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/explain.ts"),
};
