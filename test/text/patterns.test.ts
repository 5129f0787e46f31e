import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePatterns } from "../../src/text/index.ts";

describe("user patterns", () => {
  it.each([
    ["error", "an error here", true],
    ["error", "an Error here", false],
    ["(?i)error", "an ERROR here", true],
    ["^E\\d{4}:", "E1234: x", true],
    ["^E\\d{4}:", " E1234: x", false],
    ["\\bpanic\\b", "no panics", false],
    ["\\p{Lu}{3}", "ÄÖÜ", true],
    ["fail(ed|ure)$", "it failed", true],
    ["🔥", "so 🔥 hot", true],
  ])("%j on %j: %s", async (source, line, matches) => {
    const { patterns, notes } = await compilePatterns([source]);
    expect(notes).toEqual([]);
    expect(patterns?.match(line)).toBe(matches ? 0 : -1);
    expect(patterns?.match(Buffer.from(line))).toBe(matches ? 0 : -1);
  });

  it("report the first of several that match", async () => {
    const { patterns } = await compilePatterns(["zzz", "warn", "w"]);
    expect(patterns?.match("a warning")).toBe(1);
    expect(patterns?.match("nothing")).toBe(-1);
  });

  it.each([
    ["(?=a)b", "look-around"],
    ["(?<!a)b", "look-around"],
    ["(a)\\1", "back-references"],
    ["[a-", "missing closing ]"],
    ["(a", "missing closing )"],
    ["*a", "repetition"],
    ["a{2000}", "1000 repetitions"],
    ["((a{100}){100}){100}", "repetitions"],
    ["(x{500}y{500}){1}z{300}", "states"],
    [".*", "every line"],
    ["", "every line"],
    ["a*|b", "every line"],
  ])("%j is refused: %s", async (source, reason) => {
    const { patterns, notes } = await compilePatterns([source, "good"]);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(JSON.stringify(source));
    expect(notes[0]).toContain(reason);
    expect(patterns?.sources).toEqual(["good"]);
    expect(patterns?.match("a good line")).toBe(0);
  });

  it("that are refused are told by where they stand, or else by their number", async () => {
    const { notes } = await compilePatterns(["good", "(a", "(b"], ["here", "errorPatterns[7] in there"]);
    expect(notes).toEqual([
      expect.stringMatching(/^settings: errorPatterns\[7\] in there: "\(a" can't be used: .*; ignored\.$/),
      expect.stringMatching(/^settings: errorPatterns, number 3: "\(b" can't be used: .*; ignored\.$/),
    ]);
  });

  it("that are all refused leave no matcher, and none given is no matter", async () => {
    expect((await compilePatterns(["(?=a)"])).patterns).toBeNull();
    expect(await compilePatterns([])).toEqual({ patterns: null, notes: [] });
  });

  it("of too many states together are refused from there on", async () => {
    const { patterns, notes } = await compilePatterns(Array.from({ length: 20 }, (_, i) => `x{${400 + i}}`));
    expect(patterns?.sources.length).toBeGreaterThan(5);
    expect(notes.length).toBe(20 - (patterns?.sources.length ?? 0));
    expect(notes[0]).toContain("together");
  });

  it.each(["(a|aa)+$", "(a*)*[bc]", "(a+a+)+[yz]", "(?:a?){30}a{30}[bc]", "(.*)(.*)(.*)[bc]", "[ab]*a[ab]{20}[cd]"])(
    "%j, which backtracking never finishes, reads half a megabyte",
    async (source) => {
      const { patterns, notes } = await compilePatterns([source]);
      expect(notes).toEqual([]);
      expect(patterns?.match(`${"a".repeat(500_000)}!`)).toBe(-1);
    },
  );

  it("agree with the language's own on what both understand", async () => {
    const atom = fc.constantFrom("a", "b", "[ab]", ".", "\\d", "(?:a|b)", "(?:ab)");
    const source = fc
      .array(fc.tuple(atom, fc.constantFrom("", "+", "?", "{2}")), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.flat().join(""));
    const line = fc.string({ unit: fc.constantFrom("a", "b", "1", " "), maxLength: 12 });
    const agree = async (given: string, text: string): Promise<boolean> => {
      const { patterns } = await compilePatterns([given]);
      return patterns === null || patterns.test(text) === new RegExp(given).test(text);
    };
    const result = await fc.check(fc.asyncProperty(source, line, agree));
    expect(result.counterexample).toBeNull();
  });
});
