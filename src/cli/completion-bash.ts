/** The completions for bash, 3.2 or newer: macOS still ships 3.2. */
import type { CommandSpec } from "./command-spec.ts";
import { COMMANDS } from "./command-table.ts";
import { IDS_COMMAND, firstWords, groups, optionWords, secondWords } from "./completion-words.ts";

/** What completes the value of an option, by the option as it is typed. */
function valueCases(command: CommandSpec): string[] {
  const byAction = new Map<string, string[]>();
  for (const option of command.options) {
    const { kind } = option;
    if (kind.type === "flag") continue;
    const action =
      kind.type === "file"
        ? 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"))'
        : kind.type === "directory"
          ? 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur"))'
          : kind.type === "duration" && kind.words !== undefined
            ? `COMPREPLY=($(compgen -W '${kind.words.join(" ")}' -- "$cur"))`
            : "COMPREPLY=()";
    byAction.set(action, [...(byAction.get(action) ?? []), ...optionWords(option)]);
  }
  return [...byAction].map(([action, words]) => `        ${words.join("|")}) ${action}; return ;;`);
}

function operandAction(command: CommandSpec): string {
  switch (command.operandKind) {
    case "run":
      return `COMPREPLY=($(compgen -W "$(${IDS_COMMAND})" -- "$cur"))`;
    case "file":
      return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"))';
    case "directory":
      return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur"))';
    case "command":
      return 'COMPREPLY=($(compgen -c -- "$cur"))';
    case "word":
      return `COMPREPLY=($(compgen -W '${(command.words ?? []).join(" ")}' -- "$cur"))`;
    case "none":
      return "COMPREPLY=()";
  }
}

function commandCase(command: CommandSpec): string[] {
  const options = [...command.options.map((o) => `--${o.long}`), "--help"].join(" ");
  const values = valueCases(command);
  return [
    `    '${command.name}')`,
    ...(values.length === 0 ? [] : ['      case "$prev" in', ...values, "      esac"]),
    `      case "$cur" in -*) COMPREPLY=($(compgen -W '${options}' -- "$cur")); return ;; esac`,
    `      ${operandAction(command)} ;;`,
  ];
}

/** The script. */
export function bashCompletion(): string {
  const first = firstWords()
    .map(({ word }) => word)
    .join(" ");
  const lines = [
    '# Completions of proctor for bash. In ~/.bashrc: eval "$(proctor completion bash)"',
    "_proctor() {",
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"',
    "  COMPREPLY=()",
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W '${first} --help --version' -- "$cur")); return`,
    "  fi",
    ...groups().flatMap((group) => [
      `  if [ "$command" = '${group}' ]; then`,
      `    if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W '${secondWords(group)
        .map((s) => s.word)
        .join(" ")}' -- "$cur")); return; fi`,
      '    command="$command ${COMP_WORDS[2]}"',
      "  fi",
    ]),
    '  case "$command" in',
    ...COMMANDS.flatMap(commandCase),
    `    help) COMPREPLY=($(compgen -W '${first}' -- "$cur")) ;;`,
    "  esac",
    "}",
    "complete -F _proctor proctor",
  ];
  return `${lines.join("\n")}\n`;
}
