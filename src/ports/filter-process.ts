/**
 * The seam for a helper program that shortens the output of known tools. It is optional, it may be
 * another program of the same name, and it may fail in every way a program can; none of that may
 * cost a run more than the helper's own time limit.
 */
import type { FilterName } from "../model/index.ts";

/** What one call of the helper came to. */
export type FilterOutcome =
  | { readonly kind: "filtered"; readonly output: Uint8Array }
  /** There is no such program: the ordinary case, since the helper is optional. */
  | { readonly kind: "absent" }
  /** There is one of this name, but another one, or one too old. */
  | { readonly kind: "unsuitable"; readonly why: string }
  /** It ran and failed: a status that is not 0, a signal, its time limit, more output than is read. */
  | { readonly kind: "failed"; readonly why: string }
  /** The system could not start it though it is there (EACCES, ENOEXEC, EAGAIN …). */
  | { readonly kind: "spawn-failed"; readonly why: string };

/** A helper program. */
export interface FilterProcess {
  /** For people: "rtk". */
  readonly name: string;
  /** Gives `input` to the filter and waits for its output; never rejects. */
  filter(filter: FilterName, input: Uint8Array): Promise<FilterOutcome>;
}
