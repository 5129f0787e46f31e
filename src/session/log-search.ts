/**
 * The lines of a log, and those that match a pattern: the last of them, or the first from a place on. Read in chunks and
 * searched in batches, so no log is held in memory.
 */
import type { LogSlice, RunView } from "../model/index.ts";
import { plainText } from "../text/index.ts";
import { wholeTo } from "./log-slice.ts";
import { openLog } from "./log-source.ts";
import { matches } from "./pattern-search.ts";
import type { Pattern } from "./pattern-search.ts";

const CHUNK_BYTES = 1 << 18;
/** A line longer than this is matched and shown by its first part. */
export const MAX_LINE_BYTES: number = 1 << 20;

/** How many matches an answer holds. */
export interface SearchBounds {
  /** No more lines than these; null for all. */
  readonly lines: number | null;
  /** No more text than this, in bytes. */
  readonly maxBytes: number;
}

/** One line as it stands in the log, without its newline. */
export interface LogLine {
  readonly text: string;
  /** Offset of its first byte. */
  readonly from: number;
  /** Offset behind its newline, or behind its last byte. */
  readonly to: number;
}

/** The lines of a log from an offset to its end now, in order. */
export async function* logLines(path: string, from: number): AsyncGenerator<LogLine> {
  const source = await openLog(path);
  try {
    let parts: Buffer[] = [];
    let held = 0;
    let start = from;
    let at = from;
    for (;;) {
      const chunk = Buffer.from(await source.read(at, CHUNK_BYTES)); // a copy: parts outlive the next read
      if (chunk.length === 0) break;
      let begin = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, begin)) {
        parts.push(chunk.subarray(begin, end));
        yield { text: decode(parts), from: start, to: at + end + 1 };
        parts = [];
        held = 0;
        begin = end + 1;
        start = at + begin;
      }
      const rest = chunk.subarray(begin);
      if (rest.length > 0 && held < MAX_LINE_BYTES) {
        parts.push(rest);
        held += rest.length;
      }
      at += chunk.length;
    }
    if (at > start) yield { text: decode(parts), from: start, to: at };
  } finally {
    await source.close();
  }
}

function decode(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).subarray(0, MAX_LINE_BYTES).toString("utf8");
}

/** How many lines, and how much text in UTF-16 units, are searched at once. */
const BATCH_LINES = 2000;
const BATCH_TEXT = 1 << 20;

/** The lines of a log as plain text, some at a time. */
async function* lineBatches(path: string, from: number): AsyncGenerator<readonly LogLine[]> {
  let batch: LogLine[] = [];
  let held = 0;
  for await (const line of logLines(path, from)) {
    const text = plainText(line.text);
    batch.push({ ...line, text });
    held += text.length;
    if (batch.length < BATCH_LINES && held < BATCH_TEXT) continue;
    yield batch;
    batch = [];
    held = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The lines that match, as plain text. */
async function* linesThatMatch(path: string, from: number, pattern: Pattern): AsyncGenerator<LogLine> {
  for await (const batch of lineBatches(path, from)) {
    const found = matches(
      pattern,
      batch.map((line) => line.text),
    );
    yield* batch.filter((_, i) => found[i] === true);
  }
}

/** The first lines that match from an offset on; where there is no room for more, `to` is where the search goes on. */
export async function grepOnwards(
  view: RunView,
  size: number,
  from: number,
  grep: Pattern,
  query: SearchBounds,
): Promise<LogSlice> {
  const kept: string[] = [];
  let room = query.maxBytes;
  let to = size;
  let truncated = false;
  for await (const line of linesThatMatch(view.log.path, from, grep)) {
    // What came since the log's size was asked for is not part of the answer.
    if (line.from >= size) break;
    const bytes = Buffer.from(`${line.text}\n`);
    truncated = bytes.length > room;
    if (truncated && kept.length > 0) {
      to = line.from;
      break;
    }
    // Of a line that is longer than an answer its first part: without it the search could never go on behind it.
    kept.push(truncated ? bytes.toString("utf8", 0, wholeTo(bytes.subarray(0, room))) : `${line.text}\n`);
    room -= bytes.length;
    if (truncated || kept.length === query.lines) {
      to = Math.min(size, line.to);
      break;
    }
  }
  return {
    id: view.id,
    path: view.log.path,
    from,
    to,
    bytes: size,
    lines: kept.length,
    text: kept.join(""),
    truncated,
  };
}

/** The last lines that match from an offset on. */
export async function grepLog(
  view: RunView,
  size: number,
  wanted: number,
  grep: Pattern,
  query: SearchBounds,
): Promise<LogSlice> {
  const { path } = view.log;
  let kept: { text: string; bytes: number }[] = [];
  let keptBytes = 0;
  let truncated = false;
  for await (const { text } of linesThatMatch(path, wanted, grep)) {
    const bytes = Buffer.byteLength(text) + 1;
    kept.push({ text, bytes });
    keptBytes += bytes;
    const tooMany = query.lines !== null && kept.length > query.lines;
    if (tooMany || keptBytes > query.maxBytes) {
      // Keep the last ones; drop in halves, so that a million matches cost no million shifts.
      const limit = query.lines ?? Number.POSITIVE_INFINITY;
      if (kept.length > 2 * limit || keptBytes > 2 * query.maxBytes) {
        ({ kept, keptBytes } = lastOf(kept, limit, query.maxBytes));
        truncated ||= !tooMany;
      }
    }
  }
  const before = kept.length;
  ({ kept } = lastOf(kept, query.lines ?? Number.POSITIVE_INFINITY, query.maxBytes));
  truncated ||= query.lines === null && kept.length < before;
  return {
    id: view.id,
    path,
    from: wanted,
    to: size,
    bytes: size,
    lines: kept.length,
    text: kept.map((l) => `${l.text}\n`).join(""),
    truncated,
  };
}

function lastOf(
  lines: readonly { text: string; bytes: number }[],
  count: number,
  maxBytes: number,
): { kept: { text: string; bytes: number }[]; keptBytes: number } {
  let keptBytes = 0;
  let first = lines.length;
  while (first > 0 && lines.length - first < count) {
    const bytes = lines[first - 1]?.bytes ?? 0;
    if (keptBytes + bytes > maxBytes) break;
    keptBytes += bytes;
    first -= 1;
  }
  return { kept: lines.slice(first), keptBytes };
}
