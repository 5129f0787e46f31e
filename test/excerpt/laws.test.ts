/** What holds of every excerpt, whatever the log. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ByteSource, type Excerpt, type ExcerptLimits, excerpt, excerptOfBytes } from "../../src/excerpt/index.ts";

const words = fc.constantFrom(
  "ok",
  "error:",
  "Error:",
  "failed",
  "src/a.ts(3,4):",
  "TS2304:",
  "✖",
  "not ok 3",
  "warning:",
  "  at f (/home/me/a.js:3:4)",
  "PASS",
  "● a › b",
  "1) x",
  "Expected: 3",
  "Received: 4",
  "Traceback (most recent call last):",
  "Killed",
  "größe",
  "日本語",
  "😀",
  "\u001b[31m",
  "\u001b[0m",
  "\u001b[1A",
  "\u001b[2K",
  "\r",
  "\t",
  "--- FAIL: TestX (0.00s)",
  "panic: boom",
  "[1/3]",
  "done in 3s",
  "x".repeat(700),
  "12 passed, 1 failed",
  "\u0000",
  "|",
  "@scope/a: ",
  "0 errors",
);
// Records that were cut off, or that hold what JSON does not allow.
const records = fc
  .tuple(
    fc.constantFrom('{"Time":"2026-01-01","Action":"output","Output":"a \\', '{"Time":"","Action":"run"'),
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom("", '"}', '\\"}', '\\u001b[31m\\u0085x\\n\\"y\\n"}'),
  )
  .map((parts) => parts.join(""));
const line = fc.array(words, { maxLength: 6 }).map((parts) => parts.join(" "));
const log = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: line },
      { weight: 1, arbitrary: records },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
    ),
    { maxLength: 80 },
  )
  .map((lines) => Buffer.from(lines.join("\n")));
const bytes = fc.oneof(
  { weight: 4, arbitrary: log },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3000 }).map((raw) => Buffer.from(raw)) },
);
const limits: fc.Arbitrary<ExcerptLimits> = fc.record({
  maxBytes: fc.integer({ min: 1, max: 9000 }),
  maxLines: fc.integer({ min: 1, max: 150 }),
  maxTokens: fc.integer({ min: 1, max: 2100 }),
});
const exit = fc.constantFrom(0, 1, 137, null);

function of(raw: Uint8Array, exitCode: number | null, ceilings: ExcerptLimits): Excerpt {
  return excerptOfBytes(raw, { exitCode, command: null, limits: ceilings, headRatio: 0.2 });
}

describe("every excerpt", () => {
  it("is valid text within every ceiling, and the same each time", () => {
    fc.assert(
      fc.property(bytes, exit, limits, (raw, exitCode, ceilings) => {
        const seen = of(raw, exitCode, ceilings);
        expect(Buffer.from(seen.text).toString("utf8")).toBe(seen.text);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there.
        expect(seen.text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(Buffer.byteLength(seen.text)).toBeLessThanOrEqual(ceilings.maxBytes);
        expect(seen.text.split("\n").length).toBeLessThanOrEqual(ceilings.maxLines);
        expect(seen.tokens).toBeLessThanOrEqual(ceilings.maxTokens);
        expect(of(raw, exitCode, ceilings)).toEqual(seen);
      }),
      { numRuns: 1000 },
    );
  });

  it("counts bytes and lines exactly", () => {
    fc.assert(
      fc.property(bytes, exit, limits, (raw, exitCode, ceilings) => {
        // The lines of UTF-16 are not those between bytes.
        fc.pre(!((raw[0] === 0xff && raw[1] === 0xfe) || (raw[0] === 0xfe && raw[1] === 0xff)));
        const feeds = raw.filter((byte) => byte === 10).length;
        const lines = feeds + (raw.length > 0 && raw.at(-1) !== 10 ? 1 : 0);
        expect(of(raw, exitCode, ceilings)).toMatchObject({ totalBytes: raw.length, totalLines: lines });
      }),
      { numRuns: 200 },
    );
  });

  it("does not depend on the pieces in which the log is read", async () => {
    await fc.assert(
      fc.asyncProperty(
        bytes,
        exit,
        limits,
        fc.integer({ min: 1, max: 700 }),
        async (raw, exitCode, ceilings, piece) => {
          const source: ByteSource = {
            size: async () => raw.length,
            read: async (at, length) => raw.subarray(at, at + Math.min(length, piece)),
          };
          const seen = await excerpt(source, { exitCode, command: null, limits: ceilings, headRatio: 0.2 });
          expect(seen).toEqual(of(raw, exitCode, ceilings));
        },
      ),
      { numRuns: 150 },
    );
  });

  it("states for each shown line where it stands in the log", () => {
    const plainLine = line.map((text) => text.replace(/[\u0000-\u001f]/g, " "));
    fc.assert(
      fc.property(fc.array(plainLine, { maxLength: 120 }), exit, limits, (lines, exitCode, ceilings) => {
        const raw = Buffer.from(lines.join("\n"));
        const seen = of(raw, exitCode, ceilings);
        const shown = seen.text.split("\n").filter((text) => !/^… \[[\d,]+ lines? left out/.test(text));
        const stated = seen.ranges.flatMap((range) =>
          Array.from({ length: range.toLine - range.fromLine + 1 }, (_, i) => range.fromLine + i),
        );
        // Below what a marker takes nothing is shown, and nothing stated.
        if (seen.text === "" || seen.text === "…") {
          expect(stated.map((number) => lines[number - 1]?.trim() ?? "").join("")).toBe("");
          return;
        }
        expect(shown.length).toBe(stated.length);
        shown.forEach((text, i) => {
          const whole = lines[(stated[i] ?? 0) - 1] ?? "";
          const kept = text
            .split(/… \[[\d,]+ characters left out\] …/)
            .map((part) => part.replace(/ \(×[\d,]+\)(?: \[.*\])?$/, "").trimEnd());
          for (const part of kept) expect(whole).toContain(part);
        });
        for (const range of seen.ranges) {
          const from = Buffer.byteLength(
            lines
              .slice(0, range.fromLine - 1)
              .map((text) => `${text}\n`)
              .join(""),
          );
          expect(range.from).toBe(from);
          expect(range.to).toBe(
            Math.min(
              raw.length,
              from +
                Buffer.byteLength(
                  lines
                    .slice(range.fromLine - 1, range.toLine)
                    .map((text) => `${text}\n`)
                    .join(""),
                ),
            ),
          );
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("still shows a failure when lines of what passed are taken away", () => {
    const passing = fc
      .integer({ min: 0, max: 400 })
      .map((n) => Array.from({ length: n }, (_, i) => `ok ${i + 1} - case ${i} handles an error`));
    const failure = fc.constantFrom(
      "not ok 7 - rounds half up",
      "src/a.ts(3,4): error TS2304: Cannot find name 'q'.",
      "FAIL cart.spec:42 expected 3 got 4",
      "Error: cannot find module ./x",
      "panic: boom",
      "cp: cannot stat 'a.txt': No such file or directory",
    );
    fc.assert(
      fc.property(passing, failure, passing, fc.integer({ min: 0, max: 400 }), (before, bad, after, taken) => {
        const ceilings = { maxBytes: 8192, maxLines: 120, maxTokens: 2048 };
        const all = of(Buffer.from([...before, bad, ...after].join("\n")), 1, ceilings);
        const fewer = of(Buffer.from([...before.slice(taken), bad, ...after.slice(taken)].join("\n")), 1, ceilings);
        expect(all.text).toContain(bad);
        expect(fewer.text).toContain(bad);
      }),
      { numRuns: 200 },
    );
  });
});
