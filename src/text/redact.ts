/**
 * Masks known forms of secrets in a text that is shown. The log itself is never changed.
 *
 * Theory: a false mask hides evidence, so only what has a known form goes: a provider's prefix, a
 * place where a secret stands by definition (an Authorization header, a URL's password, a private
 * key's block), or a value that is named a secret and looks like one. Hashes, ids and paths in
 * ordinary logs stay. Each rule reads the text once and goes on behind its match: linear time. Line
 * breaks are never touched.
 */
import { maskCookies } from "./cookies.ts";
import { maskArguments } from "./secret-arguments.ts";
import { SECRET_FORMS } from "./secret-forms.ts";
import { isBarePassword, isCode, isPlaceholder, looksRandom, REDACTED } from "./secret-values.ts";

const KNOWN_FORMS = new RegExp(
  `(?<![A-Za-z0-9_-])(?:${SECRET_FORMS.map((form) => `(${form.keep})${form.secret}`).join("|")})(?![A-Za-z0-9])`,
  "g",
);

/** `scheme://user:password@host` (RFC 3986 3.2.1). */
const URL_PASSWORD =
  /(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/[^\s/?#@:"'<>[\]]{0,200}:)([^\s/?#"'<>]{1,500})(?=@)/g;

/** `https://TOKEN@host`: a user that no person is. */
const URL_TOKEN = /(?<![A-Za-z0-9+.-])(https?:\/\/)([A-Za-z0-9_-]{20,300})(?=@)/g;

/** A line of netrc(5). */
const NETRC = /(\blogin\s{1,4}\S{1,200}\s{1,4}password\s{1,4})(\S{1,300})/g;

/** Webhooks whose address is the secret. */
const WEBHOOK =
  /(https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:discord|discordapp)\.com\/api\/webhooks\/\d{5,25})\/)[A-Za-z0-9_/-]{20,200}/g;

/** `Authorization: Bearer …`: what stands there is a secret, whatever it looks like. */
const AUTHORIZATION =
  /(authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token|digest|apikey)[ \t]{1,3})([A-Za-z0-9._~+/=-]{8,})/gi;

