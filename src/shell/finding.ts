/** What a recogniser says of one simple command. */
import type { ShellWord } from "./script.ts";

/** Heavy, or why it is not; `runs` is a command that it runs in its place (`time make` runs `make`). */
export type Finding =
  | { readonly kind: "heavy"; readonly why: string }
  /** It waits for a person, serves, or watches: it does not end by itself. */
  | { readonly kind: "waits"; readonly why: string }
  /** Known, and it passes by: it inspects, installs, formats, cleans. */
  | { readonly kind: "light"; readonly why: string }
  | { readonly kind: "runs"; readonly words: readonly ShellWord[] }
  | { readonly kind: "unknown" };

/** Looks at the arguments of a command whose name it stands for. */
export type Recogniser = (args: readonly ShellWord[], name: string) => Finding;

export const UNKNOWN: Finding = { kind: "unknown" };

export function heavy(why: string): Finding {
  return { kind: "heavy", why };
}

export function waits(why: string): Finding {
  return { kind: "waits", why };
}

export function light(why: string): Finding {
  return { kind: "light", why };
}

export function runs(words: readonly ShellWord[]): Finding {
  return words.length === 0 ? UNKNOWN : { kind: "runs", words };
}
