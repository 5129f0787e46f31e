import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  durationFromSeconds,
  formatDuration,
  formatSize,
  isProctorError,
  MAX_DURATION_MS,
  parseCount,
  parseDuration,
  parseSize,
} from "../../src/model/index.ts";

/** The error of `call`, or null. */
function errorOf(call: () => unknown): { code: string; message: string } | null {
  try {
    call();
    return null;
  } catch (error) {
    if (isProctorError(error)) return error;
    throw error;
  }
}

describe("a duration", () => {
  it.each([
    ["500ms", 500],
    ["60s", 60_000],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["60", 60_000],
    ["1.5s", 1500],
    [" 3s ", 3000],
    ["24h", MAX_DURATION_MS],
    ["86400", MAX_DURATION_MS],
    ["0.4ms", 1],
  ])("%j is %d ms", (text, ms) => {
    expect(parseDuration(text, "--timeout")).toBe(ms);
  });

  it.each([
    "",
    "s",
    "abc",
    "-5s",
    "5 s",
    "1h30m",
    "5d",
    "1e3",
    "0x10",
    "NaN",
    "Infinity",
    "0",
    "0ms",
    "24h1s",
    "25h",
    "86401",
    "120000",
    "5S",
    "٣s",
  ])("%j is refused, naming field, value and what is accepted", (text) => {
    const error = errorOf(() => parseDuration(text, "--timeout"));
    expect(error?.code).toBe("ERR_INPUT_DURATION");
    expect(error?.message).toContain("--timeout");
    expect(error?.message).toContain(`"${text}"`);
    expect(error?.message).toMatch(/500ms.*24h/);
  });

  it("of zero is accepted where zero stands for something", () => {
    expect(parseDuration("0", "--grace", { zero: true })).toBe(0);
    expect(durationFromSeconds(-0, "timeout", { zero: true })).toBe(0);
    expect(errorOf(() => durationFromSeconds(0, "timeout"))?.code).toBe("ERR_INPUT_DURATION");
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 86_401, 120_000])("of %d seconds is refused", (seconds) => {
    expect(errorOf(() => durationFromSeconds(seconds, "timeout"))?.code).toBe("ERR_INPUT_DURATION");
  });

  it("given as a book is refused in a sentence", () => {
    expect(errorOf(() => parseDuration("9".repeat(100_000), "--timeout"))?.message.length).toBeLessThan(400);
  });

  it("is a whole number of milliseconds between 1 and 24 h, or refused, whatever the text", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.tuple(fc.double({ noNaN: true }), fc.constantFrom("ms", "s", "m", "h", "")).map(([n, u]) => `${n}${u}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let ms: number;
        try {
          ms = parseDuration(text, "f");
        } catch (error) {
          expect(isProctorError(error)).toBe(true);
          return;
        }
        expect(Number.isInteger(ms) && ms >= 1 && ms <= MAX_DURATION_MS).toBe(true);
      }),
    );
  });
});

describe("a size", () => {
  it.each([
    ["1", 1],
    ["64K", 65_536],
    ["1.5M", 1_572_864],
    ["2G", 2_147_483_648],
    ["1T", 1_099_511_627_776],
    [" 8K ", 8192],
  ])("%j is %d bytes", (text, bytes) => {
    expect(parseSize(text, "--memory")).toBe(bytes);
  });

  it.each(["", "K", "-1", "0", "1KB", "1k", "1 K", "1e3", "9999999999T", "½M"])("%j is refused", (text) => {
    const error = errorOf(() => parseSize(text, "--memory"));
    expect(error?.code).toBe("ERR_INPUT_SIZE");
    expect(error?.message).toContain("--memory");
  });

  it("outside its bounds is refused with bounds that can be typed", () => {
    const error = errorOf(() => parseSize("1K", "--log-max", { min: 65_536, max: 1024 ** 4 }));
    expect(error?.message).toContain("from 64K to 1T");
    expect(parseSize("64K", "--log-max", { min: 65_536, max: 1024 ** 4 })).toBe(65_536);
  });
});

describe("a count", () => {
  const bounds = { min: 1, max: 64 };
  it.each([
    ["1", 1],
    ["64", 64],
    [" 7 ", 7],
    ["007", 7],
  ])("%j is %d", (text, value) => {
    expect(parseCount(text, "--lines", bounds)).toBe(value);
  });
  it.each(["0", "65", "1.5", "-1", "", "x", "1e1"])("%j is refused with its bounds", (text) => {
    const error = errorOf(() => parseCount(text, "--lines", bounds));
    expect(error?.code).toBe("ERR_INPUT_NUMBER");
    expect(error?.message).toContain("from 1 to 64");
  });
});

describe("quantities for people", () => {
  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1.0 KiB"],
    [1_048_575, "1.0 MiB"],
    [629_460_173, "600.3 MiB"],
    [1024 ** 3 - 1, "1.0 GiB"],
    [1024 ** 4, "1.0 TiB"],
  ])("%d bytes are %s", (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });

  it.each([
    [0, "0 ms"],
    [820, "820 ms"],
    [999.6, "1.0 s"],
    [4200, "4.2 s"],
    [59_940, "59.9 s"],
    [59_960, "1 min 0 s"],
    [185_000, "3 min 5 s"],
    [3_599_600, "1 h 0 min"],
    [7_200_000, "2 h 0 min"],
  ])("%d ms are %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it("never show a unit's own limit as a number of it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 45 }), (n) => {
        expect(formatSize(n)).not.toMatch(/^1024\.0 [KMG]/);
        expect(formatDuration(n)).not.toMatch(/^1000 ms|^60\.0 s|\b60 (s|min)\b/);
      }),
    );
  });
});
