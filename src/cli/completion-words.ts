/** What the completions of every shell share: which words may follow, and how ids are asked for. */
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { COMMANDS } from "./command-table.ts";

/**
 * The shell command that prints the ids of the session's runs, one a line: the first column of the table,
 * without its head. It takes no option of the command line that is being completed, and is quiet when it fails.
 */
export const IDS_COMMAND = "proctor list 2>/dev/null | sed -n 's/^\\([a-z0-9][a-z0-9-]*\\) .*/\\1/p'";

/** The first words of commands, each once, with what they do. */
export function firstWords(): { readonly word: string; readonly text: string }[] {
  const words = new Map<string, string>();
  for (const { name, summary } of COMMANDS) {
    const [word = ""] = name.split(" ");
    words.set(word, name === word ? summary : "Work on a session");
  }
  words.set("help", "Show the help of a command");
  return [...words].map(([word, text]) => ({ word, text }));
}

/** The second words of a group of commands ("session"). */
export function secondWords(first: string): { readonly word: string; readonly command: CommandSpec }[] {
  return COMMANDS.flatMap((command) => {
    const [group, word] = command.name.split(" ");
    return group === first && word !== undefined ? [{ word, command }] : [];
  });
}

/** The groups of commands. */
export function groups(): string[] {
  return [...new Set(COMMANDS.filter((c) => c.name.includes(" ")).map((c) => c.name.split(" ")[0] ?? ""))];
}

/** An option as it is typed, in both forms. */
export function optionWords(option: OptionSpec): string[] {
  return [...(option.short === undefined ? [] : [`-${option.short}`]), `--${option.long}`];
}

/** A text inside single quotes of a POSIX shell, of fish too where it holds no backslash before a quote. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
