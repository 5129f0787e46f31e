/** The tables of `trust` and `untrust`: whether a project's settings count. */
import type { CommandSpec } from "./command-spec.ts";
import { DONE, REFUSED, jsonOption } from "./shared-options.ts";

const NEAREST = "Without FILE the nearest .proctor.json is meant: here or above, up to the repository's root.";

/** Trusts a project's settings. */
export const TRUST: CommandSpec = {
  name: "trust",
  summary: "Let a project's .proctor.json count, with the content it has now",
  operands: "[FILE]",
  operandKind: "file",
  minOperands: 0,
  maxOperands: 1,
  about: [
    `A project's settings count once you trust them, and no longer when their file changes. ${NEAREST}`,
    "Shows what the file says. It can set how much of a log is shown, which lines matter, how long a command stays in the foreground and how large a log may become; it can't run anything.",
  ],
  options: [
    {
      long: "list",
      kind: { type: "flag" },
      group: "Listing",
      text: "List the files that are trusted, and change nothing.",
    },
    jsonOption("the file that is trusted; with --list all of them"),
  ],
  examples: [
    { line: "proctor trust", text: "the settings of the project that you are in" },
    { line: "proctor trust --list", text: "what is trusted, and what has changed since" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/trust.ts"),
};

/** Trusts a project's settings no longer. */
export const UNTRUST: CommandSpec = {
  name: "untrust",
  summary: "Let a project's .proctor.json no longer count",
  operands: "[FILE]",
  operandKind: "file",
  minOperands: 0,
  maxOperands: 1,
  about: [`${NEAREST} FILE need not exist any more.`],
  options: [jsonOption("the file, and whether it was trusted")],
  examples: [
    { line: "proctor untrust", text: "the settings of the project that you are in" },
    { line: "proctor untrust ~/old/.proctor.json", text: "those of another one" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/untrust.ts"),
};
