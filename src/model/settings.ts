/**
 * The settings: keys, defaults and bounds, and their resolution from four layers, most specific first:
 * the command's own pragma, the environment, the project file, the built-in values.
 *
 * Theory: a wrong setting must never cost a run and never be passed over in silence. So resolution
 * cannot fail: each value that can't be used becomes one note, and the next layer's value applies.
 * Pure and without dependencies, since every start of the command line loads it.
 */
import { readPragma } from "./settings-pragma.ts";
import { FLAG_SETTINGS, LIST_SETTINGS, NUMBER_SETTINGS } from "./settings-table.ts";
import type { FlagKey, ListKey, NumberKey, NumberSpec } from "./settings-table.ts";

/** Every setting, resolved. Sizes are bytes, times milliseconds. */
export type Settings = Readonly<Record<NumberKey, number>> &
  Readonly<Record<ListKey, readonly string[]>> &
  Readonly<Record<FlagKey, boolean>>;

/** Where settings come from; a layer that is absent is skipped. */
export interface SettingsSources {
  /** The command's text: its first line may be a pragma, `# @proctor: {"maxResultBytes": 32768}`. */
  readonly command?: string | null;
  /** The environment of the caller. Unset and empty variables count as absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The parsed project file. Reading it, and whether the project is trusted, is the caller's business. */
  readonly project?: { readonly path: string; readonly value: unknown } | null;
}

/** What resolution came to. */
export interface ResolvedSettings {
  readonly settings: Settings;
  /** One sentence for each value that was not used: key, value, what is accepted, source. */
  readonly notes: readonly string[];
  /**
   * Where each of `settings.errorPatterns` stands, in the same order and in the words of the notes:
   * `errorPatterns[0] in the command's pragma`. The index is that of its own layer's list, from 0.
   */
  readonly errorPatternPlaces: readonly string[];
}

/** The ceilings on what is returned of a log. The same shape as the limits of an excerpt. */
export interface ResultLimits {
  readonly maxBytes: number;
  readonly maxLines: number;
  readonly maxTokens: number;
}

/** At most so many notes about one source; what is beyond is counted in one more. */
const MAX_NOTES_PER_SOURCE = 8;
const MAX_SHOWN_VALUE = 60;

/** The built-in values. */
export const DEFAULT_SETTINGS: Settings = {
  maxResultBytes: NUMBER_SETTINGS.maxResultBytes.default,
  maxResultLines: NUMBER_SETTINGS.maxResultLines.default,
  maxResultTokens: NUMBER_SETTINGS.maxResultTokens.default,
  successMaxResultBytes: NUMBER_SETTINGS.successMaxResultBytes.default,
  successMaxResultLines: NUMBER_SETTINGS.successMaxResultLines.default,
  successMaxResultTokens: NUMBER_SETTINGS.successMaxResultTokens.default,
  headRatio: NUMBER_SETTINGS.headRatio.default,
  errorMaxEntries: NUMBER_SETTINGS.errorMaxEntries.default,
  errorMaxVariantsJoined: NUMBER_SETTINGS.errorMaxVariantsJoined.default,
  errorBudgetRatio: NUMBER_SETTINGS.errorBudgetRatio.default,
  promoteAfterMs: NUMBER_SETTINGS.promoteAfterMs.default,
  logMaxBytes: NUMBER_SETTINGS.logMaxBytes.default,
  logTtlMs: NUMBER_SETTINGS.logTtlMs.default,
  maxHeavyJobs: NUMBER_SETTINGS.maxHeavyJobs.default,
  errorPatterns: [],
  heavyCommands: [],
  lightCommands: [],
  redact: FLAG_SETTINGS.redact.default,
};

