/** The completions for fish: one `complete` line per word (complete(1) of fish). */
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { COMMANDS } from "./command-table.ts";
import { IDS_COMMAND, firstWords, groups, secondWords } from "./completion-words.ts";

/** Single quotes of fish know two escapes: the quote and the backslash. */
function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** The condition under which a command's words are offered. */
function condition(command: CommandSpec): string {
  const parts = command.name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
  return fishQuoted(parts.join("; and "));
}

function optionLine(command: CommandSpec, option: OptionSpec): string {
  const short = option.short === undefined ? "" : ` -s ${option.short}`;
  const value = ((): string => {
    switch (option.kind.type) {
      case "flag":
        return "";
      case "file":
        return " -r -F";
      case "directory":
        return " -x -a '(__fish_complete_directories)'";
      case "duration":
        return ` -x${option.kind.words === undefined ? "" : ` -a ${fishQuoted(option.kind.words.join(" "))}`}`;
      case "text":
      case "assignment":
      case "size":
      case "count":
        return " -x";
    }
  })();
  return `complete -c proctor -n ${condition(command)}${short} -l ${option.long}${value} -d ${fishQuoted(option.text)}`;
}

function operandLine(command: CommandSpec): string | null {
  const begin = `complete -c proctor -n ${condition(command)}`;
  switch (command.operandKind) {
    case "run":
      return `${begin} -a '(__proctor_runs)'`;
    case "file":
      return `${begin} -F`;
    case "directory":
      return `${begin} -a '(__fish_complete_directories)'`;
    case "command":
      return `${begin} -a '(__fish_complete_command)'`;
    case "word":
      return `${begin} -a ${fishQuoted((command.words ?? []).join(" "))}`;
    case "none":
      return null;
  }
}

/** The script. */
export function fishCompletion(): string {
  const lines = [
    "# Completions of proctor for fish: proctor completion fish > ~/.config/fish/completions/proctor.fish",
    "function __proctor_runs",
    `  ${IDS_COMMAND}`,
    "end",
    "complete -c proctor -f",
    "complete -c proctor -l help -s h -d 'Show the help'",
    "complete -c proctor -n __fish_use_subcommand -l version -s V -d 'Show the version'",
    ...firstWords().map(
      ({ word, text }) => `complete -c proctor -n __fish_use_subcommand -a ${word} -d ${fishQuoted(text)}`,
    ),
    ...groups().flatMap((group) => {
      const words = secondWords(group);
      const none = words.map((s) => s.word).join(" ");
      return words.map(
        ({ word, command }) =>
          `complete -c proctor -n '__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${none}' -a ${word} -d ${fishQuoted(command.summary)}`,
      );
    }),
    ...COMMANDS.flatMap((command) =>
      [...command.options.map((o) => optionLine(command, o)), operandLine(command)].filter((l) => l !== null),
    ),
  ];
  return `${lines.join("\n")}\n`;
}
