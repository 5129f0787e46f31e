/** Options of whatever runs something: what it may use, what it may touch, what it reads. */
import type { OptionSpec } from "./command-spec.ts";

/** Bytes. */
export const KIB = 1024;
const MIB: number = 1024 ** 2;
/** Bytes. */
export const TIB: number = 1024 ** 4;
/** Above what any kernel allows by default (fs.nr_open, kernel.pid_max): a larger number can't be meant. */
const MAX_COUNT = 4_194_304;

/** The limits on resources. */
export function resourceOptions(group: string): readonly OptionSpec[] {
  return [
    {
      long: "memory",
      kind: { type: "size", min: MIB, max: TIB },
      placeholder: "S",
      group,
      text: "Memory of all processes together.",
    },
    {
      long: "cpu-time",
      kind: { type: "duration" },
      placeholder: "D",
      group,
      text: "CPU time of all processes together.",
    },
    {
      long: "open-files",
      kind: { type: "count", min: 1, max: MAX_COUNT },
      placeholder: "N",
      group,
      text: "Open files of each process.",
    },
    {
      long: "processes",
      kind: { type: "count", min: 1, max: MAX_COUNT },
      placeholder: "N",
      group,
      text: "Processes.",
    },
    {
      long: "file-size",
      kind: { type: "size", min: 1, max: TIB },
      placeholder: "S",
      group,
      text: "Size of a file that is written.",
    },
  ];
}

/** `--sandbox PROFILE`. */
export function sandboxOption(group: string): OptionSpec {
  return {
    long: "sandbox",
    kind: { type: "text" },
    placeholder: "PROFILE",
    group,
    text: "read-only, workspace-write (both without network; +network opens it), or a profile file. What can't be enforced is not run.",
  };
}

/** `--stdin FILE`; `whoReads`: "the commands read". */
export function stdinOption(whoReads: string, group: string): OptionSpec {
  return {
    long: "stdin",
    kind: { type: "file" },
    placeholder: "FILE",
    group,
    text: `What ${whoReads} as standard input.`,
    fallback: "/dev/null",
  };
}
