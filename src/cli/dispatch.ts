/** Finds the command that is meant, answers what needs no command, and tells failures. */
import { ProctorError, nearest } from "../model/index.ts";
import type { CommandSpec } from "./command-spec.ts";
import { COMMANDS, findCommand } from "./command-table.ts";
import { EXIT_REFUSED, asksForJson, reportFailure } from "./failure.ts";
import { parseArguments } from "./parse-arguments.ts";
import { writeError, writeOut } from "./standard-output.ts";

/** Carries out a command line, less the program's name; gives the exit status. */
export async function dispatch(argv: readonly string[], version: () => string): Promise<number> {
  try {
    return await carryOut(argv, version);
  } catch (error) {
    return reportFailure(error, asksForJson(argv));
  }
}

async function carryOut(argv: readonly string[], version: () => string): Promise<number> {
  const [first] = argv;
  if (first === undefined) {
    const { globalHelp } = await import("./help-text.ts");
    await writeError(globalHelp(version()));
    return EXIT_REFUSED;
  }
  if (first === "--help" || first === "-h" || first === "help")
    return help(first === "help" ? argv.slice(1) : [], version);
  if (groupOf(first).length > 0 && (argv[1] === "--help" || argv[1] === "-h")) return help([first], version);
  const words = wordsFirst(argv);
  const found = findCommand(words);
  if (found === null) throw unknownCommand(words);
  const rest = words.slice(found.length);
  if (asksForHelp(found.command, rest)) return help(words.slice(0, found.length), version);
  const args = parseArguments(found.command, rest);
  const module = await found.command.load();
  return module.execute(args);
}

/** The commands of two words that begin with this one. */
function groupOf(first: string): readonly CommandSpec[] {
  return COMMANDS.filter((command) => command.name.startsWith(`${first} `));
}

/** `session --json end` is `session end --json`: a flag may stand between the two words of a command. */
function wordsFirst(argv: readonly string[]): readonly string[] {
  const [first = "", ...rest] = argv;
  if (groupOf(first).length === 0) return argv;
  const at = rest.findIndex((word) => !word.startsWith("-"));
  return at <= 0 ? argv : [first, rest[at] ?? "", ...rest.slice(0, at), ...rest.slice(at + 1)];
}

async function help(words: readonly string[], version: () => string): Promise<number> {
  const { commandHelp, globalHelp } = await import("./help-text.ts");
  if (words.length === 0) {
    await writeOut(globalHelp(version()));
    return 0;
  }
  const found = findCommand(words);
  const group = groupOf(words[0] ?? "");
  if (found !== null) await writeOut(commandHelp(found.command));
  else if (words.length === 1 && group.length > 0) await writeOut(group.map((one) => commandHelp(one)).join("\n"));
  else throw unknownCommand(words);
  return 0;
}

/** Whether the arguments ask for help: before `--` and, where options come first, before the first operand. */
function asksForHelp(command: CommandSpec, argv: readonly string[]): boolean {
  const valued = new Set<string>();
  for (const option of command.options) {
    if (option.kind.type === "flag") continue;
    valued.add(`--${option.long}`);
    if (option.short !== undefined) valued.add(`-${option.short}`);
  }
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--") return false;
    if (word === "--help" || word === "-h") return true;
    if (valued.has(word)) i++;
    else if (!word.startsWith("-") && command.optionsFirst === true) return false;
  }
  return false;
}

function unknownCommand(words: readonly string[]): ProctorError {
  const [first = "", second] = words;
  const given = first === "session" && second !== undefined ? `${first} ${second}` : first;
  if (first.startsWith("-")) {
    return new ProctorError(
      "ERR_INPUT_USAGE",
      `There is no option ${first}; options stand behind a command. See "proctor --help".`,
      { details: { option: first } },
    );
  }
  const match =
    first === "session"
      ? "session end"
      : nearest(
          first,
          COMMANDS.map((c) => c.name),
        );
  const meant = match === null ? ` To run a command: proctor run '${given}'.` : ` Did you mean "proctor ${match}"?`;
  return new ProctorError("ERR_INPUT_USAGE", `There is no command "${given}".${meant} See "proctor --help".`, {
    details: { command: given },
  });
}
