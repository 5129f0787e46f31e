/**
 * What a command line runs: its simple commands, found by a shell parser (unbash), with the place of
 * each (in a loop, in the background, in a substitution). Functions that are only defined run nothing.
 *
 * A word is a string only when the shell would take exactly that string; with an expansion in it, it
 * is null, and no recogniser may guess what it holds.
 */
import type { Command, ParsedScript, Redirection, SyntaxNode, Word, WordPart } from "unbash";

/**
 * A word of a command: its text, or null when it depends on an expansion. Of an option or assignment
 * whose value alone is an expansion (`-j$(nproc)`, `CC=$X`) the name is kept, with UNKNOWN_VALUE behind it.
 */
export type ShellWord = string | null;

/** Stands for the unknown end of a word. No word of a command line holds a NUL. */
const UNKNOWN_VALUE = "\0";

/** One simple command of a script. */
export interface SimpleCommand {
  /** Name and arguments. */
  readonly words: readonly ShellWord[];
  /** Assignments before the name: `CI=1` gives ["CI", "1"]. */
  readonly assignments: readonly (readonly [string, ShellWord])[];
  /** Inside `while`, `until` or `select`: how often it runs is not known. */
  readonly inLoop: boolean;
  /** Behind it, or behind something around it, stands `&`: the script goes on, and may end, before it. */
  readonly inBackground: boolean;
}

/** A script, read. */
export interface ShellScript {
  readonly commands: readonly SimpleCommand[];
  /** The only command, when the whole script is one simple command in the foreground without redirections, expansions or assignments. */
  readonly single: readonly string[] | null;
}

/** A text longer than this is no command line that somebody typed; it is not looked into. */
const MAX_LENGTH = 65_536;
/** A syntax tree that is deeper is no command line either. */
const MAX_DEPTH = 400;

/** Reads a script; null when it is not one that bash would run, or too long. */
export async function readScript(text: string): Promise<ShellScript | null> {
  if (text.length > MAX_LENGTH || text.includes("\0")) return null;
  const { forEachChild, parse } = await import("unbash");
  const commands: SimpleCommand[] = [];
  let isBroken = false;

  const visit = (node: SyntaxNode, place: Place, depth: number): void => {
    if (depth > MAX_DEPTH) {
      isBroken = true;
      return;
    }
    if (node.type === "Function") return;
    if (node.type === "Script" && hasErrors(node)) isBroken = true;
    if (node.type === "Command") commands.push(simpleCommand(node, place));
    const inner: Place = {
      inLoop: place.inLoop || node.type === "While" || node.type === "Select",
      inBackground: place.inBackground || (node.type === "Statement" && node.background === true),
    };
    forEachChild(node, (child) => visit(child, inner, depth + 1));
  };
  const script = parse(text);
  visit(script, FOREGROUND, 0);
  return isBroken ? null : { commands, single: singleCommand(script) };
}

function hasErrors(node: SyntaxNode & { readonly errors?: readonly unknown[] | undefined }): boolean {
  return (node.errors?.length ?? 0) > 0;
}

type Place = Pick<SimpleCommand, "inLoop" | "inBackground">;

const FOREGROUND: Place = { inLoop: false, inBackground: false };

function simpleCommand(node: Command, place: Place): SimpleCommand {
  const words: ShellWord[] = node.name === undefined ? [] : [literal(node.name)];
  for (const part of node.args) words.push(part.type === "Word" ? (literal(part) ?? beginning(part)) : null);
  const assignments = node.prefix.flatMap((part): [string, ShellWord][] =>
    part.type === "Assignment" ? [[part.name, part.value.type === "Word" ? literal(part.value) : null]] : [],
  );
  return { words, assignments, ...place };
}

/** The text that a shell is told to run by `-c`, when `words` are such a command and it is known. */
export function shellText(words: readonly ShellWord[]): string | null {
  const name = (words[0] ?? "").replace(/^.*\//, "");
  if (!/^(?:ba|da|z|k)?sh$/.test(name)) return null;
  const at = words.findIndex((word, i) => i > 0 && word !== null && /^-[a-z]*c$/.test(word));
  return at < 0 ? null : (words[at + 1] ?? null);
}

function singleCommand(script: ParsedScript): readonly string[] | null {
  const [statement] = script.commands;
  if (script.commands.length !== 1 || statement === undefined || statement.background === true) return null;
  const node = statement.command;
  if (node.type !== "Command" || node.name === undefined || node.prefix.length > 0) return null;
  if (node.suffix.some((part: Word | Redirection | { type: "Assignment" }) => part.type !== "Word")) return null;
  const words = simpleCommand(node, FOREGROUND).words;
  return words.every((word): word is string => word !== null && !word.endsWith(UNKNOWN_VALUE)) ? words : null;
}

/** The string that a word stands for, or null. A glob that matches nothing stands for itself, so it counts as text. */
function literal(word: Word): ShellWord {
  return (word.parts ?? []).every(isLiteral) ? word.value : null;
}

/** The name of an option or assignment before an expansion: two characters at least, so that `-$X` stays unknown. */
function beginning(word: Word): ShellWord {
  const [first] = word.parts ?? [];
  if (first?.type !== "Literal") return null;
  return /^(?:-[A-Za-z]+$|--[\w-]+=|[A-Za-z_]\w*=)/.test(first.value) ? `${first.value}${UNKNOWN_VALUE}` : null;
}

function isLiteral(part: WordPart): boolean {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "Glob":
      return true;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.every(isLiteral);
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
    case "ExtendedGlob":
    case "BraceExpansion":
      return false;
    default:
      return part satisfies never;
  }
}
