/**
 * Bytes in, events out. Lines end with LF and nothing else (U+2028 may stand raw inside JSON); a last line
 * needs none. A line may be as long as `maxLineBytes`; of a longer one a beginning is reported and the rest
 * skipped, so memory stays bounded whatever an agent prints. How the bytes are cut into chunks changes
 * nothing.
 */
import { isUtf8 } from "node:buffer";
import type { ProviderParser, StreamEnd } from "./adapter.ts";
import { isObject } from "./json-fields.ts";
import type { JsonObject, NoiseReason, ProviderEvent, ProviderFact } from "./vocabulary.ts";

/** The longest line that is held: real agents print lines of several MiB. */
const DEFAULT_MAX_LINE_BYTES: number = 64 * 1024 ** 2;
/** How much of a line that is no event is reported, in characters. */
const NOISE_CHARS = 4096;
const LF = 10;
const BOM = "\uFEFF";

/** One attempt's stdout. */
export class ProviderStream {
  readonly #parser: ProviderParser;
  readonly #maxLineBytes: number;
  /** The pieces of a line that has not ended, and their length. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** The length of a line that is too long, from its beginning; null while none is skipped. */
  #skipped: number | null = null;
  #isFirstLine = true;
  #isTorn = false;
  #sawDone = false;

  constructor(parser: ProviderParser, maxLineBytes: number = DEFAULT_MAX_LINE_BYTES) {
    this.#parser = parser;
    this.#maxLineBytes = maxLineBytes;
  }

  /** Takes some bytes; gives the events of the lines that they complete. The buffer may be used again afterwards. */
  *push(chunk: Buffer): Generator<ProviderEvent> {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      yield* this.#endLine(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from < chunk.length) yield* this.#hold(chunk.subarray(from));
  }

  /** The stream is over: the last line, and what the parser makes of the end. */
  *end(exitCode: number | null, isSignaled: boolean): Generator<ProviderEvent> {
    if (this.#skipped !== null || this.#heldBytes > 0) yield* this.#endLine(Buffer.alloc(0), true);
    if (this.#sawDone) return;
    const end: StreamEnd = { exitCode, isSignaled, isTorn: this.#isTorn };
    for (const fact of this.#parser.end?.(end) ?? []) yield this.#event(fact, null);
  }

  *#hold(piece: Buffer): Generator<ProviderEvent> {
    if (this.#skipped !== null) {
      this.#skipped += piece.length;
      return;
    }
    if (this.#heldBytes + piece.length > this.#maxLineBytes) {
      const start = Buffer.concat([...this.#held, piece.subarray(0, NOISE_CHARS)]).subarray(0, NOISE_CHARS);
      this.#skipped = this.#heldBytes + piece.length;
      this.#held = [];
      this.#heldBytes = 0;
      yield noise("too_long", start.toString("utf8"), this.#skipped);
      return;
    }
    this.#held.push(Buffer.from(piece)); // a copy: the chunk is the reader's
    this.#heldBytes += piece.length;
  }

  *#endLine(piece: Buffer, isLast: boolean = false): Generator<ProviderEvent> {
    if (this.#skipped !== null) {
      this.#skipped = null;
      return;
    }
    let line = piece;
    if (this.#heldBytes > 0) {
      yield* this.#hold(piece);
      if (this.#skipped !== null) {
        this.#skipped = null;
        return;
      }
      line = this.#held.length === 1 ? (this.#held[0] ?? piece) : Buffer.concat(this.#held, this.#heldBytes);
      this.#held = [];
      this.#heldBytes = 0;
    } else if (piece.length > this.#maxLineBytes) {
      yield noise("too_long", piece.subarray(0, NOISE_CHARS).toString("utf8"), piece.length);
      return;
    }
    yield* this.#line(line, isLast);
  }

  *#line(bytes: Buffer, isLast: boolean): Generator<ProviderEvent> {
    let text = bytes.toString("utf8");
    if (text.endsWith("\r")) text = text.slice(0, -1);
    const isFirst = this.#isFirstLine;
    this.#isFirstLine = false;
    if (isFirst && text.startsWith(BOM)) {
      text = text.slice(1);
      yield noise("bom", "", 3);
    }
    if (text.includes("\uFFFD") && !isUtf8(bytes)) yield noise("invalid_utf8", text, bytes.length);
    const value = parseObject(text);
    if (value !== null) {
      const facts = this.#parser.json(value);
      if (facts.length === 0) yield { type: "unknown", raw: value };
      for (const fact of facts) yield this.#event(fact, value);
      return;
    }
    if (text === "" && this.#parser.text === undefined) return; // an empty line says nothing
    const facts = this.#parser.text?.(text);
    if (facts !== undefined) {
      for (const fact of facts) yield this.#event(fact, text);
      return;
    }
    this.#isTorn = isLast && text.trimStart().startsWith("{");
    yield noise(this.#isTorn ? "torn" : "not_json", text, bytes.length);
  }

  #event(fact: ProviderFact, raw: JsonObject | string | null): ProviderEvent {
    if (fact.type === "done") this.#sawDone = true;
    return { ...fact, raw };
  }
}

function parseObject(text: string): JsonObject | null {
  // Cheap first: most noise is no object.
  const start = text.charCodeAt(0);
  if (start !== 0x7b && !text.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // broken JSON is noise, and told as such
  }
}

function noise(reason: NoiseReason, text: string, bytes: number): ProviderEvent {
  return { type: "noise", reason, text: text.slice(0, NOISE_CHARS), bytes, raw: null };
}
