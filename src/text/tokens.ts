/**
 * An estimate of how many tokens a text costs a model: streaming, without a tokenizer, the same
 * however the bytes are cut into chunks.
 *
 * The tables were trained against o200k_base. On windows of 4 kB that were not trained on the
 * estimate lies within 1.3 of the true count in either direction (docs/tokens.md has the bands by
 * kind of text). Other models' tokenizers differ from o200k_base itself by more than that on some
 * kinds; scale by a factor of your own where it matters.
 */
import { TokenScanner } from "./token-scanner.ts";
import { TOKEN_UNIT } from "./token-slots.ts";
import { tokenTables } from "./token-tables.ts";

/** What stands for bytes that are not UTF-8, as decoders put it. */
const REPLACEMENT = 0xfffd;

/** Estimates the tokens of a text. A lone surrogate counts as U+FFFD. */
export function estimateTokens(text: string): number {
  const scanner = new TokenScanner(tokenTables());
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdfff) {
      scanner.step(unit);
      continue;
    }
    const point = text.codePointAt(i) ?? REPLACEMENT;
    if (point > 0xffff) i += 1;
    scanner.step(point > 0xffff ? point : REPLACEMENT);
  }
  return Math.ceil(scanner.units / TOKEN_UNIT);
}

/** Estimates the tokens of bytes as they come. Bytes that are not UTF-8 count as U+FFFD, once for each maximal bad part. */
export class TokenEstimator {
  readonly #scanner: TokenScanner = new TokenScanner(tokenTables());
  /** A character whose bytes are not all there: its bits so far, and how many bytes are missing. */
  #point = 0;
  #missing = 0;
  /** The bounds of its next byte, which shut out overlong forms, surrogates and what is above U+10FFFF. */
  #low = 0x80;
  #high = 0xbf;

  /** The estimate for all bytes so far. A character that is cut at the end counts as U+FFFD. */
  get tokens(): number {
    if (this.#missing === 0) return Math.ceil(this.#scanner.units / TOKEN_UNIT);
    return Math.ceil(this.#scanner.units / TOKEN_UNIT) + 1;
  }

  /** Takes the next bytes. */
  add(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i] ?? 0;
      if (this.#missing === 0) {
        if (byte < 0x80) this.#scanner.step(byte);
        else this.#begin(byte);
      } else if (byte >= this.#low && byte <= this.#high) {
        this.#continue(byte);
      } else {
        this.#missing = 0;
        this.#scanner.step(REPLACEMENT);
        i -= 1; // the byte that broke the character begins the next one
      }
    }
  }

  /** The first byte of a character (RFC 3629, section 4). */
  #begin(byte: number): void {
    this.#low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    if (byte >= 0xc2 && byte <= 0xdf) this.#missing = 1;
    else if (byte >= 0xe0 && byte <= 0xef) this.#missing = 2;
    else if (byte >= 0xf0 && byte <= 0xf4) this.#missing = 3;
    else this.#scanner.step(REPLACEMENT);
    this.#point = byte & (0x3f >> this.#missing);
  }

  #continue(byte: number): void {
    this.#point = (this.#point << 6) | (byte & 0x3f);
    this.#missing -= 1;
    this.#low = 0x80;
    this.#high = 0xbf;
    if (this.#missing === 0) this.#scanner.step(this.#point);
  }
}
