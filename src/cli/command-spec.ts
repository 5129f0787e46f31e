/**
 * What a command of the command line is, as data. One table per command is the only place where its
 * options stand: parsing, `--help`, the completions and the man page are all made from it, so they
 * can't disagree.
 */

/** What kind of value an option takes, and within which bounds. */
export type ValueKind =
  | { readonly type: "flag" }
  | { readonly type: "text" }
  | { readonly type: "file" }
  | { readonly type: "directory" }
  | { readonly type: "assignment" }
  /** Given in seconds or with a unit, kept in milliseconds; `words` are accepted instead of a number. */
  | { readonly type: "duration"; readonly zero?: boolean; readonly words?: readonly string[] }
  /** Given with K, M, G or T, kept in bytes. */
  | { readonly type: "size"; readonly min?: number; readonly max?: number }
  | { readonly type: "count"; readonly min: number; readonly max: number };

/** One option. */
export interface OptionSpec {
  /** Without the dashes. */
  readonly long: string;
  readonly short?: string;
  readonly kind: ValueKind;
  /** What stands for the value in the help; absent for a flag. */
  readonly placeholder?: string;
  readonly repeatable?: boolean;
  /** The heading that the option stands under in the help. */
  readonly group: string;
  /** What it does, with its unit; one or two short sentences. */
  readonly text: string;
  /** What applies when it is not given. */
  readonly fallback?: string;
}

/** What the operands of a command are, for the completions. */
export type OperandKind = "command" | "run" | "file" | "directory" | "word" | "none";

/** One command. */
export interface CommandSpec {
  /** One word, or two for a command of a group ("session end"). */
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** The operands as they stand in the usage line. */
  readonly operands: string;
  readonly operandKind: OperandKind;
  readonly minOperands: number;
  readonly maxOperands: number;
  /** The words that are accepted as the first operand, where only some are. */
  readonly words?: readonly string[];
  /** Paragraphs under the usage line. */
  readonly about: readonly string[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly { readonly line: string; readonly text: string }[];
  readonly exits: readonly { readonly status: string; readonly text: string }[];
  /** Everything after the name belongs to someone else's parser. */
  readonly passThrough?: boolean;
  /** An option behind the first operand is refused: what follows are the operands' own words. */
  readonly optionsFirst?: boolean;
  /** Loads what carries the command out. */
  readonly load: () => Promise<CommandModule>;
}

/** What the module of a command exports. */
export interface CommandModule {
  /** Carries the command out; gives the exit status. */
  execute(args: Arguments): Promise<number>;
}

/** An operand, or an option whose place among the operands counts. */
export interface Operand {
  /** The option's long name; null for an operand. */
  readonly option: string | null;
  readonly value: string;
}

/** What was given on the command line, checked against the table. Names are long names without dashes. */
export interface Arguments {
  readonly command: CommandSpec;
  /** Operands and `ordered` options in the order in which they were given. */
  readonly ordered: readonly Operand[];
  readonly operands: readonly string[];
  has(name: string): boolean;
  /** The last value given, or null. */
  text(name: string): string | null;
  /** All values given, in order. */
  texts(name: string): readonly string[];
  /** The value of a duration (ms), a size (bytes) or a count; null when not given or when a word was. */
  number(name: string): number | null;
}