/** Resolves every setting. Never throws: what can't be used is told in `notes`. */
export function resolveSettings(sources: SettingsSources): ResolvedSettings {
  const notes: string[] = [];
  const layers: Layer[] = [];
  if (sources.project !== undefined && sources.project !== null) {
    layers.push(fileLayer(sources.project.value, sources.project.path, notes));
  }
  if (sources.env !== undefined) layers.push(environmentLayer(sources.env, notes));
  const pragma = readPragma(sources.command ?? "");
  if (pragma.kind === "found") layers.push(fileLayer(pragma.value, PRAGMA_SOURCE, notes));
  if (pragma.kind === "broken") {
    notes.push(`settings: ${PRAGMA_SOURCE}: ${shown(pragma.text)} is not a JSON object (${pragma.why}); ignored.`);
  }
  const settings = layers.reduce(applyLayer, DEFAULT_SETTINGS);
  const mostSpecificFirst = layers.toReversed();
  const errorPatternPlaces = settings.errorPatterns.map((pattern) =>
    mostSpecificFirst.flatMap((layer) => layer.patternPlaces.get(pattern) ?? []).join(" and "),
  );
  return { settings, notes, errorPatternPlaces };
}

/** The ceilings for a run that ended with `exitCode`; anything but 0, and null, is not a success. */
export function resultLimits(settings: Settings, exitCode: number | null): ResultLimits {
  return exitCode === 0
    ? {
        maxBytes: settings.successMaxResultBytes,
        maxLines: settings.successMaxResultLines,
        maxTokens: settings.successMaxResultTokens,
      }
    : { maxBytes: settings.maxResultBytes, maxLines: settings.maxResultLines, maxTokens: settings.maxResultTokens };
}

const PRAGMA_SOURCE = "the command's pragma";

/** The usable values of one source. */
interface Layer {
  readonly numbers: Partial<Record<NumberKey, number>>;
  readonly lists: Partial<Record<ListKey, readonly string[]>>;
  readonly flags: Partial<Record<FlagKey, boolean>>;
  /** Where each of its `errorPatterns` stands: whether one can be used is seen only when it is compiled. */
  readonly patternPlaces: Map<string, readonly string[]>;
}

const emptyLayer = (): Layer => ({ numbers: {}, lists: {}, flags: {}, patternPlaces: new Map() });

/** Numbers and flags of `layer` replace; its lists extend, the more specific entries first. */
function applyLayer(below: Settings, layer: Layer): Settings {
  const { errorPatterns = [], heavyCommands = [], lightCommands = [] } = layer.lists;
  return {
    ...below,
    ...layer.numbers,
    ...layer.flags,
    errorPatterns: union(errorPatterns, below.errorPatterns),
    heavyCommands: union(heavyCommands, below.heavyCommands),
    lightCommands: union(lightCommands, below.lightCommands),
  };
}

function union(first: readonly string[], second: readonly string[]): readonly string[] {
  return [...new Set([...first, ...second])];
}

function fileLayer(value: unknown, source: string, notes: string[]): Layer {
  const layer = emptyLayer();
  const refused: string[] = [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    refused.push(`settings: ${source}: ${shown(value)} is not a JSON object; ignored.`);
  } else {
    // "$schema" tells an editor what the file is.
    for (const [key, given] of Object.entries(value))
      if (key !== "$schema") takeKey(layer, key, given, source, refused);
  }
  addNotes(notes, refused, source);
  return layer;
}

function takeKey(layer: Layer, key: string, given: unknown, source: string, refused: string[]): void {
  if (isKeyOf(NUMBER_SETTINGS, key)) {
    const spec: NumberSpec = NUMBER_SETTINGS[key];
    if (!spec.inFiles)
      refused.push(`settings: ${key} in ${source}: can only be set by the environment, ${spec.env}; ignored.`);
    else if (isUsable(given, spec)) layer.numbers[key] = given;
    else refused.push(refusal(key, given, acceptedNumber(spec), source));
  } else if (isKeyOf(LIST_SETTINGS, key)) {
    const spec = LIST_SETTINGS[key];
    const accepted = `a list of at most ${spec.maxEntries} strings of 1 to ${spec.maxLength} characters`;
    if (!Array.isArray(given) || given.length > spec.maxEntries) {
      refused.push(refusal(key, given, accepted, source));
      return;
    }
    const entries: string[] = [];
    given.forEach((entry: unknown, index) => {
      if (typeof entry !== "string" || entry.length < 1 || entry.length > spec.maxLength) {
        refused.push(refusal(`${key}[${index}]`, entry, `a string of 1 to ${spec.maxLength} characters`, source));
        return;
      }
      entries.push(entry);
      if (key !== "errorPatterns") return;
      const place = `${key}[${index}] in ${source}`;
      layer.patternPlaces.set(entry, [...(layer.patternPlaces.get(entry) ?? []), place]);
    });
    layer.lists[key] = entries;
  } else if (isKeyOf(FLAG_SETTINGS, key)) {
    if (typeof given === "boolean") layer.flags[key] = given;
    else refused.push(refusal(key, given, "true or false", source));
  } else {
    refused.push(
      `settings: ${shown(key)} in ${source}: there is no such setting (its value is ${shown(given)}); ignored.`,
    );
  }
}

