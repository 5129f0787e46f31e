/**
 * Masks passwords that programs take as an argument, as `set -x`, `ps` and error messages print them. The rules are
 * linear, as in redact.ts.
 */
import { isPlaceholder, REDACTED } from "./secret-values.ts";

/** `curl -u name:password`. */
const CURL_USER = /(\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,100}:)([^\s"']{1,200})/g;

// Between two arguments: blanks, or what stands there in a printed list of strings.
const BETWEEN = String.raw`(?:[ \t]{1,4}|["'],[ \t]{0,4}["'])`;

/** sshpass(1) up to its `-p`, behind other options. */
const SSHPASS_P = String.raw`\bsshpass(?:${BETWEEN}-[A-Za-oq-z][^\s"',]{0,60}){0,4}${BETWEEN}-p`;

/** The password in quotes, also as the next string of a list. */
const SSHPASS_QUOTED = new RegExp(String.raw`(${SSHPASS_P}(?:["'],)?[ \t]{0,4}(["'])(?!,))([^\n]{1,300}?)(?=\2)`, "g");
/**
 * The password up to the next blank, and whether a program that is run with it stands behind. The name of the program
 * itself is none: what stands behind it would be passed over.
 */
const SSHPASS_BARE = new RegExp(
  String.raw`(${SSHPASS_P}[ \t]{0,4})(?!sshpass\b)([^\s"']{1,300})` +
    String.raw`(?=([ \t]{1,4}(?:[\w./-]{0,60}\/)?(?:ssh|scp|sftp|rsync|git|sudo|ansible)\b)?)`,
  "g",
);
/** Prose speaks of the option, too: there a plain word stands after it, and no program after that. */
const PROSE = /^[a-z]*[),.:;`\]]*$/;

/** Masks the passwords in arguments of curl and sshpass. */
export function maskArguments(text: string): string {
  return text
    .replace(CURL_USER, (whole, before: string, value: string) =>
      isPlaceholder(value) ? whole : `${before}${REDACTED}`,
    )
    .replace(SSHPASS_QUOTED, (whole, before: string, _quote: string, value: string) =>
      isPlaceholder(value) ? whole : `${before}${REDACTED}`,
    )
    .replace(SSHPASS_BARE, (whole, before: string, value: string, program: string | undefined) =>
      isPlaceholder(value) || (program === undefined && PROSE.test(value)) ? whole : `${before}${REDACTED}`,
    );
}
