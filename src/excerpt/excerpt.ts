/** From a log to its excerpt: read it once, turn it into rows, choose, print. */
import { wideEncodingOf } from "../text/index.ts";
import { choose } from "./choose.ts";
import { withKeysMasked } from "./masked.ts";
import { render } from "./render.ts";
import { rowsOf } from "./rows.ts";
import { scanBytes, scanSource } from "./scan.ts";
import type { Scan } from "./segment.ts";
import type { ByteSource, Excerpt, ExcerptRequest } from "./types.ts";
import { WideBytes, WideLog } from "./wide-log.ts";

/**
 * Chooses what to show of a log. The log's size is asked for once; what is appended later is not read.
 * A log that cannot be read to its end is told of as far as it was read, with the reason in `unread`.
 */
export async function excerpt(source: ByteSource, request: ExcerptRequest): Promise<Excerpt> {
  const wide = await WideLog.of(source);
  const seen = excerptOfScan(await scanSource(wide ?? source, request.errorPatterns), request);
  return wide === null ? seen : wide.account(seen);
}

/** The same for bytes that are in memory. */
export function excerptOfBytes(bytes: Uint8Array, request: ExcerptRequest): Excerpt {
  const encoding = wideEncodingOf(bytes);
  if (encoding === null) return excerptOfScan(scanBytes(bytes, request.errorPatterns), request);
  const wide = new WideBytes(bytes, encoding);
  return wide.account(excerptOfScan(scanBytes(wide.utf8, request.errorPatterns), request));
}

function excerptOfScan(scan: Scan, request: ExcerptRequest): Excerpt {
  const read = rowsOf(scan);
  const rows = request.mask === undefined ? read : withKeysMasked(read, request.mask);
  const rendered = render(rows, choose(rows, request), rows.totalLines, request.limits, request.mask);
  return {
    text: rendered.text,
    truncated: rendered.truncated,
    totalBytes: scan.totalBytes,
    totalLines: rows.totalLines,
    shownLines: rendered.shown.length,
    tokens: rendered.tokens,
    ranges: rendered.ranges,
    unread: scan.unread,
  };
}
