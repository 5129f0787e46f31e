/**
 * Readers of logs: a part of one as text, a line that matches, new bytes as they come. All read the same
 * file from an offset at their own pace, in chunks; none holds a whole log in memory.
 */
import { open, stat } from "node:fs/promises";
import { ProctorError, errnoOf, messageOf } from "../model/index.ts";
import type { LogSlice, RunView } from "../model/index.ts";
import { plainText } from "../text/index.ts";
import { openLog } from "./log-source.ts";
import { matches } from "./pattern-search.ts";
import type { Pattern } from "./pattern-search.ts";

const CHUNK_BYTES = 1 << 18;
/** A line longer than this is matched and shown by its first part. */
const MAX_LINE_BYTES = 1 << 20;
/** How much text one answer holds, unless the caller sets another bound. */
export const DEFAULT_SLICE_BYTES: number = 256 * 1024;

/** Which part of a log is wanted. */
export interface LogQuery {
  /** The last lines; null for all. */
  readonly lines: number | null;
  /** From this byte on. */
  readonly from: number | null;
  /** Only lines that match. */
  readonly grep: Pattern | null;
  /** No more text than this, in bytes; what is over is left out at the front. */
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

/** The offset of the last `count` lines of the first `size` bytes of a log. */
export async function offsetOfLastLines(path: string, size: number, count: number): Promise<number> {
  const handle = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let left = count;
    // The newline that ends the last line begins no line.
    let isLast = true;
    for (let end = size; end > 0; ) {
      const begin = Math.max(0, end - CHUNK_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, end - begin, begin);
      for (let i = bytesRead - 1; i >= 0; i--) {
        if (buffer[i] !== 10) {
          isLast = false;
          continue;
        }
        if (isLast) {
          isLast = false;
          continue;
        }
        left -= 1;
        if (left === 0) return begin + i + 1;
      }
      end = begin;
    }
    return 0;
  } finally {
    await handle.close();
  }
}

/**
 * Reads a part of a run's log as plain text.
 *
 * @throws ProctorError `ERR_INPUT_FILE` when the log is gone.
 */
export async function readLog(view: RunView, query: LogQuery): Promise<LogSlice> {
  const { path } = view.log;
  let size: number;
  try {
    size = (await stat(path)).size;
  } catch (error) {
    if (errnoOf(error) !== "ENOENT")
      throw new ProctorError(
        "ERR_INPUT_FILE",
        `The log ${path} can't be read (${errnoOf(error) ?? messageOf(error)}).`,
        { cause: error },
      );
    return { id: view.id, path, from: 0, to: 0, bytes: 0, lines: 0, text: "", truncated: false };
  }
  const wanted = Math.min(size, query.from ?? 0);
  if (query.grep !== null) return grepLog(view, size, wanted, query);
  const byLines = query.lines === null ? wanted : Math.max(wanted, await offsetOfLastLines(path, size, query.lines));
  const from = query.from === null ? Math.max(byLines, size - query.maxBytes) : byLines;
  const to = query.from === null ? size : Math.min(size, from + query.maxBytes);
  const handle = await open(path, "r");
  try {
    const buffer = Buffer.alloc(to - from);
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    const begin = from > byLines ? wholeFrom(buffer, filled) : 0;
    const end = from + filled < size && to < size ? wholeTo(buffer, filled) : filled;
    const text = plainText(buffer.subarray(begin, end).toString("utf8"));
    return {
      id: view.id,
      path,
      from: from + begin,
      to: from + end,
      bytes: size,
      lines: countLines(text),
      text,
      truncated: from > byLines || to < size,
    };
  } finally {
    await handle.close();
  }
}

/** Where the first whole line of a cut begins; of a line that fills it all, the first whole character. */
function wholeFrom(buffer: Buffer, filled: number): number {
  const at = buffer.subarray(0, filled).indexOf(10) + 1;
  if (at > 0 && at < filled) return at;
  let begin = 0;
  while (begin < 3 && begin < filled && isContinuation(buffer[begin])) begin += 1;
  return begin;
}

