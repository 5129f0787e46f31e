/** `proctor logs`: a run's log, streamed at the reader's pace. */
import { stat } from "node:fs/promises";
import { ProctorError, errnoOf } from "../../model/index.ts";
import type { RunView, SessionApi } from "../../model/index.ts";
import {
  DEFAULT_SLICE_BYTES,
  compilePattern,
  followLog,
  linesFrom,
  logLines,
  matches,
  offsetOfLastLines,
  openLog,
  readLog,
  screenOf,
  stagesFrom,
  startOfLine,
  terminalRun,
} from "../../session/index.ts";
import type { LineLimit, LineStart, LogLine, Pattern } from "../../session/index.ts";
import { plainText } from "../../text/index.ts";
import type { Arguments } from "../command-spec.ts";
import { firstLines, matchingLines, plainStream } from "../plain-stream.ts";
import { withRun } from "../session-access.ts";
import { OutputClosed, writeJson, writeOut } from "../standard-output.ts";

const CHUNK_BYTES = 1 << 18;

/** Carries out `proctor logs`. */
export async function execute(args: Arguments): Promise<number> {
  const grep = args.text("grep");
  const pattern = grep === null ? null : compilePattern(grep, "--grep");
  checkCombination(args);
  return withRun(args, async (session, id) => {
    const view = await session.status(id);
    if (args.has("screen")) {
      const screen = await screenOf(view);
      if (args.has("json")) await writeJson({ id: terminalRun(view).id, path: terminalRun(view).log.path, ...screen });
      else await writeOut(screen.text === "" ? "" : `${screen.text}\n`);
      return 0;
    }
    if (args.has("json")) {
      await writeJson(
        await readLog(view, {
          lines: args.number("lines"),
          from: args.number("from"),
          fromLine: args.number("from-line"),
          grep: pattern,
          maxBytes: DEFAULT_SLICE_BYTES,
        }),
      );
      return 0;
    }
    try {
      if (args.has("follow")) await follow(session, view, args, pattern);
      else await print(view.log.path, args, pattern);
    } catch (error) {
      // `proctor logs ID | head`: the reader has what it wanted.
      if (!(error instanceof OutputClosed)) throw error;
    }
    return 0;
  });
}

function checkCombination(args: Arguments): void {
  for (const [a, b] of [
    ["raw", "grep"],
    ["raw", "json"],
    ["follow", "json"],
    ["screen", "follow"],
    ["screen", "raw"],
    ["screen", "grep"],
    ["screen", "lines"],
    ["screen", "from"],
    ["screen", "from-line"],
    ["from", "from-line"],
  ] as const) {
    if (args.has(a) && args.has(b))
      throw new ProctorError("ERR_INPUT_USAGE", `--${a} and --${b} exclude each other. Accepted: one of them.`);
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    return 0; // not there yet, or nothing was ever started
  }
}

/** Where the output begins: `--from`, or the last `--lines` before the end as it is now. */
async function beginOf(path: string, args: Arguments): Promise<{ from: number; size: number }> {
  const size = await sizeOf(path);
  const from = Math.min(size, args.number("from") ?? 0);
  const lines = args.number("lines");
  return {
    from: lines === null || size === 0 ? from : Math.max(from, await offsetOfLastLines(path, size, lines)),
    size,
  };
}

async function print(path: string, args: Arguments, pattern: Pattern | null): Promise<void> {
  const lines = args.number("lines");
  const line = args.number("from-line");
  if (line !== null) {
    const size = await sizeOf(path);
    const start = await startOfLine(path, line, size);
    if (start.offset < size) await writeLines(part(path, start.offset, size), start, args, pattern, limitOf(args));
    return;
  }
  if (pattern !== null && lines !== null) {
    await printLastMatches(path, args.number("from") ?? 0, lines, pattern);
    return;
  }
  const { from, size } = await beginOf(path, args);
  if (size === 0) return;
  await writeAll(part(path, from, size), args, from > 0, pattern, null);
}

/** How many lines, or matches, `--from-line` may still give out; null for all. */
function limitOf(args: Arguments): LineLimit | null {
  const left = args.number("lines");
  return left === null ? null : { left };
}

