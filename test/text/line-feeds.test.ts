import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineFeedCountdown, countLineFeeds } from "../../src/text/index.ts";

/** How many bytes stand before line `line`, of a log that comes in pieces; and the line feeds that were missing. */
function placeOf(log: Buffer, line: number, pieces: readonly number[]): { offset: number; missing: number } {
  const countdown = new LineFeedCountdown(line - 1);
  let offset = 0;
  for (let i = 0; offset < log.length && countdown.left > 0; i++) {
    const length = pieces[i % pieces.length] ?? 1;
    offset += countdown.take(log.subarray(offset, offset + length));
  }
  return { offset, missing: countdown.left };
}

const PIECES = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
// Characters with the byte of a line feed in one half (U+0A0A, U+4E0A, U+0A4E), and one of two units.
const TEXT = fc.array(fc.constantFrom("a", "\n", "\r\n", "\u0a0a", "\u4e0a", "\u0a4e", "\u{1f600}", ""), {
  maxLength: 60,
});

describe("a countdown of line feeds", () => {
  it("finds where each line begins, however the log is cut", () => {
    fc.assert(
      fc.property(TEXT, PIECES, (parts, pieces) => {
        const lines = parts.join("").split("\n");
        let offset = 0;
        for (const [i, text] of lines.entries()) {
          expect(placeOf(Buffer.from(lines.join("\n")), i + 1, pieces)).toEqual({ offset, missing: 0 });
          offset += Buffer.byteLength(text) + 1;
        }
      }),
    );
  });

  it.each([true, false])("counts characters where a mark says UTF-16 (little-endian: %s)", (isLittle) => {
    const encoded = (text: string): Buffer => {
      const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
      return isLittle ? bytes : bytes.swap16();
    };
    fc.assert(
      fc.property(TEXT, PIECES, (parts, pieces) => {
        const lines = parts.join("").split("\n");
        let before = "";
        for (const [i, text] of lines.entries()) {
          const offset = i === 0 ? 0 : encoded(before).length;
          expect(placeOf(encoded(lines.join("\n")), i + 1, pieces)).toEqual({ offset, missing: 0 });
          before += `${text}\n`;
        }
      }),
    );
  });

  it("takes all of a log that has fewer, and says how many are missing", () => {
    expect(placeOf(Buffer.from("a\nb\n"), 3, [100])).toEqual({ offset: 4, missing: 0 });
    expect(placeOf(Buffer.from("a\nb"), 9, [100])).toEqual({ offset: 3, missing: 7 });
    expect(placeOf(Buffer.alloc(0), 2, [100])).toEqual({ offset: 0, missing: 1 });
  });

  it("goes on for more", () => {
    const countdown = new LineFeedCountdown(2);
    const log = Buffer.from("1\n2\n3\n4\n5");
    let at = countdown.take(log);
    countdown.more(2);
    const end = at + countdown.take(log.subarray(at));
    expect(log.toString("utf8", at, end)).toBe("3\n4\n");
    at = end;
    countdown.more(1);
    expect([countdown.take(log.subarray(at)), countdown.left]).toEqual([1, 1]);
  });
});

it("counts the line feeds of bytes of any length at any place", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000, max: 12 }), fc.nat(20), (bytes, from) => {
      expect(countLineFeeds(bytes, from)).toBe(bytes.subarray(from).filter((byte) => byte === 10).length);
    }),
  );
});
