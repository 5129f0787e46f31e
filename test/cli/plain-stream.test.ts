import { array, assert, asyncProperty, constant, integer, oneof, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { matchingLines, plainStream } from "../../src/cli/plain-stream.ts";
import { compilePattern } from "../../src/session/index.ts";

async function* chunksOf(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function whole(texts: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const text of texts) all += text;
  return all;
}

describe("a log as plain text", () => {
  it("is the same however the bytes arrive", async () => {
    await assert(
      asyncProperty(
        array(oneof(string({ unit: "grapheme" }), constant("\n")), { maxLength: 40 }),
        array(integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
        async (parts, sizes) => {
          const bytes = Buffer.from(parts.join(""));
          expect(await whole(plainStream(chunksOf(bytes, sizes), false))).toBe(
            await whole(plainStream(chunksOf(bytes, [bytes.length + 1]), false)),
          );
        },
      ),
    );
  });

  it("gives a line of five megabytes whole, no character broken", async () => {
    const text = `${"äöü€𝄞".repeat(400_000)}\nend`;
    expect(await whole(plainStream(chunksOf(Buffer.from(text), [65_536]), false))).toBe(text);
  });

  it("drops the rest of a character that it begins inside of", async () => {
    const bytes = Buffer.from("€uro\n").subarray(1);
    expect(await whole(plainStream(chunksOf(bytes, [100]), true))).toBe("uro\n");
  });

  it("takes terminal sequences out", async () => {
    expect(await whole(plainStream(chunksOf(Buffer.from("\x1b[31mred\x1b[0m\n"), [3]), false))).toBe("red\n");
  });

  it("finds the lines that match, the unterminated last one too", async () => {
    const texts = plainStream(chunksOf(Buffer.from("one\ntwo\nthree\ntwelve"), [4]), false);
    expect(await whole(matchingLines(texts, compilePattern("^tw", "--grep")))).toBe("two\ntwelve\n");
  });
});
