/** The manual page, made from the tables of commands like the help: man/proctor.1 is its output (man(7)). */
import type { CommandSpec } from "./command-spec.ts";
import { COMMANDS } from "./command-table.ts";
import { optionGroups, optionLabel, optionText, usageLine } from "./help-text.ts";

/** Text as roff prints it: a backslash, a hyphen that can be copied, no line that begins like a request. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/gm, "\\&");
}

function tagged(tag: string, text: string): string[] {
  return [".TP", `.B ${roff(tag)}`, roff(text)];
}

function commandSection(command: CommandSpec): string[] {
  const lines = [`.SS ${roff(usageLine(command))}`, roff(`${command.summary}.`)];
  for (const paragraph of command.about) lines.push(".PP", roff(paragraph));
  for (const [title, options] of optionGroups(command)) {
    lines.push(".PP", `.I ${roff(title)}`);
    for (const option of options) lines.push(...tagged(optionLabel(option).trim(), optionText(option)));
  }
  lines.push(".PP", ".I Examples");
  for (const { line, text } of command.examples) lines.push(...tagged(line, text));
  lines.push(".PP", ".I Exit status");
  for (const { status, text } of command.exits) lines.push(...tagged(status, text));
  return lines;
}

/** The page in roff. */
export function manPage(version: string): string {
  const lines = [
    `.TH PROCTOR 1 "" "proctor ${roff(version)}" "User Commands"`,
    ".SH NAME",
    "proctor \\- supervised command execution",
    ".SH SYNOPSIS",
    ".B proctor",
    ".I COMMAND",
    "[\\fIOPTION\\fR]... [\\fIOPERAND\\fR]...",
    ".SH DESCRIPTION",
    roff(
      "Runs commands so that nothing is lost, nothing is left behind and nothing is wasted: the whole output goes to a log, what matters of it is shown, long commands go on in the background, and a stop leaves no process.",
    ),
    ".SH COMMANDS",
    ...COMMANDS.flatMap(commandSection),
    ".SH ENVIRONMENT",
    ...tagged("PROCTOR_SESSION_DIR", "The session's directory, where --session is not given."),
    ...tagged("PROCTOR_OWNER_PID", "The process whose end ends a session that a call makes."),
    ...tagged(
      "PROCTOR_ENV_DENY",
      "Names of variables that are withheld from commands, with * for anything, separated by commas; replaces the built-in list.",
    ),
    ...tagged("PROCTOR_SHELL", "The bash that runs the commands."),
    ...tagged(
      "PROCTOR_TERMINAL",
      "Which multiplexer shows interactive runs: rmux, tmux, or built-in for none. Otherwise the first of them that works.",
    ),
    ...tagged("NO_COLOR, FORCE_COLOR", "Colours never, or always."),
  ];
  return `${lines.join("\n")}\n`;
}
