/**
 * Readers of logs: a part of one as text, a line that matches, new bytes as they come. All read the same
 * file from an offset at their own pace, in chunks; none holds a whole log in memory.
 */
import { open, stat } from "node:fs/promises";
import { ProctorError, errnoOf, messageOf } from "../model/index.ts";
import type { LogSlice, RunView } from "../model/index.ts";
import { plainText } from "../text/index.ts";
import { startOfLine } from "./log-lines.ts";
import type { LineStart } from "./log-lines.ts";
import { MAX_LINE_BYTES, grepLog, grepOnwards } from "./log-search.ts";
import { bytesBetween, sliceOf, wholeFrom, wholeTo } from "./log-slice.ts";
import { openLog } from "./log-source.ts";
import { matches } from "./pattern-search.ts";
import type { Pattern } from "./pattern-search.ts";

const CHUNK_BYTES = 1 << 18;
/** How much text one answer holds, unless the caller sets another bound. */
export const DEFAULT_SLICE_BYTES: number = 256 * 1024;

/** Which part of a log is wanted. */
export interface LogQuery {
  /** The last lines, or the first from `fromLine` on; null for all. */
  readonly lines: number | null;
  /** From this byte on. */
  readonly from: number | null;
  /** From this line on, counted from 1 as in an excerpt; excludes `from`. */
  readonly fromLine: number | null;
  /** Only lines that match. */
  readonly grep: Pattern | null;
  /** No more text than this, in bytes; what is over is left out at the front, or behind where it has a beginning. */
  readonly maxBytes: number;
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
 * @throws ProctorError `ERR_INPUT_FILE` when the log is gone, `ERR_INPUT_NUMBER` for a line that none can be,
 * `ERR_INPUT_USAGE` for two beginnings.
 */
export async function readLog(view: RunView, query: LogQuery): Promise<LogSlice> {
  checkBeginning(query);
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
  if (query.fromLine !== null) {
    const start = await startOfLine(path, query.fromLine, size);
    return query.grep === null
      ? sliceFromLine(view, size, start, query)
      : grepOnwards(view, size, start.offset, query.grep, query);
  }
  const wanted = Math.min(size, query.from ?? 0);
  if (query.grep !== null) return grepLog(view, size, wanted, query.grep, query);
  const byLines = query.lines === null ? wanted : Math.max(wanted, await offsetOfLastLines(path, size, query.lines));
  const from = query.from === null ? Math.max(byLines, size - query.maxBytes) : byLines;
  const to = query.from === null ? size : Math.min(size, from + query.maxBytes);
  const bytes = await bytesBetween(path, from, to);
  const begin = from > byLines ? wholeFrom(bytes) : 0;
  const end = from + bytes.length < size && to < size ? wholeTo(bytes) : bytes.length;
  return {
    ...sliceOf(view, size, from + begin, bytes.subarray(begin, end)),
    truncated: from > byLines || to < size,
  };
}

function checkBeginning({ from, fromLine }: LogQuery): void {
  if (fromLine === null) return;
  if (!Number.isSafeInteger(fromLine) || fromLine < 1)
    throw new ProctorError(
      "ERR_INPUT_NUMBER",
      `fromLine: ${fromLine} can't be used. Accepted: a whole number from 1 to ${Number.MAX_SAFE_INTEGER}.`,
      { details: { field: "fromLine", value: String(fromLine) } },
    );
  if (from !== null)
    throw new ProctorError("ERR_INPUT_USAGE", "from and fromLine exclude each other. Accepted: one of them.");
}

/** From a line on, `lines` of them at most. */
async function sliceFromLine(view: RunView, size: number, start: LineStart, query: LogQuery): Promise<LogSlice> {
  const { offset, countdown } = start;
  const to = Math.min(size, offset + query.maxBytes);
  const bytes = await bytesBetween(view.log.path, offset, to);
  let end = bytes.length;
  let isAll = to === size;
  if (query.lines !== null) {
    countdown.more(query.lines);
    end = countdown.take(bytes);
    isAll ||= countdown.left === 0;
  }
  return { ...sliceOf(view, size, offset, bytes.subarray(0, isAll ? end : wholeTo(bytes))), truncated: !isAll };
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
