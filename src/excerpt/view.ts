/**
 * The rows as they are read, apart from how they are printed: without timestamps, without the name of
 * the stream that a line came from, and unwrapped where a tool prints its lines inside JSON. Rows are
 * made readable when they are asked for, since most never are.
 */
import { stripControls } from "../text/index.ts";
import type { Finding } from "./finding.ts";
import { RECOGNISERS } from "./recognisers/index.ts";
import type { Recogniser } from "./recognisers/recogniser.ts";
import type { RawRows } from "./raw-rows.ts";
import type { Rows } from "./rows.ts";
import type { Sayings } from "./said.ts";
import { GRADE, gradeOf, loudAt } from "./severity.ts";
import { nameLength } from "./stream-name.ts";

const TIME =
  /^\s*(?:[[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d)(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?[\])]?:?\s+|#\d+ \d+\.\d+ |(?:==|--)\d+(?:==|--)(?: |$))/;
const MAY_BE_TIME = /^\s*[[(]?(?:\d|[A-Z][a-z]{2} |#\d|==|--)/;
// tar: · web | · not a:b: , which goes on as far as it can.
const PLAIN_STREAM = /^(?:@?[\w./-]+: |[\w.-]+ +\| )$/;
const WORDS =
  /^ *\[? *(?:error|warning|warn|info|note|debug|fatal|hint|help|remote|npm|e|w|i|caused by|at|file|from|in|not|test|ok|pass(?:ed)?|fail(?:ed)?|skip(?:ped)?)\b|\.\w+:\d/i;
// Of a longer row the start and the end are read.
const MAX_READ = 1200;
const READ_END = 200;
const [SMALL_A, SMALL_Z, DOT, SLASH, SPACE] = [97, 122, 46, 47, 32];
// However often what is a word stands at the beginning of a row, it is none.
const NO_STREAM = Number.NEGATIVE_INFINITY;
// Of one that says in its middle what went wrong.
const LOUD_START = 250;
const LOUD = 300;
// So many long rows are searched: each costs as much as many short ones.
const MOST_LOOKS = 300;
// Fewer lines than this with one prefix are lines that begin alike, not a stream.
const STREAM_LINES = 4;
// Where streams are told apart, most lines say theirs.
const STREAM_SHARE = 0.4;
// So many rows, spread evenly, tell whether there are streams.
const SAMPLES = 2000;

/** The rows to read. */
export class View {
  readonly length: number;
  /** For each row whether it holds a stem: 1, or 0. No other row can be evidence. */
  readonly #holdsStem: Uint8Array;
  /** What a look at a row gave, for those that were looked at. */
  readonly examined: (Finding | null | undefined)[] = [];
  /** For a pattern the row that was searched last above, and what was found. */
  readonly #searched = new Map<RegExp, { readonly row: number; readonly found: number }>();
  readonly #rows: readonly string[];
  /** Their bytes, where what is read of a row is the end of it. */
  readonly #raw: RawRows | null;
  readonly #lines: readonly number[];
  readonly #unkept: ReadonlyMap<number, number>;
  readonly #unwrap: Recogniser["unwrap"];
  readonly #streams: ReadonlySet<string>;
  /** The characters that their names begin with. */
  readonly #begins: ReadonlySet<number>;
  #looks = MOST_LOOKS;
  #lastStream = "";
  #lastIsPlain = false;
  readonly #printed: (string | undefined)[] = [];
  readonly #text: (string | undefined)[] = [];
  readonly #stream: (string | undefined)[] = [];

  /** @param candidates The rows that hold a stem. */
  constructor(rows: Rows, candidates: readonly number[]) {
    this.#rows = rows.text;
    this.length = rows.text.length;
    this.#holdsStem = new Uint8Array(this.length);
    for (const row of candidates) this.#holdsStem[row] = 1;
    this.#lines = rows.line;
    this.#unkept = rows.unkept;
    const start = rows.text.slice(0, 20);
    this.#unwrap = RECOGNISERS.find(
      (r) => r.unwrap !== undefined && start.some((row) => r.unwrap?.when.test(row)),
    )?.unwrap;
    this.#streams = streamsOf(rows.text);
    this.#begins = new Set([...this.#streams].map((name) => name.charCodeAt(0)));
    this.#raw = this.#unwrap === undefined ? rows.raw : null;
    // Of their full length from the start: rows are asked for far apart, which makes a growing list a slow one.
    this.#text.length = this.length;
    this.examined.length = this.length;
    if (this.#unwrap !== undefined) this.#printed.length = this.length;
    if (this.#streams.size > 0) this.#stream.length = this.length;
  }

  /** How many lines of the log the rows stand for: themselves, and those of their kinds that were not kept. */
  standFor(rows: readonly number[]): number {
    if (this.#unkept.size === 0) return rows.length;
    return rows.reduce((sum, row) => sum + (this.#unkept.get(this.#lines[row] ?? 0) ?? 0), rows.length);
  }

  /** Whether a row holds one of the stems that evidence has. */
  holdsStem(row: number): boolean {
    return this.#holdsStem[row] === 1;
  }

  /** What a row is printed as; "" outside. */
  printed(row: number): string {
    if (row < 0 || row >= this.length) return "";
    if (this.#unwrap === undefined) return this.#rows[row] ?? "";
    const known = this.#printed[row];
    if (known !== undefined) return known;
    const raw = this.#rows[row] ?? "";
    // What a record holds is a row, and may draw on a terminal as little as any other.
    const shown = this.#unwrap.when.test(raw) ? oneLine(this.#unwrap.into(raw) ?? "") : raw;
    this.#printed[row] = shown;
    return shown;
  }

  /** What a row says, without its time and its stream; "" outside. */
  text(row: number): string {
    // A look beyond the end of a list is slow, and makes every later look at it slower.
    if (row < 0 || row >= this.length) return "";
    const known = this.#text[row];
    if (known !== undefined) return known;
    const read = timeless(this.#read(row));
    const text = unbarred(this.#streams.size === 0 ? read : read.slice(this.#streamOf(row, read).length));
    this.#text[row] = text;
    return text;
  }

  /** A row as it is printed; of a long one its start, the words that make it evidence, and its end. */
  #read(row: number): string {
    const printed = this.printed(row);
    if (printed.length <= MAX_READ || !this.holdsStem(row) || this.#looks === 0) return printed;
    if (gradeOf(`${printed.slice(0, MAX_READ - READ_END)} ${printed.slice(-READ_END)}`) >= GRADE.strong) return printed;
    this.#looks--;
    const at = loudAt(printed);
    const start = printed.slice(0, LOUD_START);
    return at < 0 ? printed : `${start} ${printed.slice(at, at + LOUD)} ${printed.slice(-READ_END)}`;
  }

  /** What a row says, as a number that rows have in common which say the same of different things. */
  saidBy(row: number, sayings: Sayings): number {
    const text = this.text(row);
    const { length } = this.#rows[row] ?? "";
    // What is read of a longer row is not the end of it.
    const raw = length > MAX_READ ? null : this.#raw;
    if (raw === null) return sayings.of(text);
    const from = raw.startOf(row, length);
    if (from >= 0) return sayings.ofBytes(text, raw.view, from + length - text.length, from + length);
    return text.length === length ? sayings.ofBytes(text, raw.view, raw.from(row), raw.to(row)) : sayings.of(text);
  }

  /** The nearest row above that a pattern matches, of those less than `reach` rows away; -1 when there is none. */
  nearestAbove(pattern: RegExp, row: number, reach: number): number {
    const last = this.#searched.get(pattern);
    let found = -1;
    for (let at = row - 1; at >= 0 && at > row - reach; at--) {
      // What is above was searched for a row further up: rows are asked for in order, and each would search the same.
      if (last !== undefined && last.row === at + 1) {
        found = last.found > row - reach ? last.found : -1;
        break;
      }
      if (pattern.test(this.text(at))) {
        found = at;
        break;
      }
    }
    this.#searched.set(pattern, { row, found });
    return found;
  }

  /** The name of the stream that a row belongs to; "" for none. Rows of one stream are read on their own. */
  stream(row: number): string {
    if (this.#streams.size === 0) return "";
    return this.#stream[row] ?? this.#streamOf(row, timeless(this.printed(row)));
  }

  #streamOf(row: number, read: string): string {
    const known = this.#stream[row];
    if (known !== undefined) return known;
    // Rows of one stream often follow each other, and whatever stands behind a plain name does not make it longer.
    if (this.#lastIsPlain && read.startsWith(this.#lastStream)) {
      this.#stream[row] = this.#lastStream;
      return this.#lastStream;
    }
    const stream = this.#begins.has(read.charCodeAt(0)) ? this.#known(read, nameLength(read)) : "";
    this.#stream[row] = stream;
    return stream;
  }

  /** The stream whose name a row begins with; "" when its first `length` characters name none. */
  #known(row: string, length: number): string {
    // Rows of one stream often follow each other: then no part of the row has to be made to ask with.
    if (this.#lastStream.length !== length || !row.startsWith(this.#lastStream)) {
      const name = row.slice(0, length);
      if (!this.#streams.has(name)) return "";
      this.#lastStream = name;
      this.#lastIsPlain = PLAIN_STREAM.test(name);
    }
    return this.#lastStream;
  }
}

function oneLine(text: string): string {
  return stripControls(text).replace(/\s*\n\s*/g, " ");
}

// Python sets each of a group of exceptions behind a bar.
const BARRED =
  /^ *\| (?= {2}File "|Traceback \(|(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|ExceptionGroup|Interrupt|Warning|Exit)\b|(?:[a-z_]\w*\.)+[A-Z]\w+: |[A-Z][a-z]\w*: \S)/;

function unbarred(text: string): string {
  return text.startsWith(" ") && BARRED.test(text) ? text.replace(BARRED, "") : text;
}

function timeless(row: string): string {
  // No time begins with one of these, and most rows do.
  const first = row.charCodeAt(0);
  if (row.length <= MAX_READ && ((first >= SMALL_A && first <= SMALL_Z) || first === DOT || first === SLASH))
    return row;
  const read = row.length > MAX_READ ? `${row.slice(0, MAX_READ - READ_END)} ${row.slice(-READ_END)}` : row;
  return MAY_BE_TIME.test(read) && TIME.test(read) ? read.replace(TIME, "") : read;
}

function streamsOf(rows: readonly string[]): Set<string> {
  const step = Math.max(1, Math.floor(rows.length / SAMPLES));
  const count = new Map<string, number>();
  const flush = new Set<string>();
  let filled = 0;
  for (let row = 0; row < rows.length; row += step) {
    const text = rows[row] ?? "";
    if (text === "") continue;
    filled++;
    const read = timeless(text.length > 200 ? text.slice(0, 200) : text);
    const length = nameLength(read);
    if (length === 0) continue;
    const prefix = read.slice(0, length);
    const known = count.get(prefix) ?? (WORDS.test(prefix) ? NO_STREAM : 0);
    count.set(prefix, known + 1);
    if (known >= 0 && read.charCodeAt(length) !== SPACE) flush.add(prefix);
  }
  // What is always followed by more space is the name of a field, whose values are set below each other.
  const streams = [...count].filter(([prefix, n]) => n >= STREAM_LINES && flush.has(prefix));
  const streamed = streams.reduce((sum, [, n]) => sum + n, 0);
  return new Set(streamed > filled * STREAM_SHARE ? streams.map(([prefix]) => prefix) : []);
}