/** Where the last whole line of a cut ends; of a line that fills it all, the last whole character. */
function wholeTo(buffer: Buffer, filled: number): number {
  const at = buffer.subarray(0, filled).lastIndexOf(10) + 1;
  if (at > 0) return at;
  let lead = filled - 1;
  while (lead > 0 && filled - lead < 4 && isContinuation(buffer[lead])) lead -= 1;
  const byte = buffer[lead] ?? 0;
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return lead > 0 && lead + length > filled ? lead : filled;
}

/** A byte that goes on with a character of UTF-8 (RFC 3629). */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** How many lines, and how much text in UTF-16 units, are searched at once. */
const BATCH_LINES = 2000;
const BATCH_TEXT = 1 << 20;

/** The lines of a log as plain text, some at a time. */
async function* lineBatches(path: string, from: number): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  let held = 0;
  for await (const line of logLines(path, from)) {
    const text = plainText(line.text);
    batch.push(text);
    held += text.length;
    if (batch.length < BATCH_LINES && held < BATCH_TEXT) continue;
    yield batch;
    batch = [];
    held = 0;
  }
  if (batch.length > 0) yield batch;
}

async function grepLog(view: RunView, size: number, wanted: number, query: LogQuery): Promise<LogSlice> {
  const { path } = view.log;
  let kept: { text: string; bytes: number }[] = [];
  let keptBytes = 0;
  let truncated = false;
  for await (const batch of lineBatches(path, wanted)) {
    const found = query.grep === null ? [] : matches(query.grep, batch);
    for (const text of batch.filter((_, i) => found[i] === true)) {
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

function countLines(text: string): number {
  if (text === "") return 0;
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return text.endsWith("\n") ? lines : lines + 1;
}

/** How often a log that is followed is looked at, in milliseconds: cheaper than fs.watch on a growing file. */
const FOLLOW_MS = 100;

/** What a follower is given. */
export interface FollowOptions {
  readonly from: number;
  /** Resolves when no more will come: what is there then is the last. */
  readonly until: Promise<unknown>;
  /** How often to look, in milliseconds; default 100. */
  readonly lookMs?: number;
  readonly signal?: AbortSignal;
}

/** The raw bytes of a log as they come, until no more will. */
export async function* followLog(path: string, options: FollowOptions): AsyncGenerator<Buffer> {
  let at = options.from;
  let isOver = false;
  let wake: () => void = () => undefined;
  const over = (): void => {
    isOver = true;
    wake();
  };
  void options.until.then(over, over);
  options.signal?.addEventListener("abort", over, { once: true });
  for (;;) {
    // Looked at before the read: what was written before the end is read after it is known.
    const isLast = isOver;
    if (options.signal?.aborted === true) return;
    const source = await openLog(path).catch((error: unknown) => {
      if (errnoOf(error) === "ENOENT") return null; // not there yet, or removed with its session
      throw error;
    });
    if (source !== null) {
      try {
        for (;;) {
          const chunk = await source.read(at, CHUNK_BYTES);
          if (chunk.length === 0) break;
          at += chunk.length;
          yield Buffer.from(chunk);
        }
      } finally {
        await source.close();
      }
    }
    if (isLast) return;
    if (isOver) continue;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, options.lookMs ?? FOLLOW_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/**
 * Waits for a line that matches; gives it, or null when none can come any more or the signal fired.
 *
 * @throws ProctorError `ERR_INPUT_PATTERN` when the pattern takes too long.
 */
export async function waitForLine(path: string, pattern: Pattern, options: FollowOptions): Promise<string | null> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of followLog(path, options)) {
    let data: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const lines: string[] = [];
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
      lines.push(plainText(data.subarray(0, end).toString("utf8")));
      data = data.subarray(end + 1);
    }
    rest = Buffer.from(data.subarray(0, MAX_LINE_BYTES));
    // A prompt has no newline: what stands there so far is a line as well.
    const partial = plainText(rest.toString("utf8"));
    if (partial !== "") lines.push(partial);
    const at = matches(pattern, lines).indexOf(true);
    if (at >= 0) return lines[at] ?? null;
  }
  return null;
}
