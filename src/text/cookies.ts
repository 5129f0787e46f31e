/**
 * Masks the values of cookies in `Cookie:` and `Set-Cookie:` headers, wherever they stand in a line: as
 * `curl -v` prints them, behind `-H`, as an object's key. A cookie is masked when its value looks made by
 * a machine or its name says that it is a session's; what else is set (a language, a theme) stays. The
 * rules are linear, as in redact.ts.
 */
import { isPlaceholder, looksRandom, REDACTED } from "./secret-values.ts";

// RFC 6265 4.1.1 and 4.2.1; quotes and backslashes end what stands in a string.
const NAME = String.raw`[^\s;=,"'\\]{1,100}`;
const VALUE = String.raw`[^\s;,"'\\]*`;
const NEXT = String.raw`(?:;[ \t]{0,3}|["'],[ \t]{0,3}["'])`;

/** The header up to its first cookie, and from there all pairs and attributes that follow each other. */
const COOKIES = new RegExp(
  String.raw`(?<=^|[^a-z0-9]|-H)((?:set-)?cookie\\?["']?[ \t]{0,3}:[ \t]{0,3}(?:\[[ \t]{0,3})?\\?["']?)` +
    `(${NAME}=${VALUE}(?:${NEXT}${NAME}(?:=${VALUE})?){0,500})`,
  "gim",
);
const PAIR = new RegExp(String.raw`(?<=^|[;"'][ \t]{0,3})(${NAME})=([^\s;,"'\\]+)`, "g");

/** What a Set-Cookie says of its cookie (RFC 6265 5.2 and its successors). */
const ATTRIBUTE = /^(?:domain|expires|max-age|path|priority|samesite|version)$/i;
/** Names of cookies whose value is a secret though a person may have made it up. */
const SESSION = /(?:sess(?:ion)?(?:[_-]?id)?|sid|auth|token|jwt|secret|remember[_-]?me)$/i;

/** Masks the cookies of every header in `text`. */
export function maskCookies(text: string): string {
  return text.replace(COOKIES, (_whole, before: string, pairs: string) => before + pairs.replace(PAIR, masked));
}

function masked(whole: string, name: string, value: string): string {
  if (ATTRIBUTE.test(name)) return whole;
  const isSecret = SESSION.test(name)
    ? value.length >= 6 && value !== "deleted" && !isPlaceholder(value)
    : looksRandom(value);
  return isSecret ? `${name}=${REDACTED}` : whole;
}
