// True token boundaries by o200k_base, and windows of about 4 kB to compare on.
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";

const WINDOW = 4096;

/** Cuts a text into windows of about 4 kB of UTF-8, between characters. */
export function windowsOf(text, size = WINDOW) {
  const out = [];
  let current = "";
  let bytes = 0;
  for (const char of text) {
    const c = char.codePointAt(0);
    bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    current += char;
    if (bytes >= size) {
      out.push(current);
      current = "";
      bytes = 0;
    }
  }
  if (bytes >= size / 2) out.push(current);
  return out;
}

const lengthOf = (id) => {
  const token = ranks[id];
  return typeof token === "string" ? Buffer.byteLength(token) : token.length;
};

/** The number of tokens of `text`. */
export const trueTokens = (text) => encode(text, { disallowedSpecial: new Set() }).length;

/** For each character of `text`, how many tokens begin in its bytes. */
export function tokenStarts(text) {
  const bytes = Buffer.byteLength(text);
  const starts = new Uint8Array(bytes + 1);
  let at = 0;
  for (const id of encode(text, { disallowedSpecial: new Set() })) {
    starts[at] = 1;
    at += lengthOf(id);
  }
  if (at !== bytes) throw new Error(`tokens cover ${at} of ${bytes} bytes`);
  const out = [];
  let offset = 0;
  for (const char of text) {
    const c = char.codePointAt(0);
    const length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    let n = 0;
    for (let i = 0; i < length; i += 1) n += starts[offset + i];
    out.push(n);
    offset += length;
  }
  return out;
}
