/** Commands that look and wait: the tables of `list`, `status`, `logs`, `wait` and `sessions`. */
import type { CommandSpec } from "./command-spec.ts";
import { DONE, OUTPUT, REFUSED, SESSION, SESSION_OPTION, jsonOption } from "./shared-options.ts";

const ID = "ID is a run's id or the beginning of one, at least 4 characters long.";
const SELECTION = "Selection";
const UNTIL = "Until";

/** Lists runs. */
export const LIST: CommandSpec = {
  name: "list",
  summary: "Show runs: what they are, how they stand, how they ended",
  operands: "",
  operandKind: "none",
  minOperands: 0,
  maxOperands: 0,
  about: ["Runs and sequences of the session in start order; a sequence's stages stand inside it."],
  options: [
    { long: "all", kind: { type: "flag" }, group: SESSION, text: "Every session of this user." },
    SESSION_OPTION,
    jsonOption('{"runs": [...]}'),
  ],
  examples: [
    { line: "proctor list", text: "the runs of this session" },
    { line: "proctor list --all --json", text: "every run of every session, for programs" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/list.ts"),
};

/** Shows one run. */
export const STATUS: CommandSpec = {
  name: "status",
  summary: "Show one run in full",
  operands: "ID",
  operandKind: "run",
  minOperands: 1,
  maxOperands: 1,
  about: [ID],
  options: [SESSION_OPTION, jsonOption("the run")],
  examples: [
    { line: "proctor status 4kz7", text: "by the beginning of its id" },
    { line: "proctor status 4kz7 --json", text: "for programs" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/status.ts"),
};

/** Prints a log. */
export const LOGS: CommandSpec = {
  name: "logs",
  summary: "Print the log of a run",
  operands: "ID",
  operandKind: "run",
  minOperands: 1,
  maxOperands: 1,
  about: [
    `${ID} A sequence's log is that of its last stage.`,
    "The log is printed as plain text: without terminal sequences and control characters. --raw gives the bytes as they were written.",
  ],
  options: [
    {
      long: "lines",
      kind: { type: "count", min: 1, max: 1_000_000 },
      placeholder: "N",
      group: SELECTION,
      text: "Only the last N lines; with --grep, the last N that match. With --from-line, the first N from there.",
    },
    {
      long: "from",
      kind: { type: "count", min: 0, max: Number.MAX_SAFE_INTEGER },
      placeholder: "BYTE",
      group: SELECTION,
      text: "From this byte of the log on, counted from 0.",
    },
    {
      long: "from-line",
      kind: { type: "count", min: 1, max: Number.MAX_SAFE_INTEGER },
      placeholder: "N",
      group: SELECTION,
      text: "From this line of the log on, counted from 1 as in an excerpt.",
    },
    {
      long: "grep",
      kind: { type: "text" },
      placeholder: "RE",
      group: SELECTION,
      text: "Only lines that match this regular expression (JavaScript's syntax).",
    },
    {
      long: "screen",
      kind: { type: "flag" },
      group: SELECTION,
      text: "What the terminal of an interactive run shows now, instead of the log.",
    },
    {
      long: "follow",
      kind: { type: "flag" },
      group: SELECTION,
      text: "Go on with what comes, until the run has ended.",
    },
    { long: "raw", kind: { type: "flag" }, group: OUTPUT, text: "The log's own bytes, unchanged." },
    SESSION_OPTION,
    jsonOption("a part of the log as text, with its place"),
  ],
  examples: [
    { line: "proctor logs 4kz7 --lines 50 --follow", text: "the last 50 lines, then what comes" },
    { line: "proctor logs 4kz7 --grep 'error|warning'", text: "lines that match" },
    { line: "proctor logs 4kz7 --from-line 5136 --lines 20", text: "20 lines from the one that an excerpt names" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/logs.ts"),
};

/** Waits for a run. */
export const WAIT: CommandSpec = {
  name: "wait",
  summary: "Wait until runs have ended, a line appeared, a port is open, or it is quiet",
  operands: "ID...",
  operandKind: "run",
  minOperands: 1,
  maxOperands: Number.POSITIVE_INFINITY,
  about: [
    ID,
    "Without --match, --port and --quiet it waits for the end. Of several runs it waits for all, or with --any for the first.",
  ],
  options: [
    {
      long: "timeout",
      kind: { type: "duration" },
      placeholder: "D",
      group: UNTIL,
      text: "Give up after this time; the run goes on.",
      fallback: "none",
    },
    {
      long: "match",
      kind: { type: "text" },
      placeholder: "RE",
      group: UNTIL,
      text: "Wait for a line of the log that matches this regular expression; one that stands there already counts.",
    },
    {
      long: "port",
      kind: { type: "count", min: 1, max: 65_535 },
      placeholder: "N",
      group: UNTIL,
      text: "Wait until a process of the run listens on this TCP port.",
    },
    {
      long: "quiet",
      kind: { type: "duration" },
      placeholder: "D",
      group: UNTIL,
      text: "Wait until nothing was printed for this time, while the run goes on.",
    },
    { long: "any", kind: { type: "flag" }, group: UNTIL, text: "Of several runs, until it came true of one of them." },
    SESSION_OPTION,
    jsonOption('the run as it is then; of several {"matched", "runs"}'),
  ],
  examples: [
    { line: "proctor wait 4kz7 --timeout 10m", text: "until it has ended, ten minutes at most" },
    { line: "proctor wait 4kz7 --match 'listening on' --timeout 30s", text: "until the server says that it is ready" },
  ],
  exits: [
    { status: "0", text: "it came true" },
    { status: "1", text: "it can no longer come true: the run has ended" },
    { status: "124", text: "the time was over first" },
    REFUSED,
  ],
  load: () => import("./commands/wait.ts"),
};

/** Lists sessions. */
export const SESSIONS: CommandSpec = {
  name: "sessions",
  summary: "Show every session of this user",
  operands: "",
  operandKind: "none",
  minOperands: 0,
  maxOperands: 0,
  about: [
    'A session holds runs. It ends with its owner, with "proctor session end", or when its directory is removed.',
  ],
  options: [jsonOption('{"sessions": [...]}')],
  examples: [
    { line: "proctor sessions", text: "where they are and who owns them" },
    { line: "proctor sessions --json", text: "for programs" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/sessions.ts"),
};
