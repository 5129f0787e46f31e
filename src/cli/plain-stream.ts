/** A log's bytes as plain text while they come, in bounded memory whatever the length of a line. */
import { matches } from "../session/index.ts";
import type { LineLimit, Pattern } from "../session/index.ts";
import { plainText } from "../text/index.ts";

/** A line longer than this is given out in pieces. */
const MAX_HELD_BYTES = 1 << 20;
const NEWLINE = 10;

/** The first bytes of `bytes` that are the rest of a character cut before them: what `--from` may begin with. */
function strayBytes(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}

/** How many of the last bytes begin a character that is not complete. */
function openBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/** Chunks of a log as plain text, cut at ends of lines where there are any. `cut` says that the first byte may stand inside a character. */
export async function* plainStream(chunks: AsyncIterable<Buffer>, cut: boolean): AsyncGenerator<string> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isFirst = true;
  for await (const given of chunks) {
    const chunk = isFirst && cut ? given.subarray(strayBytes(given)) : given;
    isFirst = false;
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield plainText(Buffer.concat([...held, chunk.subarray(0, end)]).toString("utf8"));
      held = [];
      heldBytes = 0;
    }
    if (end < chunk.length) {
      held.push(chunk.subarray(end));
      heldBytes += chunk.length - end;
    }
    if (heldBytes < MAX_HELD_BYTES) continue;
    const long = Buffer.concat(held);
    const whole = long.length - openBytes(long);
    yield plainText(long.subarray(0, whole).toString("utf8"));
    held = [long.subarray(whole)];
    heldBytes = long.length - whole;
  }
  if (heldBytes > 0) yield plainText(Buffer.concat(held).toString("utf8"));
}

/**
 * The lines of a stream of text that match; a piece of a line that is too long counts as one.
 *
 * @throws ProctorError `ERR_INPUT_PATTERN` when the pattern takes too long.
 */
export async function* matchingLines(texts: AsyncIterable<string>, pattern: Pattern): AsyncGenerator<string> {
  for await (const text of texts) {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    const found = matches(pattern, lines);
    const chosen = lines.filter((_, i) => found[i]);
    if (chosen.length > 0) yield chosen.map((line) => `${line}\n`).join("");
  }
}

/** The first lines of a stream of texts that are whole lines; nothing is read beyond them. */
export async function* firstLines(texts: AsyncIterable<string>, limit: LineLimit): AsyncGenerator<string> {
  for await (const text of texts) {
    let end = 0;
    for (; limit.left > 0 && end < text.length; limit.left--) end = text.indexOf("\n", end) + 1;
    yield text.slice(0, end);
    if (limit.left === 0) return;
  }
}
