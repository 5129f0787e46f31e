/**
 * What the value of a secret looks like, and what stands in its place in manuals, templates and code. A rule that knows
 * a place where secrets stand asks here whether one is there: a false mask would hide evidence.
 */

/** What stands in place of a secret. */
export const REDACTED = "[redacted]";

/** `password=hunter2`, but not `password: required` and not `password = request.body`. */
export function isBarePassword(value: string, separator: string): boolean {
  if (value.length < 4 || isCode(value)) return false;
  if (separator.trim() === "=") return !/^[\p{Lu}_-]+$/u.test(value); // --password=PASSWORD is a manual's
  // After a colon or an option stands a word of prose as often: a digit (or a mark) says that it is none.
  return value.length >= 6 && /\D/.test(value) && (separator.trim() === "" ? /[\d!-/:-@[-`{-~]/ : /\d/).test(value);
}

/** An expression instead of a value: a path of names, a call, a variable. */
export function isCode(value: string): boolean {
  return (
    /^[A-Za-z_][\w]*(?:\??\.[A-Za-z_]\w*)+;?$/.test(value) || /^[/.~]/.test(value) || value.includes("/node_modules/")
  );
}

/** A secret that a machine made: long enough, letters and digits, or so long that nobody typed it. */
export function looksRandom(value: string): boolean {
  if (isPlaceholder(value) || isCode(value) || /\s/.test(value)) return false;
  if (value.length < 8) return false;
  const digits = /\d/.test(value);
  const letters = /[A-Za-z]/.test(value);
  return digits && letters ? true : value.length >= 32 && /[a-z]/.test(value) && /[A-Z]/.test(value);
}

/** What stands where a secret would: masked already, a variable, an example's ellipsis, a word for nothing. */
export function isPlaceholder(value: string): boolean {
  return (
    value.includes(REDACTED.slice(0, -1)) ||
    /^[*•.x_-]+$/i.test(value) ||
    /^(?:\$|%|<|\{\{|\{)/.test(value) ||
    /^(?:null|nil|none|undefined|true|false|empty|unset|string|required|optional|redacted|hidden|masked|secret|password|token|\(.*\))[;,.]?$/i.test(
      value,
    )
  );
}
