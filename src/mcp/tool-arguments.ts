/**
 * Arguments of a tool call, read one by one. Models write numbers as strings and a list of one as a string;
 * what can only mean one thing is taken as that, anything else is refused with the field, the value and what
 * is accepted, so that the next call is right.
 */
import { ProctorError, durationFromSeconds, parseDuration } from "../model/index.ts";

const MAX_SHOWN = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

/** The arguments of one call. An absent field and null are the same. */
export class ToolArguments {
  readonly #fields: ReadonlyMap<string, unknown>;

  /** @throws ProctorError `ERR_INPUT_PARAMS` when `given` is no object or has a field that is not in `accepted`. */
  constructor(tool: string, given: unknown, accepted: readonly string[]) {
    if (given !== undefined && given !== null && (typeof given !== "object" || Array.isArray(given))) {
      throw new ProctorError("ERR_INPUT_PARAMS", `arguments: ${shown(given)} can't be used. Accepted: an object.`);
    }
    this.#fields = new Map(Object.entries(given ?? {}).filter(([, value]) => value !== null && value !== undefined));
    const unknown = [...this.#fields.keys()].find((name) => !accepted.includes(name));
    if (unknown !== undefined) {
      const known = accepted.length === 0 ? "no arguments" : accepted.join(", ");
      throw new ProctorError("ERR_INPUT_PARAMS", `${unknown}: ${tool} has no such argument. Accepted: ${known}.`, {
        details: { field: unknown },
      });
    }
  }

  /** A text, or null. */
  text(field: string): string | null {
    const value = this.#fields.get(field);
    if (value === undefined) return null;
    return typeof value === "string" ? value : this.#refuse(field, "a string");
  }

  /** A text that must be there. */
  requiredText(field: string): string {
    const value = this.text(field);
    return value === null || value === "" ? this.#refuse(field, "a string that is not empty") : value;
  }

  /** A boolean; false when absent. */
  flag(field: string): boolean {
    const value = this.#fields.get(field) ?? false;
    if (value === true || value === "true") return true;
    return value === false || value === "false" ? false : this.#refuse(field, "true or false");
  }

  /** A whole number, or null. */
  count(field: string, min: number, max: number): number | null {
    const value = this.#fields.get(field);
    if (value === undefined) return null;
    const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
    if (typeof count !== "number" || !Number.isInteger(count) || count < min || count > max) {
      return this.#refuse(field, `a whole number from ${min} to ${max}`, "ERR_INPUT_NUMBER");
    }
    return count;
  }

  /** A duration given in seconds (or as text with a unit), in milliseconds; null when absent. */
  duration(field: string, options: { zero?: boolean } = {}): number | null {
    const value = this.#fields.get(field);
    if (value === undefined) return null;
    if (typeof value === "number") return durationFromSeconds(value, field, options);
    return typeof value === "string"
      ? parseDuration(value, field, options)
      : this.#refuse(field, "a number of seconds", "ERR_INPUT_DURATION");
  }

  /** A list of texts; a single text is a list of one. Empty when absent. */
  texts(field: string): readonly string[] {
    const value = this.#fields.get(field);
    if (value === undefined) return [];
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list.map((item) => (typeof item === "string" ? item : this.#refuse(field, "an array of strings")));
  }

  /** Texts by name, such as variables of an environment; numbers and booleans are taken as they are written. */
  textsByName(field: string): Readonly<Record<string, string>> {
    const value = this.#fields.get(field);
    if (value === undefined) return {};
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return this.#refuse(field, "an object of strings");
    const texts: [string, string][] = [];
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === "string" || typeof item === "number" || typeof item === "boolean")
        texts.push([name, String(item)]);
      else
        throw new ProctorError(
          "ERR_INPUT_PARAMS",
          `${field}.${name}: ${shown(item)} can't be used. Accepted: a string.`,
          { details: { field } },
        );
    }
    // Not by assignment: a variable may be called __proto__.
    return Object.fromEntries(texts);
  }

  #refuse(
    field: string,
    accepted: string,
    code: "ERR_INPUT_PARAMS" | "ERR_INPUT_NUMBER" | "ERR_INPUT_DURATION" = "ERR_INPUT_PARAMS",
  ): never {
    const value = this.#fields.get(field);
    const what = value === undefined ? "it is missing" : `${shown(value)} can't be used`;
    throw new ProctorError(code, `${field}: ${what}. Accepted: ${accepted}.`, {
      details: { field, value: shown(value) },
    });
  }
}
