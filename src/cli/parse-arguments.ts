/**
 * Reads a command's arguments by its table. `parseArgs` of node:util splits them; what is accepted is
 * decided here, on its tokens, so that every refusal can name the option, the value and what is accepted.
 * A value is never coerced: text stays text, and numbers are read by the kind that the table gives.
 */
import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";
import { ProctorError, nearest, parseCount, parseDuration, parseSize } from "../model/index.ts";
import type { Arguments, CommandSpec, Operand, OptionSpec } from "./command-spec.ts";

function usage(message: string, details: Record<string, string> = {}): ProctorError {
  return new ProctorError("ERR_INPUT_USAGE", message, { details });
}

/** The last sentence of a usage error: where to look. */
function seeHelp(spec: CommandSpec): string {
  return `See "proctor ${spec.name} --help".`;
}

/** An option as it is typed. */
function typed(option: OptionSpec): string {
  return `--${option.long}`;
}

function unknownOption(spec: CommandSpec, rawName: string): ProctorError {
  const name = rawName.replace(/^-+/, "");
  const match = nearest(name, [...spec.options.map((o) => o.long), "help"]);
  const meant = match === null || name.length < 2 ? "" : ` Did you mean --${match}?`;
  const dashed = spec.operandKind === "command" ? ` A command that begins with "-" needs "--" before it.` : "";
  return usage(`${spec.name}: there is no option ${rawName}.${meant}${dashed} ${seeHelp(spec)}`, { option: rawName });
}

/** Reads a value by its kind; null for one that is no number. */
function numberOf(option: OptionSpec, value: string): number | null {
  const { kind } = option;
  switch (kind.type) {
    case "duration":
      if (kind.words?.includes(value) === true) return null;
      try {
        return parseDuration(value, typed(option), kind.zero === true ? { zero: true } : {});
      } catch (error) {
        if (!(error instanceof ProctorError) || kind.words === undefined) throw error;
        throw new ProctorError(error.code, `${error.message} Or: ${kind.words.join(", ")}.`, {
          cause: error,
          details: error.details,
        });
      }
    case "size":
      return parseSize(value, typed(option), {
        ...(kind.min === undefined ? {} : { min: kind.min }),
        ...(kind.max === undefined ? {} : { max: kind.max }),
      });
    case "count":
      return parseCount(value, typed(option), kind);
    case "file":
    case "directory":
      if (value === "")
        throw usage(`${typed(option)}: "" can't be used. Accepted: the path of a ${kind.type}.`, {
          option: typed(option),
          value,
        });
      return null;
    case "text":
    case "assignment":
    case "flag":
      return null;
  }
}

function parserOptions(spec: CommandSpec): NonNullable<ParseArgsConfig["options"]> {
  return Object.fromEntries(
    spec.options.map((o) => [
      o.long,
      {
        type: o.kind.type === "flag" ? ("boolean" as const) : ("string" as const),
        multiple: true,
        ...(o.short === undefined ? {} : { short: o.short }),
      },
    ]),
  );
}

/**
 * Reads `argv`, what follows the command's name.
 *
 * @throws ProctorError `ERR_INPUT_USAGE`, or the code of the kind of value that can't be used.
 */
