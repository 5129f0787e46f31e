/** Commands for interactive runs: the tables of `input` and `attach`. */
import type { CommandSpec } from "./command-spec.ts";
import { DONE, REFUSED, SESSION_OPTION, jsonOption } from "./shared-options.ts";

const TYPING = "Typing (in this order)";
const JOINING = "Joining";

/** Types into a run. */
export const INPUT: CommandSpec = {
  name: "input",
  summary: "Type into an interactive run",
  operands: "ID",
  operandKind: "run",
  minOperands: 1,
  maxOperands: 1,
  about: [
    "ID is the run or, of a sequence, its last stage, as run --interactive has named it.",
    "A newline in a text is the Enter key. Several lines go out as one paste where the program has asked to be told of pastes (bracketed paste).",
    "What is typed into a run that has ended is not written, which is no error.",
  ],
  options: [
    { long: "text", kind: { type: "text" }, placeholder: "TEXT", group: TYPING, text: "Type this text." },
    {
      long: "file",
      short: "f",
      kind: { type: "file" },
      placeholder: "FILE",
      group: TYPING,
      text: "Type the text in FILE (-: standard input), of any length.",
    },
    {
      long: "enter",
      kind: { type: "flag" },
      group: TYPING,
      text: "Then press Enter (a carriage return, as the key sends it).",
    },
    {
      long: "key",
      kind: { type: "text" },
      placeholder: "NAME",
      repeatable: true,
      group: TYPING,
      text: "Then press a key: Enter, Escape, Tab, Up, PageDown, F5, C-c or ctrl-c, M-x or alt-x ...",
    },
    { long: "eof", kind: { type: "flag" }, group: TYPING, text: "Then end the input (Ctrl-D)." },
    SESSION_OPTION,
    jsonOption("how much was written, and the run"),
  ],
  examples: [
    { line: "proctor input 4kz7 --text yes --enter", text: "answers a question" },
    { line: "proctor input 4kz7 --key C-c", text: "interrupts what runs in the terminal" },
  ],
  exits: [DONE, REFUSED],
  load: () => import("./commands/input.ts"),
};

/** Joins a run. */
export const ATTACH: CommandSpec = {
  name: "attach",
  summary: "Join an interactive run from this terminal",
  operands: "ID",
  operandKind: "run",
  minOperands: 1,
  maxOperands: 1,
  about: [
    "Shows what the run's terminal shows, and types what you type. Ctrl-] detaches: the run goes on. Several may join at once; the terminal has the size of the one who joined or was resized last.",
    "Your own terminal is as it was before, whatever happens.",
  ],
  options: [
    {
      long: "read-only",
      kind: { type: "flag" },
      group: JOINING,
      text: "Only look: nothing is typed, the size stays as it is. Ctrl-] or Ctrl-C detaches.",
    },
    {
      long: "keep-attached",
      kind: { type: "flag" },
      group: JOINING,
      text: "Ctrl-] is typed like any other key: for a pane that shows the run until its end.",
    },
    SESSION_OPTION,
  ],
  examples: [
    { line: "proctor attach 4kz7", text: "look in and type" },
    { line: "proctor attach 4kz7 --read-only", text: "look in" },
  ],
  exits: [{ status: "0", text: "detached, or the run has ended" }, REFUSED],
  load: () => import("./commands/attach.ts"),
};
