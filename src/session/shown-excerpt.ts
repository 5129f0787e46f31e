/** What every face shows of a log: our own excerpt by the settings, or what the optional helper makes of it. */
import { excerpt } from "../excerpt/index.ts";
import type { ByteSource, Excerpt } from "../excerpt/index.ts";
import type { CallSettings } from "./call-settings.ts";
import { excerptRequest } from "./excerpt-request.ts";
import { filtered } from "./output-filter.ts";

/** What is known about the run whose log it is. */
export interface ShownLog {
  readonly source: ByteSource;
  readonly command: string | null;
  /** Shell convention; null when it is not known. */
  readonly exitCode: number | null;
  /** Whether it ended by itself: what was stopped is no success, whatever its exit code. */
  readonly endedByItself: boolean;
  /** Whether it goes on; only our own excerpt is shown then. */
  readonly isRunning: boolean;
}

/** The text for a log and the account of it, with a sentence for each thing that could not be done as asked. */
export async function shownExcerpt(
  log: ShownLog,
  call: CallSettings,
): Promise<{ readonly excerpt: Excerpt; readonly notes: readonly string[] }> {
  const resolved = log.command === null ? call : call.of(log.command);
  const isSuccess = !log.isRunning && log.endedByItself && log.exitCode === 0;
  const exitCode = log.isRunning || (log.exitCode === 0 && !isSuccess) ? null : log.exitCode;
  const { request, notes } = await excerptRequest(resolved, { exitCode, command: log.command, isSuccess });
  const own = await excerpt(log.source, request);
  if (own.unread !== null)
    return { excerpt: own, notes: [...notes, `The log could not be read to its end: ${own.unread}`] };
  if (log.isRunning || log.command === null) return { excerpt: own, notes };
  const { source, command } = log;
  const { limits, mask } = request;
  const shown = await filtered(
    { command, exitCode, source, own, limits, ...(mask === undefined ? {} : { mask }) },
    call.env,
  );
  return { excerpt: shown.excerpt, notes: [...notes, ...shown.notes] };
}
