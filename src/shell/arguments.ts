/**
 * Options and operands, as most command lines have them (POSIX 12.2 and GNU long options). A
 * recogniser says which options take a value, so that a value is never mistaken for a subcommand.
 */
import type { ShellWord } from "./script.ts";

/** Whether one of `names` stands among the options: `--watch`, `--watch=1`, `-w`. `--watch=false` and `--no-watch` don't count. */
export function hasOption(args: readonly ShellWord[], names: readonly string[]): boolean {
  for (const arg of args) {
    if (arg === "--") return false;
    if (arg !== null && isOption(arg, names)) return true;
  }
  return false;
}

/** The same where what stands after `--` counts too: the runner passes it on. */
export function hasOptionAnywhere(args: readonly ShellWord[], names: readonly string[]): boolean {
  return args.some((arg) => arg !== null && isOption(arg, names));
}

function isOption(arg: string, names: readonly string[]): boolean {
  if (!arg.startsWith("-")) return false;
  const equals = arg.indexOf("=");
  const name = equals < 0 ? arg : arg.slice(0, equals);
  return names.includes(name) && !/^(?:false|0|no|never)$/.test(equals < 0 ? "" : arg.slice(equals + 1));
}

/** Whether a single letter stands in a cluster of short options: `n` in `-kn`. */
export function hasLetter(args: readonly ShellWord[], letter: string): boolean {
  return args.some((arg) => arg !== null && /^-[A-Za-z]+\0?$/.test(arg) && arg.includes(letter));
}

/** The value of the first of `names`: `--target=x`, `--target x`; null when it is not there or not known. */
export function optionValue(args: readonly ShellWord[], names: readonly string[]): string | null {
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i];
    if (arg === null || arg === undefined) continue;
    if (names.includes(arg)) return args[i + 1] ?? null;
    const equals = arg.indexOf("=");
    if (equals > 0 && names.includes(arg.slice(0, equals))) return arg.slice(equals + 1);
  }
  return null;
}

/** The operands: all that are neither options nor the values of `withValue`. After `--` everything is one. */
export function operands(args: readonly ShellWord[], withValue: readonly string[] = []): ShellWord[] {
  const out: ShellWord[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? null;
    if (arg === "--") return [...out, ...args.slice(i + 1)];
    if (arg === null || !arg.startsWith("-") || arg === "-") out.push(arg);
    else if (withValue.includes(arg)) i += 1;
  }
  return out;
}

/** Where the first operand stands, or -1. */
export function firstOperand(args: readonly ShellWord[], withValue: readonly string[] = []): number {
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? null;
    if (arg === "--") return i + 1 < args.length ? i + 1 : -1;
    if (arg === null || !arg.startsWith("-") || arg === "-") return i;
    if (withValue.includes(arg)) i += 1;
  }
  return -1;
}
