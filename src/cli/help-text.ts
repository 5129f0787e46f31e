/** The help, made from the tables: of proctor as a whole, and of one command. */
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { COMMAND_GROUPS } from "./command-table.ts";

/** The widest line of the help: what an 80 column terminal shows. */
const WIDTH = 80;

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Two columns: the left as it is, the right wrapped. A left side that is too long gets a line of its own. */
function columns(rows: readonly (readonly [string, string])[], width: number): string[] {
  return rows.flatMap(([left, right]) => {
    const [first = "", ...rest] = wrap(right, WIDTH - width - 4);
    const pad = " ".repeat(width + 4);
    const head = left.length > width ? [`  ${left}`, `${pad}${first}`] : [`  ${left.padEnd(width)}  ${first}`];
    return [...head, ...rest.map((line) => `${pad}${line}`)];
  });
}

/** An option as the help shows it: `-b, --background`, `    --timeout D`. */
export function optionLabel(option: OptionSpec): string {
  const short = option.short === undefined ? "    " : `-${option.short}, `;
  return `${short}--${option.long}${option.placeholder === undefined ? "" : ` ${option.placeholder}`}`;
}

/** What an option does, with its default. */
export function optionText(option: OptionSpec): string {
  const repeat = option.repeatable === true ? " Repeatable." : "";
  return `${option.text}${repeat}${option.fallback === undefined ? "" : ` Default: ${option.fallback}.`}`;
}

/** The usage line of a command. */
export function usageLine(command: CommandSpec): string {
  const options = command.options.length === 0 ? "" : " [OPTION]...";
  const dashes = command.operandKind === "command" ? " [--]" : "";
  return `proctor ${command.name}${options}${dashes}${command.operands === "" ? "" : ` ${command.operands}`}`;
}

/** The headings of a command's options, in the order of the table. */
export function optionGroups(command: CommandSpec): Map<string, OptionSpec[]> {
  const groups = new Map<string, OptionSpec[]>();
  for (const option of command.options) groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  return groups;
}

/** The help of one command. */
export function commandHelp(command: CommandSpec): string {
  const lines = [`Usage: ${usageLine(command)}`, "", ...wrap(`${command.summary}.`, WIDTH)];
  for (const paragraph of command.about) lines.push("", ...wrap(paragraph, WIDTH));
  for (const [title, options] of optionGroups(command)) {
    lines.push(
      "",
      `${title}:`,
      ...columns(
        options.map((o) => [optionLabel(o), optionText(o)]),
        24,
      ),
    );
  }
  lines.push("", "Examples:");
  for (const { line, text } of command.examples) lines.push(`  ${line}`, `      ${text}`);
  lines.push(
    "",
    "Exit status:",
    ...columns(
      command.exits.map((e) => [e.status, e.text]),
      4,
    ),
  );
  return `${lines.join("\n")}\n`;
}

/** The help of proctor. */
export function globalHelp(version: string): string {
  const lines = [
    `proctor ${version}: supervised command execution`,
    "",
    "Usage: proctor COMMAND [OPTION]... [OPERAND]...",
    "",
    ...wrap(
      "Runs commands so that nothing is lost, nothing is left behind and nothing is wasted: the whole output goes to a log, " +
        "what matters of it is shown, long commands go on in the background, and a stop leaves no process.",
      WIDTH,
    ),
  ];
  for (const { title, commands } of COMMAND_GROUPS) {
    lines.push(
      "",
      `${title}:`,
      ...columns(
        commands.map((c) => [c.name, c.summary]),
        12,
      ),
    );
  }
  lines.push(
    "",
    "Examples:",
    "  proctor run 'npm ci' 'npm test'",
    "      two commands, the second only after the first succeeded",
    "  proctor run -b 'npm run dev'; proctor list",
    "      start a server in the background, see it run",
    "",
    "Exit status:",
    ...columns(
      [
        ["125", "proctor refused or failed, whatever the command; the message is on stderr"],
        ["N", 'of "run": the command\'s own; "proctor COMMAND --help" lists the others'],
      ],
      4,
    ),
    "",
    "Environment:",
    ...columns(
      [
        ["PROCTOR_SESSION_DIR", "the session's directory, where --session is not given"],
        ["PROCTOR_OWNER_PID", "the process whose end ends a session that a call makes"],
        ["NO_COLOR, FORCE_COLOR", "colours never, or always"],
      ],
      24,
    ),
    "",
    'More: "proctor COMMAND --help", "proctor --version".',
  );
  return `${lines.join("\n")}\n`;
}
