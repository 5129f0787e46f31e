/**
 * Ids of runs, sequences and sessions: opaque, never reused, and short enough to type.
 *
 * An id carries 60 random bits: that any two of a million ids are equal has a probability under one
 * in two million (n² / 2^61, the birthday bound), so "never reused" needs no counter on disk.
 */

/** The shape of every id: lower-case letters, digits and dashes, 5 to 64 characters. */
export const ID_PATTERN: RegExp = /^[a-z0-9][a-z0-9-]{4,63}$/;

/** The shortest prefix that is accepted where an id is, provided that it is unique. */
export const MIN_ID_PREFIX = 4;

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford's base 32: no i, l, o, u

/** Makes a fresh id of twelve characters. */
export function newId(): string {
  let id = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(12))) id += ALPHABET.charAt(byte & 31);
  return id;
}

/** Whether `text` has the shape of an id or of an acceptable prefix of one. */
export function isIdOrPrefix(text: string): boolean {
  return text.length >= MIN_ID_PREFIX && /^[a-z0-9][a-z0-9-]{0,63}$/.test(text);
}

/** What a search for an id or a prefix of one came to. */
export type IdMatch = { kind: "one"; id: string } | { kind: "none" } | { kind: "many"; ids: readonly string[] };

/** Finds the id that `given` names among `ids`: the whole id, or a unique prefix of at least four characters. */
export function matchId(given: string, ids: Iterable<string>): IdMatch {
  // A set: one id that is listed twice is still one.
  const found = new Set<string>();
  for (const id of ids) {
    if (id === given) return { kind: "one", id };
    if (given.length >= MIN_ID_PREFIX && id.startsWith(given)) found.add(id);
  }
  const [first] = found;
  if (first === undefined) return { kind: "none" };
  return found.size === 1 ? { kind: "one", id: first } : { kind: "many", ids: [...found] };
}