/** Writes what stands from a line on, as much of it as the limit lets through; `chunks` begin where `start` says. */
async function writeLines(
  chunks: AsyncIterable<Buffer>,
  start: LineStart,
  args: Arguments,
  pattern: Pattern | null,
  limit: LineLimit | null,
): Promise<void> {
  // Of a search matches are counted, not what was searched.
  const lines = linesFrom(chunks, start.countdown, pattern === null ? limit : null);
  await writeAll(lines, args, false, pattern, limit);
}

/**
 * Writes a part of a log as it is wanted.
 *
 * @param cut Whether the first byte may stand inside a character.
 * @param limit How many matches of the pattern, at most.
 */
async function writeAll(
  chunks: AsyncIterable<Buffer>,
  args: Arguments,
  cut: boolean,
  pattern: Pattern | null,
  limit: LineLimit | null,
): Promise<void> {
  if (args.has("raw")) {
    for await (const chunk of chunks) await writeOut(chunk);
    return;
  }
  const texts = plainStream(chunks, cut);
  const matching = pattern === null ? texts : matchingLines(texts, pattern);
  const shown = pattern === null || limit === null ? matching : firstLines(matching, limit);
  for await (const text of shown) await writeOut(text);
}

/** The bytes of a log from an offset to another, in chunks. */
async function* part(path: string, from: number, to: number): AsyncGenerator<Buffer> {
  const source = await openLog(path);
  try {
    for (let at = from; at < to; ) {
      const chunk = await source.read(at, Math.min(CHUNK_BYTES, to - at));
      if (chunk.length === 0) return;
      at += chunk.length;
      yield Buffer.from(chunk); // a copy: the text may hold on to the end of it while the next is read
    }
  } finally {
    await source.close();
  }
}

/** Lines are searched so many at a time, or once they hold so much text in UTF-16 units. */
const BATCH_LINES = 2000;
const BATCH_TEXT = 1 << 20;

async function* batches(lines: AsyncIterable<LogLine>): AsyncGenerator<readonly LogLine[]> {
  let batch: LogLine[] = [];
  let held = 0;
  for await (const line of lines) {
    batch.push(line);
    held += line.text.length;
    if (batch.length < BATCH_LINES && held < BATCH_TEXT) continue;
    yield batch;
    batch = [];
    held = 0;
  }
  yield batch;
}

/** The last `count` matches: their places are kept while searching, their text is read again for printing. */
async function printLastMatches(path: string, from: number, count: number, pattern: Pattern): Promise<void> {
  const places: { from: number; to: number }[] = [];
  let next = 0;
  try {
    for await (const batch of batches(logLines(path, from))) {
      const found = matches(
        pattern,
        batch.map((line) => plainText(line.text)),
      );
      for (const line of batch.filter((_, i) => found[i])) {
        places[next % count] = { from: line.from, to: line.to };
        next++;
      }
    }
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  const oldest = next > count ? next % count : 0;
  for (let i = 0; i < places.length; i++) {
    const place = places[(oldest + i) % places.length];
    if (place === undefined) continue;
    let last = "";
    for await (const text of plainStream(part(path, place.from, place.to), false)) {
      await writeOut(text);
      last = text;
    }
    if (!last.endsWith("\n")) await writeOut("\n");
  }
}

/** Goes on until the run has ended; through a sequence stage by stage. */
async function follow(session: SessionApi, view: RunView, args: Arguments, pattern: Pattern | null): Promise<void> {
  const at = (view.stages?.length ?? 1) - 1;
  const line = args.number("from-line");
  const limit = line === null ? null : limitOf(args);
  let isFirst = true;
  for await (const run of stagesFrom(session, view, Math.max(0, at))) {
    const { path } = run.log;
    const followed = (from: number): AsyncGenerator<Buffer> =>
      followLog(path, { from, until: session.wait({ id: run.id, timeoutMs: null }) });
    if (line === null) {
      const from = isFirst ? (await beginOf(path, args)).from : 0;
      await writeAll(followed(from), args, from > 0, pattern, null);
    } else {
      const start = await startOfLine(path, isFirst ? line : 1, await sizeOf(path));
      await writeLines(followed(start.offset), start, args, pattern, limit);
    }
    isFirst = false;
    if (limit?.left === 0) return;
  }
}
