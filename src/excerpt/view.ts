/**
 * The rows as they are read, apart from how they are printed: without timestamps, without the name of
 * the stream that a line came from, and unwrapped where a tool prints its lines inside JSON.
 */
import { RECOGNISERS } from "./recognisers/index.ts";
import type { Rows } from "./rows.ts";

/** The rows to read. Every list has one entry for each row. */
export interface View {
  readonly text: readonly string[];
  /** What each row is printed as. */
  readonly printed: readonly string[];
  /** The name of the stream that a row belongs to; "" for none. Rows of one stream are read on their own. */
  readonly stream: readonly string[];
}

const TIME =
  /^\s*(?:[[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d)(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?[\])]?:?\s+|#\d+ \d+\.\d+ |(?:==|--)\d+(?:==|--)(?: |$))/;
// Of a longer row the start and the end are read.
const MAX_READ = 1200;
const READ_END = 200;
const STREAM = /^(?:@?[\w./-]+(?::[\w:.-]+)?(?: [\w:-]+)?: |[\w.-]+ +\| |\[@?[\w:./ -]{1,40}\]:? )/;
// Fewer lines than this with one prefix are lines that begin alike, not a stream.
const STREAM_LINES = 4;
// Where streams are told apart, most lines say theirs.
const STREAM_SHARE = 0.4;
const WORDS = /^\[?(?:error|warning|warn|info|note|debug|fatal|hint|help|remote|npm|e|w|i|caused by|at|file|from|in|not|test|ok)\b|\.\w+:\d/i;

/** Reads the rows. */
export function viewOf(rows: Rows): View {
  const printed = unwrap(rows.text);
  const text = printed.map((row) => {
    const read = row.length > MAX_READ ? `${row.slice(0, MAX_READ - READ_END)} ${row.slice(-READ_END)}` : row;
    return read.length > 0 && TIME.test(read) ? read.replace(TIME, "") : read;
  });
  const prefixes = text.map((row) => {
    const found = STREAM.exec(row);
    return found === null || WORDS.test(row) ? "" : found[0];
  });
  const count = new Map<string, number>();
  for (const prefix of prefixes) if (prefix !== "") count.set(prefix, (count.get(prefix) ?? 0) + 1);
  const streamed = prefixes.filter((prefix) => (count.get(prefix) ?? 0) >= STREAM_LINES).length;
  const filled = text.reduce((n, row) => (row === "" ? n : n + 1), 0);
  const stream = prefixes.map((prefix) => (streamed > filled * STREAM_SHARE && (count.get(prefix) ?? 0) >= STREAM_LINES ? prefix : ""));
  return { text: text.map((row, i) => row.slice(stream[i]?.length ?? 0)), printed, stream };
}

function unwrap(rows: readonly string[]): readonly string[] {
  const first = rows.slice(0, 20);
  const wrapped = RECOGNISERS.find((recogniser) => recogniser.unwrap !== undefined && first.some((row) => recogniser.unwrap?.when.test(row)));
  const rule = wrapped?.unwrap;
  if (rule === undefined) return rows;
  return rows.map((row) => (rule.when.test(row) ? (rule.into(row) ?? "") : row));
}
