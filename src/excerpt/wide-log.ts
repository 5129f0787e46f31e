/**
 * A log in UTF-16 as a source of UTF-8, and the account of its excerpt in the log's own bytes. It is read twice, since
 * its size in UTF-8 has to be known first, and where something is shown a third time.
 */
import {
  decodeWide,
  unitsBefore,
  WIDE_EXTRA,
  WIDE_PIECE,
  type WideEncoding,
  wideEncodingOf,
  type WidePiece,
} from "../text/index.ts";
import type { ByteSource, Excerpt } from "./types.ts";

/** A log in UTF-16, seen as UTF-8. */
export class WideLog implements ByteSource {
  readonly #log: ByteSource;
  readonly #encoding: WideEncoding;
  /** How much UTF-8 came before each piece. */
  readonly #before: number[] = [];
  #totalBytes = 0;
  #unread: string | null = null;
  /** The piece that was decoded last. */
  #last: { readonly index: number; readonly bytes: Buffer } | null = null;

  private constructor(log: ByteSource, encoding: WideEncoding) {
    this.#log = log;
    this.#encoding = encoding;
  }

  /** The log as UTF-8 when it begins with the mark of UTF-16, else null; null, too, when it cannot be read. */
  static async of(log: ByteSource): Promise<WideLog | null> {
    let start = Buffer.alloc(0);
    try {
      while (start.length < 2) {
        const part = await log.read(start.length, 2 - start.length);
        if (part.length === 0) break;
        start = Buffer.concat([start, part]);
      }
    } catch {
      // Whoever reads the log is told the reason.
      return null;
    }
    const encoding = wideEncodingOf(start);
    return encoding === null ? null : new WideLog(log, encoding);
  }

  async size(): Promise<number> {
    const size = await this.#log.size();
    let length = 0;
    while (this.#totalBytes < size) {
      let bytes: Uint8Array;
      const from = this.#totalBytes;
      try {
        bytes = await this.#piece(this.#before.length, size);
      } catch (error) {
        this.#unread = error instanceof Error ? error.message : String(error);
        break;
      }
      if (bytes.length === 0) break;
      const { text } = decodeWide(bytes, this.#before.length, this.#encoding);
      this.#before.push(length);
      length += Buffer.byteLength(text);
      this.#totalBytes = from + Math.min(bytes.length, WIDE_PIECE);
      if (bytes.length < WIDE_PIECE) break;
    }
    return length;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const index = this.#before.findLastIndex((before) => before <= offset);
    if (index < 0) return new Uint8Array(0);
    if (this.#last?.index !== index) {
      const { text } = decodeWide(await this.#piece(index, this.#totalBytes), index, this.#encoding);
      this.#last = { index, bytes: Buffer.from(text) };
    }
    const at = offset - (this.#before[index] ?? 0);
    return this.#last.bytes.subarray(at, at + length);
  }

  /** The account in the log's own bytes. */
  async account(seen: Excerpt): Promise<Excerpt> {
    const ranges: Excerpt["ranges"][number][] = [];
    try {
      for (const range of seen.ranges)
        ranges.push({ ...range, from: await this.#placeOf(range.from), to: await this.#placeOf(range.to) });
    } catch (error) {
      this.#unread = error instanceof Error ? error.message : String(error);
    }
    return { ...seen, ranges, totalBytes: this.#totalBytes, unread: seen.unread ?? this.#unread };
  }

  async #placeOf(offset: number): Promise<number> {
    const index = this.#before.findLastIndex((before) => before <= offset);
    if (index < 0) return 0;
    const piece = decodeWide(await this.#piece(index, this.#totalBytes), index, this.#encoding);
    return Math.min(this.#totalBytes, placeOf(offset, index, piece, this.#before[index] ?? 0));
  }

  async #piece(index: number, size: number): Promise<Uint8Array> {
    const from = index * WIDE_PIECE;
    const bytes = Buffer.alloc(Math.max(0, Math.min(WIDE_PIECE + WIDE_EXTRA, size - from)));
    let filled = 0;
    while (filled < bytes.length) {
      const part = await this.#log.read(from + filled, bytes.length - filled);
      if (part.length === 0) break;
      const used = part.subarray(0, bytes.length - filled);
      bytes.set(used, filled);
      filled += used.length;
    }
    return bytes.subarray(0, filled);
  }
}

/** A log in UTF-16 that is in memory, seen as UTF-8. */
export class WideBytes {
  readonly utf8: Buffer;
  readonly #bytes: Uint8Array;
  readonly #encoding: WideEncoding;
  readonly #before: number[] = [];

  constructor(bytes: Uint8Array, encoding: WideEncoding) {
    this.#bytes = bytes;
    this.#encoding = encoding;
    const pieces: Buffer[] = [];
    let length = 0;
    for (let index = 0; index * WIDE_PIECE < bytes.length; index++) {
      const piece = Buffer.from(this.#piece(index).text);
      this.#before.push(length);
      length += piece.length;
      pieces.push(piece);
    }
    this.utf8 = Buffer.concat(pieces);
  }

  /** The account in the log's own bytes. */
  account(seen: Excerpt): Excerpt {
    const ranges = seen.ranges.map((range) => ({
      ...range,
      from: this.#placeOf(range.from),
      to: this.#placeOf(range.to),
    }));
    return { ...seen, ranges, totalBytes: this.#bytes.length };
  }

  #placeOf(offset: number): number {
    const index = this.#before.findLastIndex((before) => before <= offset);
    return Math.min(this.#bytes.length, placeOf(offset, index, this.#piece(index), this.#before[index] ?? 0));
  }

  #piece(index: number): WidePiece {
    const from = index * WIDE_PIECE;
    return decodeWide(this.#bytes.subarray(from, from + WIDE_PIECE + WIDE_EXTRA), index, this.#encoding);
  }
}

/** Where in the log a place in the UTF-8 is: in which piece, and behind how much UTF-8 that begins. */
function placeOf(offset: number, index: number, { text, skipped }: WidePiece, before: number): number {
  // The log's first byte belongs to its mark.
  return offset === 0 ? 0 : index * WIDE_PIECE + skipped + unitsBefore(text, offset - before) * 2;
}
