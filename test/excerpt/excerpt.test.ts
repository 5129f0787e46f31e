/** What an excerpt always holds, on logs made for the purpose. */
import { describe, expect, it } from "vitest";
import {
  type ByteSource,
  type Excerpt,
  type ExcerptRequest,
  excerpt,
  excerptOfBytes,
  FAILURE_LIMITS,
  SUCCESS_LIMITS,
} from "../../src/excerpt/index.ts";

function request(exitCode: number | null, more: Partial<ExcerptRequest> = {}): ExcerptRequest {
  return { exitCode, command: null, limits: exitCode === 0 ? SUCCESS_LIMITS : FAILURE_LIMITS, headRatio: 0.2, ...more };
}
function of(log: string | Uint8Array, exitCode: number | null = 1, more: Partial<ExcerptRequest> = {}): Excerpt {
  return excerptOfBytes(typeof log === "string" ? Buffer.from(log) : log, request(exitCode, more));
}
const many = (n: number, line: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => `${line(i + 1)}\n`).join("");

describe("an excerpt", () => {
  it("masks what it is told to mask, within the ceilings", () => {
    const seen = of("token=abc\nok\n", 0, { mask: (text) => text.replaceAll("abc", "[redacted]") });
    expect(seen.text).toBe("token=[redacted]\nok");
  });

  it("takes a user's pattern for an error", () => {
    const log = `${many(400, (i) => `row ${i}`)}ZOTT happened here\n${many(400, (i) => `more ${i}`)}`;
    expect(of(log, 1, { errorPatterns: [/^ZOTT/] }).text).toContain("ZOTT happened here");
  });

  it("is the whole log when that is small", () => {
    const small = of("one\n\n  two\nthree", 0);
    expect(small).toMatchObject({
      text: "one\n\n  two\nthree",
      truncated: false,
      totalLines: 4,
      shownLines: 4,
      totalBytes: 16,
    });
    expect(of("", 0)).toMatchObject({
      text: "",
      truncated: false,
      totalLines: 0,
      shownLines: 0,
      totalBytes: 0,
      ranges: [],
    });
  });

  it("shows an error in the middle, the first line and the last", () => {
    const log = `${many(10_000, (i) => `compile ${i}`)}src/a.ts(10,5): error TS2345: bad type\n${many(10_000, (i) => `bundle ${i}`)}`;
    const seen = of(log, 2);
    expect(seen.text).toContain("src/a.ts(10,5): error TS2345: bad type");
    expect(seen.text).toMatch(/compile 1$/m);
    expect(seen.text).toContain("bundle 10000");
    expect(seen.text).toMatch(/\d lines left out/);
    expect(seen).toMatchObject({ totalLines: 20_001, truncated: true });
  });

  it("shows the first row and the last of a log that is nothing but numbers", () => {
    const seen = of(`${many(20_000, String)}the end\n`, 3);
    expect(seen.text.split("\n")[0]).toBe("1");
    expect(seen.text).toMatch(/\n20000\nthe end$/);
  });

  it("divides what no rule chose between the start and the end as it is asked to", () => {
    const [trees, places] = [
      ["oak", "elm", "ash", "fir", "yew"],
      ["hill", "lake", "wood", "shed"],
    ];
    const log = many(3000, (i) => `${trees[i % 5]} grew by ${i} near the ${places[(i * 7) % 4]} in ${(i * 31) % 17}`);
    const heads = [0, 0.2, 0.5, 1].map((headRatio) => {
      const { ranges } = of(log, null, { headRatio });
      const lines = ranges.filter(({ why }) => why === "head").map(({ fromLine, toLine }) => toLine - fromLine + 1);
      return lines.reduce((sum, count) => sum + count, 0);
    });
    expect(heads[0]).toBe(1);
    expect(heads).toEqual([...new Set(heads)].toSorted((a, b) => a - b));
  });

  it("shows the failure at the end and the summary behind it", () => {
    const seen = of(
      `${many(20_000, (i) => `ok test ${i}`)}FAIL cart.spec:42 expected 3 got 4\n1 failed, 20000 passed\n`,
    );
    expect(seen.text).toContain("FAIL cart.spec:42 expected 3 got 4");
    expect(seen.text).toContain("1 failed, 20000 passed");
    expect(seen.totalLines).toBe(20_002);
  });

  it("cuts a line of megabytes and keeps its start and its neighbours", () => {
    const seen = of(`before-mark\nneedle ${"x".repeat(5e6)}\nafter-mark\n`, 0);
    for (const part of ["before-mark", "needle xxxx", "after-mark"]) expect(seen.text).toContain(part);
    expect(seen.text).toMatch(/[\d,]+ characters left out/);
    expect(seen.truncated).toBe(true);
  });

  it("keeps the last frame of a progress bar only", () => {
    const frames = Array.from({ length: 5000 }, (_, i) => `\r\u001b[2Kfetch ${String(i + 1).padStart(5)}/5000`).join(
      "",
    );
    const seen = of(`${frames}\nall-done\n`, 0);
    expect(seen.text).toBe("fetch  5000/5000\nall-done");
  });

  it("keeps an unterminated last line at its end", () => {
    expect(of("one\nfatal: no newline").text.endsWith("fatal: no newline")).toBe(true);
    expect(of(`${many(30_000, (i) => `${i}`)}fatal: no newline`).text.endsWith("fatal: no newline")).toBe(true);
  });

  it("is plain valid text whatever the bytes", () => {
    const seen = of(Buffer.from("A\0B\0\0C\x01\x1b]0;t\x07\n\xed\xa0\x80 \xff\xfe \xc0\x80 ok-mark\n", "latin1"), 0);
    expect(seen.text).toBe("ABC\n��� �� �� ok-mark");
  });

  it("reads a source as it reads bytes, whatever the size of its pieces", async () => {
    const bytes = Buffer.from(
      `${many(3000, (i) => `größe ${i} 😀`)}Error: kaputt €\n${many(3000, (i) => `tail ${i}`)}`,
    );
    const source = (piece: number): ByteSource => ({
      size: async () => bytes.length,
      read: async (at, length) => bytes.subarray(at, at + Math.min(length, piece)),
    });
    const whole = of(bytes);
    for (const piece of [1021, 4096, 1 << 20]) expect(await excerpt(source(piece), request(1))).toEqual(whole);
    expect(whole.text).toContain("Error: kaputt €");
  });

  it("tells of as much as could be read", async () => {
    const bytes = Buffer.from("one\ntwo\nthree\n");
    const shrunk: ByteSource = { size: async () => 1000, read: async (at) => bytes.subarray(at, at + 8) };
    expect(await excerpt(shrunk, request(1))).toMatchObject({ text: "one\ntwo\nthree", totalBytes: 14, totalLines: 3 });
    const grown: ByteSource = { size: async () => 8, read: async (at) => bytes.subarray(at) };
    expect(await excerpt(grown, request(1))).toMatchObject({ text: "one\ntwo", totalBytes: 8 });
    const gone: ByteSource = { size: () => Promise.reject(new Error("ENOENT: no such file")), read: async () => bytes };
    expect(await excerpt(gone, request(1))).toMatchObject({ text: "", totalBytes: 0, unread: "ENOENT: no such file" });
  });
});
