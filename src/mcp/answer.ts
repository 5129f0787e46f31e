/**
 * What a tool answers, and how it becomes a result: one text for the model; the document of the same call in
 * `_meta`, where programs find it and models don't pay for it.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ProctorError, RunView, StopReport } from "../model/index.ts";
import { plainText } from "../text/index.ts";

/** The document of a call, under the key that programs look for. */
export type Document =
  | { readonly key: "proctor/run"; readonly value: object }
  | { readonly key: "proctor/runs"; readonly field: "runs" | "stopped"; readonly value: readonly object[] };

/** What a tool answers. */
export interface Answer {
  /** For the model. */
  readonly text: string;
  /** proctor refused, failed, or ended the run itself. */
  readonly isError: boolean;
  readonly document: Document;
}

/** No answer's text is longer, in UTF-16 units; every part of one has a tighter bound of its own. */
const MAX_TEXT = 128 * 1024;
/** Longer commands are cut in documents: a client may refuse messages of 10 MiB. */
const MAX_COMMAND = 16 * 1024;
/** A list's documents are no longer than this together, in UTF-16 units; the oldest are left out first. */
const MAX_LIST = 4 * 1024 * 1024;

function cut(command: string): string {
  return command.length <= MAX_COMMAND
    ? command
    : `${command.slice(0, MAX_COMMAND).toWellFormed()}… (${command.length} characters in all)`;
}

/** The same view with commands that a message can carry. */
export function carriable<T extends RunView>(view: T): T {
  return {
    ...view,
    command: cut(view.command),
    ...(view.commands === undefined ? {} : { commands: view.commands.map(cut) }),
    ...(view.stages === undefined ? {} : { stages: view.stages.map(carriable) }),
  };
}

/** A stop's report with commands that a message can carry. */
export function carriableStop(report: StopReport): StopReport {
  return { ...report, run: carriable(report.run) };
}

/** The last documents of a list that a message can carry together. */
function carriableList(list: readonly object[]): readonly object[] {
  let size = 0;
  let first = list.length;
  while (first > 0) {
    size += JSON.stringify(list[first - 1]).length;
    if (size > MAX_LIST && first < list.length) break;
    first -= 1;
  }
  return list.slice(first);
}

function textBlock(text: string): { type: "text"; text: string } {
  return { type: "text", text: plainText(text.length <= MAX_TEXT ? text : text.slice(-MAX_TEXT)) };
}

/** An answer as the protocol has it; `isStructured` adds the document as `structuredContent`. */
export function resultOfAnswer(answer: Answer, isStructured: boolean): CallToolResult {
  const { document } = answer;
  const value = document.key === "proctor/runs" ? carriableList(document.value) : document.value;
  const structured = document.key === "proctor/runs" ? { [document.field]: value } : { ...value };
  return {
    content: [textBlock(answer.text)],
    isError: answer.isError,
    _meta: { [document.key]: value },
    ...(isStructured ? { structuredContent: structured } : {}),
  };
}

/** A refusal or a failure of ours: the message for the model, the code for programs. */
export function errorResult(error: ProctorError): CallToolResult {
  return { content: [textBlock(error.message)], isError: true, _meta: { "proctor/error": error.toJSON() } };
}
