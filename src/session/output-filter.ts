/**
 * The optional helper on the way from a log to its text. Where the helper is not on PATH this costs a few
 * looks at the disk: the parser of command lines and the helper's own code are loaded only when it is there.
 */
import { FilterProcessor } from "../excerpt/index.ts";
import type { ByteSource, Excerpt, ExcerptLimits } from "../excerpt/index.ts";
import { findOnPath } from "../os/path-search.ts";

/**
 * How long the helper may take for a question about itself and for a log, in milliseconds. Usual are tens;
 * all of them together stay below the time between the longest wait of a call and its client's own limit.
 */
const PROBE_MS = 1000;
const FILTER_MS = 2000;

/** A log that may be filtered: that of a run that has ended. */
export interface FilterableLog {
  readonly command: string;
  /** 0 only for a success. */
  readonly exitCode: number | null;
  readonly source: ByteSource;
  /** Our own excerpt of it. */
  readonly own: Excerpt;
  readonly limits: ExcerptLimits;
  readonly mask?: (text: string) => string;
}

/** One for this process: once the system could not start the helper, it is not asked again. */
let processor: FilterProcessor | null = null;

/** What is to be shown of a log, our own excerpt or the helper's text in its place, and a note where there is something to say. */
export async function filtered(
  log: FilterableLog,
  env: NodeJS.ProcessEnv,
): Promise<{ excerpt: Excerpt; notes: readonly string[] }> {
  const ours = (note: string | null): { excerpt: Excerpt; notes: readonly string[] } => ({
    excerpt: log.own,
    notes: note === null ? [] : [note],
  });
  if (findOnPath("rtk", env["PATH"] ?? "") === null) return ours(null);
  const { explainCommand } = await import("../shell/index.ts");
  const { filter } = await explainCommand(log.command);
  if (filter === null) return ours(null);
  if (processor === null) {
    const { rtkProcess } = await import("../os/rtk.ts");
    processor ??= new FilterProcessor(rtkProcess({ env, probeMs: PROBE_MS, filterMs: FILTER_MS }));
  }
  const { command: _, ...asked } = log;
  const { text, tokens, note } = await processor.process({ ...asked, filter });
  if (text === null) return ours(note);
  const { totalBytes, totalLines } = log.own;
  const lines = text.split("\n").length;
  return {
    excerpt: {
      ...log.own,
      text,
      tokens,
      truncated: true, // it stands for the whole log, and is not the log
      shownLines: Math.min(lines, totalLines),
      ranges: [{ from: 0, to: totalBytes, fromLine: 1, toLine: totalLines, why: `rtk ${filter}`, count: 1 }],
    },
    notes: [`The output was shortened by rtk (${filter}).`],
  };
}
