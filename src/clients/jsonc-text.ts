/**
 * JSON with comments as text: puts values in and takes them out, and leaves every other byte alone. The parser
 * tells where things stand; the text between is written here, in the style of what stands around it.
 */
import { getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import { ProctorError } from "../model/index.ts";
import type { Entry, Json } from "./client.ts";

/** Comments and a comma behind the last value are what most clients accept; nothing else is. */
const OPTIONS = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true };

/** Where an offset stands, as editors count: line and column from 1. */
function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

function treeOf(text: string, file: string): Node | null {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, OPTIONS);
  const [error] = errors;
  if (error !== undefined) {
    const { line, column } = placeOf(text, error.offset);
    const what = printParseErrorCode(error.error)
      .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
      .toLowerCase();
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `${file}:${line}:${column}: this is not JSON (${what}). Nothing was changed; correct it first.`,
      { details: { file, line, column } },
    );
  }
  if (tree !== undefined && tree.type !== "object") {
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `${file}:1:1: holds ${tree.type === "array" ? "an array" : `a ${tree.type}`} instead of an object. Nothing was changed; correct it first.`,
      { details: { file } },
    );
  }
  return tree ?? null;
}

/**
 * The value that a text holds; an empty text holds an empty object.
 *
 * @throws ProctorError `ERR_INPUT_FILE` with file, line and column when it is no JSON object.
 */
export function parseJsonc(text: string, file: string): Record<string, unknown> {
  const tree = treeOf(text, file);
  const value: unknown = tree === null ? {} : getNodeValue(tree);
  return value as Record<string, unknown>; // treeOf has checked that it is an object
}

/** The text with `entry` in it; as it is when the entry stands there already. */
export function putJsonc(text: string, entry: Entry, file: string): string {
  const tree = treeOf(text, file);
  const style = styleOf(text, tree);
  if (tree === null)
    return `${text}${render(nested(entry.path, entry.kind === "member" ? [entry.value] : entry.value), "", style)}${style.eol}`;
  let at: Node = tree;
  for (const [i, key] of entry.path.entries()) {
    if (at.type !== "object") throw notAnObject(text, at, entry.path.slice(0, i), file);
    const next: Node | undefined = propertyOf(at, key)?.children?.[1];
    if (next === undefined) {
      const value = entry.kind === "member" ? [entry.value] : entry.value;
      const indent = childIndent(text, at, style);
      const inside = nested(entry.path.slice(i + 1), value);
      return insert(
        text,
        at,
        (inline) => `${JSON.stringify(key)}: ${render(inside, inline ? null : indent, style)}`,
        style,
      );
    }
    at = next;
  }
  if (entry.kind === "value") {
    const indent = indentAt(text, at.offset);
    return splice(text, at.offset, at.offset + at.length, render(entry.value, indent, style));
  }
  if (at.type !== "array") throw notAList(text, at, entry.path, file);
  if ((at.children ?? []).some((child) => child.value === entry.value)) return text;
  return insert(text, at, () => JSON.stringify(entry.value), style);
}

/** The text without `entry`; as it is when it does not stand there. */
export function takeJsonc(text: string, entry: Entry, file: string): string {
  let at = treeOf(text, file);
  for (const key of entry.kind === "member" ? entry.path : entry.path.slice(0, -1)) {
    at = at === null ? null : (propertyOf(at, key)?.children?.[1] ?? null);
  }
  if (at === null) return text;
  const item =
    entry.kind === "member"
      ? at.children?.find((child) => child.value === entry.value)
      : propertyOf(at, entry.path.at(-1) ?? "");
  return item === undefined ? text : remove(text, at, item);
}

/** The property of an object by its name; of several the last, which is what parsers take. */
function propertyOf(object: Node, key: string): Node | undefined {
  if (object.type !== "object") return undefined;
  return object.children?.findLast((property) => property.children?.[0]?.value === key);
}

function nested(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
}

function notAnObject(text: string, node: Node, path: readonly string[], file: string): ProctorError {
  const { line, column } = placeOf(text, node.offset);
  return new ProctorError(
    "ERR_INPUT_FILE",
    `${file}:${line}:${column}: "${path.join(".")}" is not an object. Nothing was changed; correct it first.`,
    { details: { file, line, column } },
  );
}

function notAList(text: string, node: Node, path: readonly string[], file: string): ProctorError {
  const { line, column } = placeOf(text, node.offset);
  return new ProctorError(
    "ERR_INPUT_FILE",
    `${file}:${line}:${column}: "${path.join(".")}" is not a list. Nothing was changed; correct it first.`,
    { details: { file, line, column } },
  );
}

