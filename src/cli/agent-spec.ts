/** `proctor agent`: the table of its options. */
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { resourceOptions, sandboxOption, stdinOption } from "./execution-options.ts";
import { OUTPUT, REFUSED, SESSION_OPTION } from "./shared-options.ts";

const AGENT_GROUP = "Agent";
const SUPERVISION = "Supervision (default: none)";
const LIMITS = "Limits on everything that the agent starts (default: none)";

const OPTIONS: readonly OptionSpec[] = [
  {
    long: "prompt",
    kind: { type: "text" },
    placeholder: "TEXT",
    group: AGENT_GROUP,
    text: "What the agent is asked; makes the arguments that its provider needs for a machine-readable stream. ARGUMENTs follow them.",
  },
  {
    long: "model",
    kind: { type: "text" },
    placeholder: "NAME",
    group: AGENT_GROUP,
    text: "With --prompt: the model.",
    fallback: "the agent's own",
  },
  {
    long: "resume",
    kind: { type: "text" },
    placeholder: "ID",
    group: AGENT_GROUP,
    text: "With --prompt: go on with this session of the agent's.",
  },
  {
    long: "binary",
    kind: { type: "file" },
    placeholder: "FILE",
    group: AGENT_GROUP,
    text: "The program, an absolute path or a name on PATH.",
    fallback: "the provider's",
  },
  {
    long: "name",
    kind: { type: "text" },
    placeholder: "NAME",
    group: AGENT_GROUP,
    text: "A label for lists.",
    fallback: "PROVIDER",
  },
  {
    long: "cwd",
    kind: { type: "directory" },
    placeholder: "DIR",
    group: AGENT_GROUP,
    text: "The agent's workspace.",
    fallback: "here",
  },
  {
    long: "env",
    kind: { type: "assignment" },
    placeholder: "NAME=VALUE",
    repeatable: true,
    group: AGENT_GROUP,
    text: "A variable for the agent, besides all of yours.",
  },
  stdinOption("the agent reads", AGENT_GROUP),
  sandboxOption(AGENT_GROUP),
  {
    long: "background",
    short: "b",
    kind: { type: "flag" },
    group: SUPERVISION,
    text: "Return at once with the run's id; a process in the background supervises it.",
  },
  {
    long: "timeout",
    kind: { type: "duration" },
    placeholder: "D",
    group: SUPERVISION,
    text: "Stop after this time, restarts included.",
  },
  {
    long: "idle-kill",
    kind: { type: "duration" },
    placeholder: "D",
    group: SUPERVISION,
    text: "Stop an agent that prints nothing for this long.",
  },
  {
    long: "watchdog",
    kind: { type: "duration" },
    placeholder: "D",
    group: SUPERVISION,
    text: "SIGKILL at once to an agent that prints nothing for this long.",
  },
  {
    long: "restart",
    kind: { type: "count", min: 0, max: 1000 },
    placeholder: "N",
    group: SUPERVISION,
    text: "Start an agent that crashed again, up to N times, after 1 s, 2 s, 4 s ... (at most 30 s).",
  },
  {
    long: "grace",
    kind: { type: "duration", zero: true },
    placeholder: "D",
    group: SUPERVISION,
    text: "Time between SIGTERM and SIGKILL of a stop.",
    fallback: "5s",
  },
  ...resourceOptions(LIMITS),
  SESSION_OPTION,
  { long: "json", kind: { type: "flag" }, group: OUTPUT, text: "Print the events, one JSON document a line." },
];

/** Runs an agent. */
export const AGENT: CommandSpec = {
  name: "agent",
  summary: "Run an agent's command line under supervision",
  operands: "PROVIDER [-- ARGUMENT...]",
  operandKind: "word",
  words: ["claude", "codex", "gemini", "opencode", "pi", "qwen", "copilot", "lines"],
  minOperands: 1,
  maxOperands: Number.POSITIVE_INFINITY,
  about: [
    "PROVIDER is claude, codex, gemini, opencode, pi, qwen, copilot, or lines: any program that prints lines, named by the first ARGUMENT.",
    "The agent's text is shown as it comes, each tool call in one line. The agent is a run like any other: list, logs, stop and wait work on it. " +
      "It is stopped when this process dies.",
    "Ctrl-C stops the agent in its own polite way first; a second one leaves at once, and the agent is stopped all the same.",
  ],
  options: OPTIONS,
  examples: [
    { line: "proctor agent claude --prompt 'fix the tests' --memory 4G", text: "a turn of Claude Code" },
    { line: "proctor agent lines --idle-kill 60s -- ./my-agent --all", text: "any program that prints lines" },
  ],
  exits: [
    { status: "0", text: "the turn completed, or the agent went to the background" },
    { status: "1", text: "the agent left with 0, but its turn failed or has no end" },
    { status: "N", text: "the agent's own exit status (128 + n: killed by signal n)" },
    { status: "124", text: "--timeout, --idle-kill or --watchdog" },
    { status: "130", text: "interrupted by Ctrl-C" },
    REFUSED,
  ],
  load: () => import("./commands/agent.ts"),
};