export function parseArguments(spec: CommandSpec, argv: readonly string[]): Arguments {
  if (spec.passThrough === true)
    return new GivenArguments(
      spec,
      argv.map((value) => ({ option: null, value })),
      new Map(),
      new Map(),
    );
  const byName = new Map(spec.options.map((o) => [o.long, o]));
  const { tokens } = parseArgs({
    args: [...argv],
    options: parserOptions(spec),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const texts = new Map<string, string[]>();
  const numbers = new Map<string, number | null>();
  const ordered: Operand[] = [];
  let isTerminated = false;
  for (const token of tokens) {
    switch (token.kind) {
      case "option-terminator":
        isTerminated = true;
        break;
      case "positional":
        ordered.push({ option: null, value: token.value });
        break;
      case "option": {
        const option = byName.get(token.name);
        // As it was typed: of "-la" the parser makes two.
        const word = argv[token.index] ?? token.rawName;
        if (option === undefined) throw behindOperand(spec, ordered, word) ?? unknownOption(spec, token.rawName);
        const value = valueOf(spec, option, token.value, token.inlineValue === true);
        const isOrdered = option.long === ORDERED_OPTION && spec.operandKind === "command";
        if (!isOrdered) {
          const misplaced = behindOperand(spec, ordered, word);
          if (misplaced !== null) throw misplaced;
        } else ordered.push({ option: option.long, value });
        const given = texts.get(option.long) ?? [];
        if (given.length > 0 && option.repeatable !== true && option.kind.type !== "flag") {
          throw usage(
            `${typed(option)} was given twice ("${given[0] ?? ""}" and "${value}"). Accepted: once. ${seeHelp(spec)}`,
            { option: typed(option), value },
          );
        }
        texts.set(option.long, [...given, value]);
        if (option.kind.type !== "flag") numbers.set(option.long, numberOf(option, value));
        break;
      }
    }
  }
  checkOperands(spec, ordered, isTerminated);
  return new GivenArguments(spec, ordered, texts, numbers);
}

/** The option whose place among the commands counts. */
const ORDERED_OPTION = "file";

/** The refusal of an option that stands behind the first command, where it could be a word of the command. */
function behindOperand(spec: CommandSpec, ordered: readonly Operand[], rawName: string): ProctorError | null {
  const first = ordered.find((o) => o.option === null);
  if (spec.optionsFirst !== true || first === undefined) return null;
  return usage(
    `${rawName} stands behind the command "${first.value}". Options stand before the commands, and each command is one string: ` +
      `quote it as a whole ('${first.value} ${rawName}'), or move ${rawName} to the front.`,
    { option: rawName },
  );
}

function valueOf(spec: CommandSpec, option: OptionSpec, value: string | undefined, isInline: boolean): string {
  if (option.kind.type === "flag") {
    if (value !== undefined)
      throw usage(`${typed(option)} takes no value, but "${value}" was given. ${seeHelp(spec)}`, {
        option: typed(option),
        value,
      });
    return "";
  }
  const accepted = option.placeholder ?? "a value";
  if (value === undefined)
    throw usage(`${typed(option)} needs a value: ${typed(option)} ${accepted}. ${seeHelp(spec)}`, {
      option: typed(option),
    });
  // "--name --json": the value was forgotten far more often than it was meant.
  if (!isInline && /^--?[a-z]/.test(value)) {
    throw usage(
      `${typed(option)} needs a value, but the option ${value} follows. Write ${typed(option)}=${value} if that is the value.`,
      {
        option: typed(option),
        value,
      },
    );
  }
  return value;
}

function checkOperands(spec: CommandSpec, ordered: readonly Operand[], isTerminated: boolean): void {
  const count = ordered.length;
  if (count < spec.minOperands) {
    const what = spec.operandKind === "command" ? "a command is missing" : `${spec.operands} is missing`;
    const quoted = spec.operandKind === "command" && !isTerminated ? ` Example: proctor ${spec.name} 'npm test'.` : "";
    throw usage(`${spec.name}: ${what}.${quoted} ${seeHelp(spec)}`);
  }
  if (count > spec.maxOperands) {
    const extra = ordered[spec.maxOperands]?.value ?? "";
    const accepted = spec.maxOperands === 0 ? "no operand" : spec.operands;
    throw usage(`${spec.name}: "${extra}" is one operand too many. Accepted: ${accepted}. ${seeHelp(spec)}`, {
      value: extra,
    });
  }
  if (spec.words === undefined) return;
  // Only the first: what follows are somebody else's arguments.
  for (const { value } of ordered.slice(0, 1)) {
    if (spec.words.includes(value)) continue;
    const match = nearest(value, spec.words);
    throw usage(
      `${spec.name}: "${value}" can't be used. Accepted: ${spec.words.join(", ")}.${match === null ? "" : ` Did you mean ${match}?`}`,
      { value },
    );
  }
}

class GivenArguments implements Arguments {
  readonly command: CommandSpec;
  readonly ordered: readonly Operand[];
  readonly #texts: ReadonlyMap<string, readonly string[]>;
  readonly #numbers: ReadonlyMap<string, number | null>;

  constructor(
    command: CommandSpec,
    ordered: readonly Operand[],
    texts: ReadonlyMap<string, readonly string[]>,
    numbers: ReadonlyMap<string, number | null>,
  ) {
    this.command = command;
    this.ordered = ordered;
    this.#texts = texts;
    this.#numbers = numbers;
  }

  get operands(): readonly string[] {
    return this.ordered.filter((o) => o.option === null).map((o) => o.value);
  }

  has(name: string): boolean {
    return this.#texts.has(name);
  }

  text(name: string): string | null {
    return this.#texts.get(name)?.at(-1) ?? null;
  }

  texts(name: string): readonly string[] {
    return this.#texts.get(name) ?? [];
  }

  number(name: string): number | null {
    return this.#numbers.get(name) ?? null;
  }
}
