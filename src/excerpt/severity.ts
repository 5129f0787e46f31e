/** Which words make a line evidence, and which make it look so without being it. */

/** Finds lines of a huge log that may be evidence: wide, cheap, matched on bytes read as latin1. */
export const CANDIDATE: RegExp =
  /error|fail|fatal|panic|exception|traceback|critical|not ok|killed|segmentation|no such file|not found|denied|refused|cannot|unable to|unbound|abort|✖|✗|✘|\xe2\x9c[\x95-\x98]|fehler|erreur/i;

const SEVERE =
  /(?<![\w-])(?:errors?|err!|fatal|panic(?:ked)?|exception|traceback|fail(?:ed|ing|ures?|s)?|segmentation fault|killed|abort(?:ed)?|no such file|command not found|denied|refused|cannot|unable to|unbound|not ok|critical)(?![\w-])|\w(?:Error|Exception)\b/i;
const HARMLESS = /(?<![\w])(?:0|no) (?:errors?|failures?|failed)|^\W*(?:ok \d|✓|✔|√)|--- PASS|PASSED/i;

/** Whether a line says that something went wrong. */
export function isSevere(line: string): boolean {
  const start = line.length > 2000 ? line.slice(0, 2000) : line;
  return SEVERE.test(start) && !HARMLESS.test(start);
}
