/** Logs in UTF-16: told of as the same text in UTF-8 is, in their own bytes. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ByteSource, type Excerpt, excerpt, excerptOfBytes, FAILURE_LIMITS } from "../../src/excerpt/index.ts";

const request = { exitCode: 1, command: null, limits: FAILURE_LIMITS, headRatio: 0.2 };

type Order = "little" | "big";
const ORDERS: readonly Order[] = ["little", "big"];

function wide(text: string, order: Order): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return order === "little" ? bytes : bytes.swap16();
}

function decoded(bytes: Uint8Array, order: Order): string {
  return new TextDecoder(order === "little" ? "utf-16le" : "utf-16be").decode(bytes);
}

function inPieces(bytes: Uint8Array, piece: number): ByteSource {
  return {
    size: async () => bytes.length,
    read: async (at, length) => bytes.subarray(at, at + Math.min(length, piece)),
  };
}

/** What is said of the same lines, whatever their bytes. */
function said({ text, truncated, totalLines, shownLines, tokens, ranges }: Excerpt): unknown {
  const lines = ranges.map(({ fromLine, toLine, why, count }) => ({ fromLine, toLine, why, count }));
  return { text, truncated, totalLines, shownLines, tokens, lines };
}

describe.each(ORDERS)("a log in UTF-16, %s endian", (order) => {
  it("has the lines that its characters make, also where one of them holds the byte of a line feed", () => {
    const text = "上海 Њ ਊ ok\r\nошибка: файл Њ上 не найден\r\n\r\nend ⤊\u010a";
    const seen = excerptOfBytes(wide(text, order), request);
    expect(seen.text).toBe(text.replaceAll("\r", ""));
    expect(seen).toMatchObject({ totalLines: 4, shownLines: 4, totalBytes: 2 + text.length * 2 });
  });

  it("of many megabytes shows the error in its middle, with the number and the bytes of its line", async () => {
    const step = (from: number): string =>
      Array.from({ length: 60_000 }, (_, i) => `上 step ${from + i} done 😀\n`).join("");
    const error = "src/x.c:7:3: error: unknown type name 'größe上'\n";
    const text = `${step(0)}${error}${step(60_000)}`;
    const bytes = wide(text, order);
    expect(bytes.length).toBeGreaterThan(4 << 20);
    const seen = excerptOfBytes(bytes, request);
    expect(seen.text).toContain(`… [59,999 lines left out; line 60001:] …\n${error}`);
    expect(seen).toMatchObject({ totalLines: 120_001, totalBytes: bytes.length });
    const range = seen.ranges.find((one) => one.fromLine === 60_001);
    expect(decoded(bytes.subarray(range?.from, range?.to), order)).toBe(error);
    expect(said(seen)).toEqual(said(excerptOfBytes(Buffer.from(text), request)));
    for (const piece of [100_001, 1 << 20]) expect(await excerpt(inPieces(bytes, piece), request)).toEqual(seen);
  });

  it("is told of as the same text in UTF-8, in its own bytes, whatever it is read in", async () => {
    const word = fc.constantFrom(
      "error:",
      "上",
      "Њok",
      "😀",
      "failed",
      "ok",
      "\r\n",
      "\n",
      "\t",
      "é",
      "\ufeff",
      "x\u0a0a",
    );
    const log = fc.oneof(
      fc.array(word, { maxLength: 300 }).map((words) => words.join(" ")),
      fc.array(word, { minLength: 50, maxLength: 60 }).map((words) => words.join(" ").repeat(900)),
    );
    await fc.assert(
      fc.asyncProperty(log, fc.integer({ min: 1, max: 200_000 }), async (text, piece) => {
        const bytes = wide(text, order);
        const seen = excerptOfBytes(bytes, request);
        expect(said(seen)).toEqual(said(excerptOfBytes(Buffer.from(text), request)));
        const lines = text.split("\n");
        for (const { from, to, fromLine, toLine } of seen.ranges) {
          const shown = decoded(bytes.subarray(from, to), order).replace(/\n$/, "");
          const stated = lines.slice(fromLine - 1, toLine).join("\n");
          expect(shown.replace(/^\ufeff/, "")).toBe(stated.replace(/^\ufeff/, ""));
        }
        if (bytes.length / piece < 500) expect(await excerpt(inPieces(bytes, piece), request)).toEqual(seen);
      }),
      { numRuns: 60 },
    );
  });

  it("that ends inside a character, shrinks or fails on the way is told of as far as it can be read", async () => {
    const bytes = wide("one\nErr😀", order);
    const text = (cut: number): string => excerptOfBytes(bytes.subarray(0, bytes.length - cut), request).text;
    expect([1, 2, 3, 4].map(text)).toEqual(["one\nErr\ufffd", "one\nErr\ufffd", "one\nErr\ufffd", "one\nErr"]);
    const shrunk: ByteSource = { size: async () => 4000, read: (at, length) => inPieces(bytes, 7).read(at, length) };
    expect(await excerpt(shrunk, request)).toMatchObject({
      text: "one\nErr😀",
      totalBytes: bytes.length,
      unread: null,
    });
    const long = wide("step done\n".repeat(50_000), order);
    const failing: ByteSource = {
      size: async () => long.length,
      read: (at, length) =>
        at > 500_000 ? Promise.reject(new Error("EIO: i/o error, read")) : inPieces(long, 4096).read(at, length),
    };
    const seen = await excerpt(failing, request);
    expect(seen).toMatchObject({ unread: "EIO: i/o error, read" });
    expect(seen.totalBytes).toBeGreaterThan(300_000);
    expect(seen.text).toContain("step done");
  });
});