/** `Bearer …` alone, `X-Api-Key: …`: it may be prose, so it must look like one. */
const HEADER =
  /((?<![A-Za-z])bearer[ \t]{1,3}|(?:x-api-key|x-auth-token|x-goog-api-key|private-token|job-token|x-amz-security-token)["']?\s{0,3}:\s{0,3}["']?)([A-Za-z0-9._~+/=-]{8,})/gi;

/** A name that says that its value is a secret, and that value: quoted, or up to the next separator. */
const NAMED = new RegExp(
  "(" + // what is kept
    "(?:(pass(?:word|wd|phrase)|passwd|pwd)|secret(?:[_-]?(?:access)?[_-]?key)?|(?:access|auth|refresh|session|api|id|bot|csrf|deploy|bearer)?[_-]?token|" +
    "api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|client[_-]?secret|_auth|(?<=[\"'])auth(?=[\"'])|(?<=[?&])sig(?==)|x-amz-signature|x-amz-credential)" +
    "(?![A-Za-z0-9_])\\\\?[\"']?" +
    "([ \\t]{0,4}(?:=>|:=|[:=])[ \\t]{0,4}|[ \\t](?<=--[A-Za-z-]{1,40}[ \\t]))" +
    ")" +
    "(?:(\\\\?[\"'])([^\"'\\n\\\\]{1,2000})|([^\\s\"'`,;&<>(){}\\[\\]|\\\\]{1,2000}))",
  "gi",
);

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/;
/** The characters of a key's lines, also quoted, escaped or behind a prefix. */
const KEY_LINE = /^[\w+/=:,.\\"' \t|>#*-]*$/;
const LONGEST_KEY_LINE = 20_000;
const SHORT_KEY_LINE = 48;
const KEY_END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/;

/** Masks what has a known form of a secret. As many lines come out as went in; twice changes nothing more. */
export function redact(text: string): string {
  const redactor = new LineRedactor();
  return text.includes("PRIVATE KEY")
    ? text
        .split("\n")
        .map((line) => redactor.line(line))
        .join("\n")
    : redactInline(text);
}

/** Masks the lines of a log in order; it remembers whether it is inside the block of a private key. */
export class LineRedactor {
  #inKey = false;
  /** A key's lines are of one length; after a shorter one only its end can come. */
  #wasShort = false;

  /** Masks one line, given without its line break. */
  line(text: string): string {
    let out = "";
    let rest = text;
    let mayEnd = true;
    while (rest !== "") {
      const mark = !this.#inKey ? KEY_BEGIN.exec(rest) : mayEnd ? KEY_END.exec(rest) : null;
      // What has no end has none further on: a line of many beginnings is not read to its end for each.
      if (this.#inKey && mark === null) mayEnd = false;
      const before = mark === null ? rest : rest.slice(0, mark.index);
      if (this.#inKey && before.trim() !== "" && !this.#isKeyLine(before, mark !== null)) {
        // What can't be a line of a key says that the key's end is not in this text; another may begin here.
        this.#inKey = false;
        continue;
      }
      out += !this.#inKey ? redactInline(before) : before.trim() === "" ? before : REDACTED;
      if (mark === null) break;
      out += mark[0];
      rest = rest.slice(before.length + mark[0].length);
      this.#inKey = !this.#inKey;
      this.#wasShort = false;
    }
    return out;
  }

  #isKeyLine(text: string, isLast: boolean): boolean {
    if (this.#wasShort || text.length > LONGEST_KEY_LINE || !KEY_LINE.test(text) || /\w \w+ \w/.test(text))
      return false;
    this.#wasShort = !isLast && text.length < SHORT_KEY_LINE && !text.includes(":");
    return true;
  }
}

// What is masked may show a rule what it passed over before, as the end of a value that is too long for one.
const MOST_PASSES = 4;

/** Everything but blocks, until nothing more is found. */
function redactInline(text: string): string {
  let before = text;
  let after = redactOnce(before);
  for (let pass = 1; pass < MOST_PASSES && after !== before; pass++) {
    before = after;
    after = redactOnce(before);
  }
  return after;
}

function redactOnce(text: string): string {
  const known = text
    .replace(URL_PASSWORD, (whole, before: string, password: string) =>
      isPlaceholder(password) ? whole : `${before}${REDACTED}`,
    )
    .replace(URL_TOKEN, (whole, before: string, user: string) => (looksRandom(user) ? `${before}${REDACTED}` : whole))
    .replace(NETRC, (whole, before: string, password: string) =>
      isPlaceholder(password) ? whole : `${before}${REDACTED}`,
    )
    .replace(AUTHORIZATION, (whole, before: string, value: string) =>
      isPlaceholder(value) ? whole : `${before}${REDACTED}`,
    )
    .replace(WEBHOOK, `$1${REDACTED}`)
    .replace(KNOWN_FORMS, (_whole, ...groups: unknown[]) => {
      const kept = groups.slice(0, SECRET_FORMS.length).find((group) => typeof group === "string");
      return `${kept ?? ""}${REDACTED}`;
    })
    .replace(HEADER, (whole, before: string, value: string) => (looksRandom(value) ? `${before}${REDACTED}` : whole));
  return maskArguments(maskCookies(known)).replace(NAMED, maskNamed);
}

function maskNamed(
  whole: string,
  before: string,
  password: string | undefined,
  separator: string,
  quote: string | undefined,
  quoted: string | undefined,
  bare: string | undefined,
): string {
  const value = quoted ?? bare ?? "";
  if (isPlaceholder(value)) return whole;
  const isSecret =
    quoted !== undefined
      ? password !== undefined
        ? value.length >= 4 && !/\s/.test(value.trim())
        : looksRandom(value)
      : password !== undefined
        ? isBarePassword(value, separator)
        : looksRandom(value) && !isCode(value);
  return isSecret ? `${before}${quote ?? ""}${REDACTED}` : whole;
}
