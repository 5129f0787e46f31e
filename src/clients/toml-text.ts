/**
 * TOML as text: appends and removes whole tables and single keys, and leaves every other byte alone. A line is
 * known to begin a statement when everything before it is TOML by itself; nothing is guessed from brackets
 * that may stand in a string or a list.
 */
import { TomlError, parse, stringify } from "smol-toml";
import type { TomlTable } from "smol-toml";
import { ProctorError } from "../model/index.ts";
import type { Entry, Json } from "./client.ts";

/**
 * The value that a text holds.
 *
 * @throws ProctorError `ERR_INPUT_FILE` with file, line and column when it is no TOML.
 */
export function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const why = (error.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "");
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `${file}:${error.line}:${error.column}: this is not TOML (${why}). Nothing was changed; correct it first.`,
      { cause: error, details: { file, line: error.line, column: error.column } },
    );
  }
}

/** A line with its end, and where it begins. */
interface Line {
  readonly text: string;
  readonly at: number;
}

function linesOf(text: string): readonly Line[] {
  let at = 0;
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const begun = at;
    at += line.length;
    return { text: line, at: begun };
  });
}

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return false;
  }
}

/** The keys of a header line (`[a.b]`); null when the line is none, or is one of a list of tables. */
function headerKeys(line: string): readonly string[] | null {
  if (!/^\s*\[(?!\[)/.test(line)) return null;
  let table: TomlTable;
  try {
    table = parse(line);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return null;
  }
  const keys: string[] = [];
  for (let at: unknown = table; typeof at === "object" && at !== null; ) {
    const [entry] = Object.entries(at);
    if (entry === undefined) break;
    keys.push(entry[0]);
    at = entry[1];
  }
  return keys;
}

/** A table as it stands in the text: its header line up to the next header or the end. */
interface Section {
  /** Null for a list of tables. */
  readonly keys: readonly string[] | null;
  readonly from: number;
  /** Where its header line ends. */
  readonly body: number;
  readonly to: number;
}

function sectionsOf(text: string): readonly Section[] {
  const heads = linesOf(text).filter((line) => /^\s*\[/.test(line.text) && isToml(text.slice(0, line.at)));
  return heads.map((line, i) => ({
    keys: headerKeys(line.text),
    from: line.at,
    body: line.at + line.text.length,
    to: heads[i + 1]?.at ?? text.length,
  }));
}

/** Whether `keys` are those of a table at `path`, or of a table in it. */
function isWithin(keys: readonly string[] | null, path: readonly string[]): boolean {
  return keys !== null && path.every((key, i) => keys[i] === key);
}

function isTable(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

function tableText(path: readonly string[], value: Json, eol: string): string {
  const nested = path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
  // Tables that hold nothing but the next one have no header of their own.
  return `${stringify(nested).trim()}\n`.replaceAll("\n", eol);
}

/** The text with `entry` in it. */
export function putToml(text: string, entry: Entry, file: string): string {
  parseToml(text, file);
  if (entry.kind === "member") throw notInToml(entry, file);
  const eol = eolOf(text);
  if (isTable(entry.value)) {
    const without = cutTable(text, entry.path);
    const block = tableText(entry.path, entry.value, eol);
    if (without.at !== null) return without.text.slice(0, without.at) + block + without.text.slice(without.at);
    return text + gap(text, eol) + block;
  }
  const path = entry.path.slice(0, -1);
  const key = entry.path.at(-1) ?? "";
  const line = tableText([key], entry.value, eol);
  const section = sectionsOf(text).find((s) => s.keys?.length === path.length && isWithin(s.keys, path));
  if (section === undefined) return text + gap(text, eol) + tableText(path, { [key]: entry.value }, eol);
  const old = statementOf(text, section, key);
  if (old !== null) return text.slice(0, old.from) + line + text.slice(old.to);
  const head = text.slice(0, section.body);
  return (head.endsWith("\n") ? head : head + eol) + line + text.slice(section.body);
}

/** The text without `entry`; as it is when it does not stand there. */
export function takeToml(text: string, entry: Entry, file: string): string {
  parseToml(text, file);
  if (entry.kind === "member") throw notInToml(entry, file);
  const cut = cutTable(text, entry.path);
  if (cut.at !== null) {
    // The empty line that was put before it goes with it.
    const before = cut.text.slice(0, cut.at);
    const behind = cut.text.slice(cut.at);
    return (/^(\r?\n|$)/.test(behind) ? before.replace(/(?<=\n)\r?\n$/, "") : before) + behind;
  }
  const path = entry.path.slice(0, -1);
  const section = sectionsOf(text).find((s) => s.keys?.length === path.length && isWithin(s.keys, path));
  if (section === undefined) return text;
  const old = statementOf(text, section, entry.path.at(-1) ?? "");
  if (old === null) return text;
  return text.slice(0, old.from) + text.slice(old.to);
}

/** The text less a table and the tables in it, and where it stood; comments behind its last key stay. */
function cutTable(text: string, path: readonly string[]): { readonly text: string; readonly at: number | null } {
  let result = text;
  let at: number | null = null;
  for (const section of sectionsOf(text).toReversed()) {
    if (!isWithin(section.keys, path)) continue;
    const kept = keptBehind(text, section);
    result = result.slice(0, section.from) + result.slice(kept);
    at = section.from;
  }
  return { text: result, at };
}

/** Where a section's own lines end: empty lines and comments above the next header are about what follows. */
function keptBehind(text: string, section: Section): number {
  if (section.to === text.length) {
    const rest = text.slice(section.from).trimEnd();
    return Math.min(text.length, lineEnd(text, section.from + rest.length));
  }
  let end = section.to;
  for (const line of linesOf(text.slice(section.body, section.to)).toReversed()) {
    if (!/^\s*(#|$)/.test(line.text)) break;
    end = section.body + line.at;
  }
  return end;
}

function lineEnd(text: string, from: number): number {
  const next = text.indexOf("\n", from);
  return next < 0 ? text.length : next + 1;
}

/** Where the statement that gives `key` its value stands in a section. */
function statementOf(text: string, section: Section, key: string): { from: number; to: number } | null {
  const lines = linesOf(text.slice(section.body, section.to));
  const begins = lines.filter((line) => !/^\s*(#|$)/.test(line.text) && isToml(text.slice(0, section.body + line.at)));
  for (const [i, line] of begins.entries()) {
    const from = section.body + line.at;
    const limit = begins[i + 1] === undefined ? section.to : section.body + (begins[i + 1]?.at ?? 0);
    // Shortest end that is a statement by itself: a value may run over lines, comments behind it stay.
    let to = lineEnd(text, from);
    while (to < limit && !isToml(text.slice(from, to))) to = lineEnd(text, to);
    if (isToml(text.slice(from, to)) && Object.keys(parse(text.slice(from, to)))[0] === key) return { from, to };
  }
  return null;
}

function gap(text: string, eol: string): string {
  if (text.trim() === "") return "";
  return text.endsWith("\n") ? eol : eol + eol;
}

function notInToml(entry: Entry, file: string): ProctorError {
  return new ProctorError(
    "ERR_BUG",
    `${file}: no client keeps a list in TOML, and one was wanted at ${entry.path.join(".")}.`,
  );
}