interface Style {
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
}

function styleOf(text: string, tree: Node | null): Style {
  const first = tree?.children?.[0];
  const indent = first === undefined ? "" : indentAt(text, first.offset);
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", unit: indent === "" ? "  " : indent };
}

/** The white space that the line of `offset` begins with. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function childIndent(text: string, container: Node, style: Style): string {
  const first = container.children?.[0];
  const own = indentAt(text, container.offset);
  if (first === undefined || !text.slice(container.offset, first.offset).includes("\n")) return own + style.unit;
  return indentAt(text, first.offset);
}

/** A value as text, for a place with this indentation; on one line where `indent` is null. */
function render(value: Json, indent: string | null, style: Style): string {
  if (indent === null) return JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
  return JSON.stringify(value, null, style.unit).replaceAll("\n", `${style.eol}${indent}`);
}

function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** The offset behind white space and comments, which may run over lines. */
function skipBlank(text: string, from: number): number {
  const blank = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
  blank.lastIndex = from;
  blank.exec(text);
  return blank.lastIndex;
}

/** The offset behind a comment that stands on the same line; `from` when there is none. */
function behindComment(text: string, from: number): number {
  const comment = /[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)/y;
  comment.lastIndex = from;
  return comment.exec(text) === null ? from : comment.lastIndex;
}

/** Puts an item behind the last one of a container. */
function insert(text: string, container: Node, item: (inline: boolean) => string, style: Style): string {
  const end = container.offset + container.length - 1; // the closing bracket
  const last = container.children?.at(-1);
  const inline = !text.slice(container.offset, end).includes("\n");
  const indent = childIndent(text, container, style);
  if (last === undefined) {
    const open = container.offset + 1;
    if (!inline) {
      const content = text.slice(open, end).trimEnd();
      return splice(text, open + content.length, open + content.length, `${style.eol}${indent}${item(false)}`);
    }
    const inside = text.slice(open, end);
    if (container.type === "array") return splice(text, open, open, item(true));
    const own = indentAt(text, container.offset);
    return splice(text, open + inside.length, end, `${style.eol}${indent}${item(false)}${style.eol}${own}`);
  }
  const behind = last.offset + last.length;
  if (inline) return splice(text, behind, behind, `, ${item(true)}`);
  const comma = skipBlank(text, behind);
  // A list with a comma behind its last item keeps it that way.
  if (text[comma] === ",") {
    const at = behindComment(text, comma + 1);
    return splice(text, at, at, `${style.eol}${indent}${item(false)},`);
  }
  const at = behindComment(text, behind);
  return splice(splice(text, at, at, `${style.eol}${indent}${item(false)}`), behind, behind, ",");
}

/** Takes an item, its comma, and the line that it stood on. */
function remove(text: string, container: Node, item: Node): string {
  const siblings = container.children ?? [];
  const index = siblings.indexOf(item);
  const previous = siblings[index - 1];
  const behind = item.offset + item.length;
  const next = skipBlank(text, behind);
  const hasComma = text[next] === ",";
  const lineStart = /\r?\n[ \t]*$/.exec(text.slice(0, item.offset))?.index;
  // From the end of the line before, where the item is the first on its own.
  const from = lineStart ?? (previous === undefined ? item.offset : previous.offset + previous.length);
  const ownComma =
    previous !== undefined && lineStart === undefined ? text.slice(from, item.offset).includes(",") : false;
  let result: string;
  if (hasComma && !ownComma) {
    const to = lineStart === undefined ? skipSpaces(text, next + 1) : next + 1;
    result = splice(text, lineStart === undefined ? item.offset : from, to, "");
  } else result = splice(text, from, behind, "");
  if (!hasComma && previous !== undefined && lineStart !== undefined) {
    // The item before is the last one now.
    const comma = skipBlank(text, previous.offset + previous.length);
    result = splice(result, comma, comma + 1, "");
  }
  if (siblings.length === 1) {
    const end = container.offset + container.length - 1 - (text.length - result.length);
    if (result.slice(container.offset + 1, end).trim() === "") result = splice(result, container.offset + 1, end, "");
  }
  return result;
}

function skipSpaces(text: string, from: number): number {
  const spaces = /[ \t]*/y;
  spaces.lastIndex = from;
  spaces.exec(text);
  return spaces.lastIndex;
}
