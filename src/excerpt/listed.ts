/**
 * Titles that a runner lists as failed while it runs, and prints again, unmarked, above the details. Such
 * a second row opens a block although nothing in it looks like evidence.
 */
import type { Finding } from "./finding.ts";
import { inOneForm, type Recogniser } from "./recognisers/index.ts";
import { GRADE } from "./severity.ts";
import type { View } from "./view.ts";

const MARKED =
  /^\s*(?:[✖✘✗✕×⨯❌]|not ok \d+(?: -)?|\d+\))\s*(?:\[fail\]:?\s*)?(\S.*?)\s*(?:\(?\d+(?:\.\d+)? ?m?s\)?)?$/;
const MIN_LENGTH = 10;
const [SMALL_A, SMALL_N, SMALL_Z] = [97, 110, 122];
const MAX_TITLES = 300;

const AGAIN: Recogniser = inOneForm({ name: "title again", titled: true });

/** Whether a row begins with a letter other than that of `not ok`: most do. */
function isWord(row: string): boolean {
  const first = row.charCodeAt(0);
  return (first | 32) >= SMALL_A && (first | 32) <= SMALL_Z && first !== SMALL_N;
}

/** The rows that repeat a title listed as failed, in order. */
export function repeatedTitles(view: View, evidence: readonly Finding[]): Finding[] {
  const titles = new Set<string>();
  let from = 0;
  for (const finding of evidence) {
    if (titles.size > MAX_TITLES) break;
    const listed = view.text(finding.row);
    const title = listed.length < MIN_LENGTH || isWord(listed) ? undefined : MARKED.exec(listed)?.[1];
    if (title === undefined || title.length < MIN_LENGTH) continue;
    if (titles.size === 0) from = finding.row + 1;
    for (let end = title.length; end >= MIN_LENGTH; end = title.lastIndexOf(" ", end - 1))
      titles.add(title.slice(0, end).trim());
  }
  if (titles.size === 0) return [];
  const again: Finding[] = [];
  let next = 0;
  for (let row = from; row < view.length; row++) {
    while (next < evidence.length && (evidence[next]?.row ?? 0) < row) next++;
    const text = view.text(row).trim();
    if (text.length < MIN_LENGTH || !titles.has(text)) continue;
    // A word in the title alone makes it no evidence of its own.
    const own = evidence[next];
    if (own?.row === row && own.grade > GRADE.weak) continue;
    again.push({ row, grade: GRADE.explicit, recogniser: AGAIN, said: -1, isUsers: false, isFlood: false });
  }
  return again;
}
