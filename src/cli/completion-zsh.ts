/** The completions for zsh: one `_arguments` call per command (zshcompsys(1)). */
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { COMMANDS } from "./command-table.ts";
import { IDS_COMMAND, firstWords, groups, quoted, secondWords } from "./completion-words.ts";

/** Text inside a specification: colons and brackets would end its field. */
function field(text: string): string {
  return text.replace(/[\\:[\]]/g, "\\$&");
}

function valueAction(option: OptionSpec): string {
  const name = field(option.placeholder ?? "value");
  switch (option.kind.type) {
    case "flag":
      return "";
    case "file":
      return `:${name}:_files`;
    case "directory":
      return `:${name}:_files -/`;
    case "duration":
      return `:${name}:${option.kind.words === undefined ? " " : `(${option.kind.words.join(" ")})`}`;
    case "text":
    case "assignment":
    case "size":
    case "count":
      return `:${name}: `;
  }
}

function optionSpec(option: OptionSpec): string {
  const text = `[${field(option.text)}]${valueAction(option)}`;
  const many = option.repeatable === true ? "*" : "";
  const isFlag = option.kind.type === "flag";
  const long = quoted(`${many}--${option.long}${isFlag ? "" : "="}${text}`);
  return option.short === undefined ? long : `${quoted(`${many}-${option.short}${isFlag ? "" : "+"}${text}`)} ${long}`;
}

function operandSpec(command: CommandSpec): string {
  switch (command.operandKind) {
    case "run":
      return "'1:run:_proctor_runs'";
    case "file":
      return "'1:file:_files'";
    case "directory":
      return "'1:directory:_files -/'";
    case "command":
      return "'*:command:_command_names -e'";
    case "word":
      return quoted(`1:${field(command.operands)}:(${(command.words ?? []).join(" ")})`);
    case "none":
      return "";
  }
}

function commandCase(command: CommandSpec): string {
  const specs = [...command.options.map(optionSpec), "'--help[Show the help]'", operandSpec(command)].filter(
    (s) => s !== "",
  );
  return `    ${quoted(command.name)}) _arguments -s ${specs.join(" ")} ;;`;
}

/** The script. */
export function zshCompletion(): string {
  const first = firstWords()
    .map(({ word, text }) => quoted(`${word}:${text}`))
    .join(" ");
  const lines = [
    "#compdef proctor",
    '# Completions of proctor for zsh. In ~/.zshrc, behind compinit: eval "$(proctor completion zsh)"',
    "_proctor_runs() {",
    "  local -a ids",
    `  ids=(\${(f)"$(${IDS_COMMAND})"})`,
    "  compadd -a ids",
    "}",
    "_proctor() {",
    "  local -a commands",
    `  commands=(${first})`,
    "  if (( CURRENT == 2 )); then _describe command commands; return; fi",
    "  local command=${words[2]}",
    "  shift words; (( CURRENT-- ))",
    ...groups().flatMap((group) => [
      `  if [[ $command == ${group} ]]; then`,
      `    if (( CURRENT == 2 )); then compadd ${secondWords(group)
        .map((s) => s.word)
        .join(" ")}; return; fi`,
      '    command="$command ${words[2]}"',
      "    shift words; (( CURRENT-- ))",
      "  fi",
    ]),
    "  case $command in",
    ...COMMANDS.map(commandCase),
    "    help) _describe command commands ;;",
    "  esac",
    "}",
    "compdef _proctor proctor",
  ];
  return `${lines.join("\n")}\n`;
}
