/** `proctor run`: the table of its options. */
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { KIB, TIB, resourceOptions, sandboxOption, stdinOption } from "./execution-options.ts";
import { SESSION_OPTION, jsonOption } from "./shared-options.ts";

const WAITING = "Waiting";
const COMMAND = "Command";
const LIMITS = "Limits (for each command; default: none)";

const OPTIONS: readonly OptionSpec[] = [
  {
    long: "background",
    short: "b",
    kind: { type: "flag" },
    group: WAITING,
    text: "Return at once with the run's id; the run goes on.",
  },
  {
    long: "promote-after",
    kind: { type: "duration", zero: true, words: ["never"] },
    placeholder: "D",
    group: WAITING,
    text: "Return with the id when the commands take longer than this; the run goes on. 0 is --background; never waits to the end.",
    fallback: "60s; never on a terminal without a session given",
  },
  {
    long: "timeout",
    kind: { type: "duration" },
    placeholder: "D",
    group: WAITING,
    text: "Stop a command that takes longer than this, in the background too.",
    fallback: "none",
  },
  {
    long: "interactive",
    short: "i",
    kind: { type: "flag" },
    group: WAITING,
    text: "Give the last command a terminal, and return when it has started: proctor input types into it, proctor attach joins it.",
  },
  {
    long: "lifetime",
    kind: { type: "text" },
    placeholder: "session|detached",
    group: WAITING,
    text: "session: the run ends with its session. detached: it outlives it, until it is stopped or its --timeout (default 24h) is over.",
    fallback: "session",
  },
  { long: "name", kind: { type: "text" }, placeholder: "NAME", group: COMMAND, text: "A label for lists." },
  {
    long: "file",
    short: "f",
    kind: { type: "file" },
    placeholder: "FILE",
    repeatable: true,
    group: COMMAND,
    text: "One more command, its text read from FILE (-: standard input), of any length. Its place among the COMMANDs counts.",
  },
  {
    long: "cwd",
    kind: { type: "directory" },
    placeholder: "DIR",
    group: COMMAND,
    text: "Where the commands run.",
    fallback: "here",
  },
  {
    long: "env",
    kind: { type: "assignment" },
    placeholder: "NAME=VALUE",
    repeatable: true,
    group: COMMAND,
    text: "A variable for the commands. A value under a name that looks like a secret's is never written to disk.",
  },
  {
    long: "env-all",
    kind: { type: "flag" },
    group: COMMAND,
    text: "Pass on variables that look like secrets (*_TOKEN, *_API_KEY ...), too.",
    fallback: "withheld",
  },
  stdinOption("the commands read", COMMAND),
  sandboxOption(COMMAND),
  {
    long: "idle-timeout",
    kind: { type: "duration" },
    placeholder: "D",
    group: LIMITS,
    text: "Stop after this time without a byte of output.",
  },
  ...resourceOptions(LIMITS),
  {
    long: "log-max",
    kind: { type: "size", min: 64 * KIB, max: TIB },
    placeholder: "S",
    group: LIMITS,
    text: "Size of the log; a run that writes more is stopped, what was captured stays.",
    fallback: "1G",
  },
  SESSION_OPTION,
  jsonOption("the run with its excerpt"),
];

/** Runs commands. */
export const RUN: CommandSpec = {
  name: "run",
  summary: "Run commands and show the part of their output that matters",
  operands: "COMMAND...",
  operandKind: "command",
  minOperands: 1,
  maxOperands: Number.POSITIVE_INFINITY,
  optionsFirst: true,
  about: [
    "Each COMMAND is one string for bash, run in a fresh shell. Several make a sequence: the next one starts only after " +
      "the last one's process ended with exit status 0.",
    "D is a duration: 500ms, 60s, 5m, 2h, or a bare number of seconds. S is a size in bytes, with an optional K, M, G or T.",
    "Ctrl-C sends SIGINT to the command; a second one within 2 s stops the run.",
  ],
  options: OPTIONS,
  examples: [
    { line: "proctor run 'npm ci' 'npm test'", text: "two commands, the second only after the first succeeded" },
    { line: "proctor run -b --name server 'npm run dev'", text: "in the background; see it with: proctor list" },
  ],
  exits: [
    { status: "N", text: "the last executed command's own exit status (128 + n: killed by signal n)" },
    { status: "0", text: "also: the run went to the background" },
    { status: "124", text: "a command hit its --timeout" },
    {
      status: "125",
      text: "proctor refused, failed, or ended the run without a status of the command's own; the message is on stderr",
    },
    { status: "130", text: "interrupted by Ctrl-C" },
  ],
  load: () => import("./commands/run.ts"),
};
