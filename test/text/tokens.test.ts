import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KINDS } from "../../bench/tokens/kinds.mjs";
import { rowsOf } from "../../bench/tokens/rows.mjs";
import { trueTokens, windowsOf } from "../../bench/tokens/truth.mjs";
import { estimateTokens, TokenEstimator } from "../../src/text/index.ts";

/** The band that the documentation states. */
const BAND = 1.3;

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...Array.from(" \t\n\r-=aB9é─漢🟢\u001b[.x/(")), maxLength: 300 }),
  fc.constantFrom(...Object.values(KINDS).slice(-26)).map((kind) => kind("held").slice(0, 600)),
);

function estimateBytes(...parts: readonly Uint8Array[]): number {
  const estimator = new TokenEstimator();
  for (const part of parts) estimator.add(part);
  return estimator.tokens;
}

describe("the estimate on windows of 4 kB that were not trained on", () => {
  // The kinds that every machine has; the benchmark adds those that need its manual pages and logs.
  const kinds = Object.entries(KINDS).flatMap(([kind, source]) => {
    const windows = source.portable === true ? windowsOf(source("held")) : [];
    return windows.length === 0 ? [] : [{ kind, windows: windows.slice(0, 4) }];
  });

  it("covers at least 44 kinds of text", () => {
    expect(kinds.length).toBeGreaterThanOrEqual(44);
  });

  it.each(kinds)(`is at most ${BAND} off in either direction: $kind`, ({ windows }) => {
    for (const window of windows) {
      const ratio = estimateTokens(window) / trueTokens(window);
      expect(ratio).toBeLessThanOrEqual(BAND);
      expect(ratio).toBeGreaterThanOrEqual(1 / BAND);
    }
  });
});

describe("the documented table", () => {
  it("counts every kind once, and names no language that has no text", () => {
    const kinds = Object.keys(KINDS);
    expect(
      rowsOf(kinds)
        .flatMap((row) => row.kinds)
        .toSorted(),
    ).toEqual(kinds.toSorted());
    expect(rowsOf(["ar", "sv", "de", "eo", "xml"])).toEqual([
      { title: "Western European prose (de sv)", kinds: ["de", "sv"] },
      { title: "Arabic", kinds: ["ar"] },
      { title: "2 other kinds", kinds: ["eo", "xml"] },
    ]);
  });
});

describe("the estimate", () => {
  it("of nothing is nothing", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateBytes()).toBe(0);
  });

  it.each([
    ["hello world", 2, 3],
    ["a", 1, 1],
    ["\n", 1, 1],
    [" ", 1, 1],
    ["1234567", 3, 3],
    ["don't stop", 2, 4],
    ["-".repeat(80), 1, 3],
    [" ".repeat(70), 1, 2],
    ["🟢", 1, 4],
  ])("of %j is from %d to %d", (given, least, most) => {
    expect(estimateTokens(given)).toBeGreaterThanOrEqual(least);
    expect(estimateTokens(given)).toBeLessThanOrEqual(most);
  });

  it("is the same for a text and for its bytes", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(estimateBytes(Buffer.from(given))).toBe(estimateTokens(given));
      }),
    );
  });

  it("is the same however the bytes are cut, also inside characters and in bytes that are no text", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      text.map((given) => Uint8Array.from(Buffer.from(given))),
    );
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(400), { maxLength: 8 }), (given, at) => {
        const cuts = [0, ...at.filter((n) => n < given.length).toSorted((a, b) => a - b), given.length];
        const parts = cuts.slice(1).map((to, i) => given.subarray(cuts[i], to));
        expect(estimateBytes(...parts)).toBe(estimateBytes(given));
        expect(estimateBytes(...Array.from(given, (byte) => Uint8Array.of(byte)))).toBe(estimateBytes(given));
      }),
    );
  });

  it("counts bytes that are not UTF-8 as a decoder would show them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const shown = estimateTokens(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
        expect(Math.abs(estimateBytes(bytes) - shown)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("never falls as text is added but for a rounding, is finite and no more than one for each byte", () => {
    fc.assert(
      fc.property(text, (given) => {
        const bytes = Buffer.from(given);
        const tokens = estimateBytes(bytes);
        expect(Number.isInteger(tokens)).toBe(true);
        expect(tokens).toBeGreaterThanOrEqual(given === "" ? 0 : 1);
        expect(tokens).toBeLessThanOrEqual(bytes.length + 1);
        expect(estimateBytes(bytes, Buffer.from(given))).toBeGreaterThanOrEqual(tokens - 2);
      }),
    );
  });

  it("of two texts is about the sum of theirs", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const apart = estimateTokens(a) + estimateTokens(b);
        expect(Math.abs(estimateTokens(`${a}\n${b}`) - apart)).toBeLessThanOrEqual(Math.max(6, 0.25 * apart));
      }),
    );
  });
});