function environmentLayer(env: Readonly<Record<string, string | undefined>>, notes: string[]): Layer {
  const layer = emptyLayer();
  const refused: string[] = [];
  const known = new Set<string>();
  for (const key of keysOf(NUMBER_SETTINGS)) {
    const spec: NumberSpec = NUMBER_SETTINGS[key];
    if (spec.env === null) continue;
    known.add(spec.env);
    const text = (env[spec.env] ?? "").trim();
    if (text === "") continue;
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (isUsable(value, spec)) layer.numbers[key] = value;
    else refused.push(refusal(spec.env, text, acceptedNumber(spec), "the environment"));
  }
  for (const key of keysOf(FLAG_SETTINGS)) {
    const name = FLAG_SETTINGS[key].env;
    known.add(name);
    const text = (env[name] ?? "").trim().toLowerCase();
    if (text === "") continue;
    if (text === "1" || text === "true") layer.flags[key] = true;
    else if (text === "0" || text === "false") layer.flags[key] = false;
    else refused.push(refusal(name, text, "1, true, 0 or false", "the environment"));
  }
  for (const name of Object.keys(env).toSorted()) {
    // Other variables of the PROCTOR_ family belong to other parts; these prefixes hold settings alone.
    if (
      /^PROCTOR_(?:(?:SUCCESS_)?RESULT|PROMOTE|MAX|LOG)_/.test(name) &&
      !known.has(name) &&
      (env[name] ?? "") !== ""
    ) {
      refused.push(
        `settings: ${shown(name)} in the environment: there is no such setting (its value is ${shown(env[name])}); ignored.`,
      );
    }
  }
  addNotes(notes, refused, "the environment");
  return layer;
}

function isUsable(value: unknown, spec: NumberSpec): value is number {
  if (typeof value !== "number" || !(value >= spec.min && value <= spec.max)) return false;
  return spec.unit === "ratio" || Number.isInteger(value);
}

function acceptedNumber(spec: NumberSpec): string {
  const what = spec.unit === "ratio" ? "a number" : "a whole number";
  const of = { bytes: " of bytes", ms: " of milliseconds", count: "", ratio: "" }[spec.unit];
  return `${what}${of} from ${spec.min} to ${spec.max}`;
}

function refusal(key: string, value: unknown, accepted: string, source: string): string {
  return `settings: ${key} in ${source}: ${shown(value)} can't be used, accepted is ${accepted}; ignored.`;
}

/** Cut short and escaped, since a note is read by people and models. */
function shown(value: unknown): string {
  const whole = jsonOf(value);
  return whole.length <= MAX_SHOWN_VALUE ? whole : `${whole.slice(0, MAX_SHOWN_VALUE).toWellFormed()}…`;
}

function jsonOf(value: unknown): string {
  try {
    // Undefined for what JSON can't hold, whatever the declared type says.
    const text: string | undefined = JSON.stringify(value);
    return text ?? String(value);
  } catch {
    // A value that no JSON text can have made (a circle, a bigint): its kind is all that can be said.
    return typeof value;
  }
}

function addNotes(notes: string[], refused: readonly string[], source: string): void {
  notes.push(...refused.slice(0, MAX_NOTES_PER_SOURCE));
  const more = refused.length - MAX_NOTES_PER_SOURCE;
  if (more > 0) notes.push(`settings: ${more} more in ${source} can't be used; ignored.`);
}

function isKeyOf<T extends object>(table: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(table, key);
}

function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table).filter((key): key is keyof T & string => isKeyOf(table, key));
}
