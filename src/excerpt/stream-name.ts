/**
 * The name of a stream that a row may begin with: `web | `, `tar: `, `@scope/pack:build: `, `[build] `. Told by hand,
 * since it is asked of every row, and a pattern for it is slow in a process that was just started.
 */

const [AT, COLON, SPACE, BAR, OPEN, CLOSE] = [64, 58, 32, 124, 91, 93];
const LONGEST_IN_BRACKETS = 40;
const MOST_SET_IN = 12;

// A bit for each place that a sign may stand at.
const IN_PATH = 1;
const BEHIND_COLON = 2;
const IN_WORD = 4;
const IN_NAME = 8;
const BRACKETED = 16;
const PLACES = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  const mayStand = (signs: RegExp, place: number): number => (signs.test(sign) ? place : 0);
  return (
    mayStand(/[\w./-]/, IN_PATH) |
    mayStand(/[\w:.-]/, BEHIND_COLON) |
    mayStand(/[\w:-]/, IN_WORD) |
    mayStand(/[\w.-]/, IN_NAME) |
    mayStand(/[\w:./ -]/, BRACKETED)
  );
});

/** The length of what a row begins with that may name a stream, with the signs and the space behind it; 0 for nothing. */
export function nameLength(row: string): number {
  let start = 0;
  // ant sets names in brackets to the right.
  while (row.charCodeAt(start) === SPACE && start < MOST_SET_IN) start++;
  if (row.charCodeAt(start) === OPEN) return inBrackets(row, start);
  return start > 0 ? 0 : beforeColon(row) || beforeBar(row);
}

/** Where the signs end that may stand at a place. */
function endOf(row: string, from: number, place: number): number {
  let at = from;
  while (at < row.length) {
    const code = row.charCodeAt(at);
    if (code > 127 || ((PLACES[code] ?? 0) & place) === 0) break;
    at++;
  }
  return at;
}

/** Before a colon and a space: a path, what a colon divides from it, and a word. */
function beforeColon(row: string): number {
  const from = row.charCodeAt(0) === AT ? 1 : 0;
  const path = endOf(row, from, IN_PATH);
  if (path === from) return 0;
  if (row.charCodeAt(path) !== COLON) return behindWord(row, path);
  const divided = endOf(row, path + 1, BEHIND_COLON);
  return divided === path + 1
    ? behindColon(row, divided)
    : behindWord(row, divided) || behindColon(row, divided, path + 2);
}

/** Where a row goes on behind a colon and a space, of which the colon ends at `at`; 0 where it stands before `least`. */
function behindColon(row: string, at: number, least = 0): number {
  return at > least && row.charCodeAt(at - 1) === COLON && row.charCodeAt(at) === SPACE ? at + 1 : 0;
}

/** Where a row goes on behind a space, a word, a colon and a space; 0 where these do not stand at `at`. */
function behindWord(row: string, at: number): number {
  return row.charCodeAt(at) === SPACE ? behindColon(row, endOf(row, at + 1, IN_WORD), at + 2) : 0;
}

/** Before a bar. */
function beforeBar(row: string): number {
  let at = endOf(row, 0, IN_NAME);
  if (at === 0 || row.charCodeAt(at) !== SPACE) return 0;
  while (row.charCodeAt(at) === SPACE) at++;
  return row.charCodeAt(at) === BAR && row.charCodeAt(at + 1) === SPACE ? at + 2 : 0;
}

/** Between brackets, which a colon may follow. */
function inBrackets(row: string, start: number): number {
  const from = row.charCodeAt(start + 1) === AT ? start + 2 : start + 1;
  let at = endOf(row, from, BRACKETED);
  if (at === from || at - from > LONGEST_IN_BRACKETS || row.charCodeAt(at) !== CLOSE) return 0;
  if (row.charCodeAt(++at) === COLON) at++;
  return row.charCodeAt(at) === SPACE ? at + 1 : 0;
}
