/**
 * Changes in the text of a configuration, whatever its format, each proved before it is believed: the values
 * that the new text holds are those of the old one but for the change. A text that can't be changed that way is
 * refused, with what would have to be written by hand.
 */
import { isDeepStrictEqual } from "node:util";
import { ProctorError } from "../model/index.ts";
import type { Entry, Format } from "./client.ts";
import { parseJsonc, putJsonc, takeJsonc } from "./jsonc-text.ts";
import { parseToml, putToml, takeToml } from "./toml-text.ts";

const BOM = "\uFEFF";

/**
 * The values that a text holds.
 *
 * @throws ProctorError `ERR_INPUT_FILE` with file, line and column.
 */
export function parseConfig(text: string, format: Format, file: string): Record<string, unknown> {
  const bare = text.startsWith(BOM) ? text.slice(1) : text;
  return format === "json" ? parseJsonc(bare, file) : parseToml(bare, file);
}

/** What stands at a path of keys; undefined when nothing does. */
export function valueAt(config: unknown, path: readonly string[]): unknown {
  let at = config;
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

/** Whether an entry stands in a configuration as it is wanted. */
export function stands(config: unknown, entry: Entry): boolean {
  const value = valueAt(config, entry.path);
  return entry.kind === "value"
    ? isDeepStrictEqual(plain(value, false), entry.value)
    : Array.isArray(value) && value.includes(entry.value);
}

/**
 * The text with `entry` in it.
 *
 * @throws ProctorError `ERR_INPUT_FILE` when the text is broken, or can't be changed without touching the rest.
 */
export function putEntry(text: string, entry: Entry, format: Format, file: string): string {
  const before = parseConfig(text, format, file);
  if (stands(before, entry)) return text;
  const after = changed(text, (bare) => (format === "json" ? putJsonc(bare, entry, file) : putToml(bare, entry, file)));
  const wanted = before;
  const parent = objectAt(wanted, entry.path.slice(0, -1));
  const key = entry.path.at(-1) ?? "";
  if (parent !== null) {
    const old = parent[key];
    parent[key] = entry.kind === "value" ? entry.value : [...(Array.isArray(old) ? old : []), entry.value];
  }
  if (parent === null || !holds(after, wanted, format, file)) throw byHand(entry, file, "put in");
  return after;
}

/**
 * The text without `entry`, and without the objects around it from `prune` keys on that are empty then.
 *
 * @throws ProctorError `ERR_INPUT_FILE` when the text is broken, or can't be changed without touching the rest.
 */
export function takeEntry(
  text: string,
  entry: Entry,
  format: Format,
  file: string,
  prune: number = Number.POSITIVE_INFINITY,
): string {
  const wanted = parseConfig(text, format, file);
  const take = (from: string, what: Entry): string =>
    changed(from, (bare) => (format === "json" ? takeJsonc(bare, what, file) : takeToml(bare, what, file)));
  let after = take(text, entry);
  if (entry.kind === "member") {
    const list = valueAt(wanted, entry.path);
    if (Array.isArray(list)) {
      const index = list.indexOf(entry.value);
      if (index >= 0) list.splice(index, 1);
    }
  } else dropKey(wanted, entry.path);
  for (let length = entry.path.length - (entry.kind === "member" ? 0 : 1); length >= prune && length > 0; length--) {
    const path = entry.path.slice(0, length);
    const value = valueAt(wanted, path);
    if (typeof value !== "object" || value === null || Object.keys(value).length > 0) break;
    after = take(after, { kind: "value", path, value: {} });
    dropKey(wanted, path);
  }
  if (!holds(after, wanted, format, file)) throw byHand(entry, file, "taken out");
  return after;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object at a path, made where it is missing; null where something else stands in the way. */
function objectAt(config: Record<string, unknown>, path: readonly string[]): Record<string, unknown> | null {
  let at = config;
  for (const key of path) {
    const next = Object.hasOwn(at, key) ? at[key] : (at[key] = {});
    if (!isObject(next)) return null;
    at = next;
  }
  return at;
}

function dropKey(config: unknown, path: readonly string[]): void {
  const parent = valueAt(config, path.slice(0, -1));
  if (isObject(parent)) Reflect.deleteProperty(parent, path.at(-1) ?? "");
}

function changed(text: string, change: (bare: string) => string): string {
  return text.startsWith(BOM) ? BOM + change(text.slice(1)) : change(text);
}

function holds(text: string, wanted: Record<string, unknown>, format: Format, file: string): boolean {
  try {
    // A table of TOML that only holds tables need not stand anywhere, and goes with the last of them.
    const compared = (value: unknown): unknown => plain(value, format === "toml");
    return isDeepStrictEqual(compared(parseConfig(text, format, file)), compared(wanted));
  } catch (error) {
    if (error instanceof ProctorError) return false;
    throw error;
  }
}

/** Parsers differ in the prototypes of what they make, not in what it holds. */
function plain(value: unknown, withoutEmpty: boolean): unknown {
  if (Array.isArray(value)) return value.map((inner) => plain(inner, withoutEmpty));
  if (!isObject(value) || value instanceof Date) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, plain(inner, withoutEmpty)] as const);
  return Object.fromEntries(
    entries.filter(([, inner]) => !withoutEmpty || !isObject(inner) || Object.keys(inner).length > 0),
  );
}

function byHand(entry: Entry, file: string, how: "put in" | "taken out"): ProctorError {
  const what = entry.kind === "value" ? entry.path.join(".") : `"${entry.value}" of the list ${entry.path.join(".")}`;
  const value = how === "put in" && entry.kind === "value" ? ` (${JSON.stringify(entry.value)})` : "";
  return new ProctorError(
    "ERR_INPUT_FILE",
    `${file}: ${what}${value} can't be ${how} without rewriting what stands around it. Nothing was changed; write it by hand.`,
    { details: { file } },
  );
}
