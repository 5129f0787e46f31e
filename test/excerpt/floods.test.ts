/** Floods whose lines differ in words: told as one, with what they are about, and never in place of the line that stands alone. */
import { describe, expect, it } from "vitest";
import { type Excerpt, type ExcerptRequest, excerptOfBytes, FAILURE_LIMITS } from "../../src/excerpt/index.ts";
import { readWords, roomForWords } from "../../src/excerpt/vocabulary.ts";

function of(lines: readonly string[], more: Partial<ExcerptRequest> = {}): Excerpt {
  return excerptOfBytes(Buffer.from(`${lines.join("\n")}\n`), {
    exitCode: 1,
    command: null,
    limits: FAILURE_LIMITS,
    headRatio: 0.2,
    ...more,
  });
}

const WORDS = "amber birch cedar delta ember fjord grove heron islet joist knoll larch maple nadir onyx plume".split(
  " ",
);
const word = (i: number): string => `${WORDS[i % 16]}${WORDS[(i >> 4) % 16]}${WORDS[(i >> 8) % 16]}`;

describe("a flood of lines that differ in words", () => {
  const lines = Array.from({ length: 300 }, (_, i) => `docs/${word(i)}.md:${i}:7 - Unknown word (${word(i)}), error`);

  it("is one group with its number and some of what it is about", () => {
    const { text, tokens } = of(lines);
    expect(text).toContain("Unknown word (amberamberamber), error (×299)");
    expect(text).toContain("birchamberamber");
    expect(tokens).toBeLessThan(250);
  });

  it("hides none of the lines that stand alone in it", () => {
    const alone = [
      "error: the dictionary de.aff could not be read",
      "config.yml:3:1 - Unknown setting (langauge), error",
    ];
    const { text } = of([
      ...lines.slice(0, 120),
      alone[0] ?? "",
      ...lines.slice(120, 240),
      alone[1] ?? "",
      ...lines.slice(240),
    ]);
    for (const line of alone) expect(text).toContain(line);
  });

  it("is not made of a few lines that are alike", () => {
    const few = lines.slice(0, 8);
    expect(of([...few, ...Array.from({ length: 60 }, (_, i) => `step ${i} done`)]).text).not.toContain("×8");
  });

  it("is counted together under a pattern of the user's", () => {
    const { text } = of(
      Array.from({ length: 400 }, (_, i) => `slow lookup of host ${word(i)} in zone ${word(i * 7)}`),
      { errorPatterns: [/slow lookup/] },
    );
    expect(text).toContain("(×399)");
  });
});

describe("what stands under its line of source", () => {
  it("is shown with the line", () => {
    const noise = Array.from({ length: 80 }, (_, i) => `checked script ${i}: fine`);
    const { text } = of([
      ...noise,
      "In deploy.sh line 6:",
      "  rm -rf $TARGET/*",
      "         ^-----^ SC2115 (error): Use a guard so that this never expands to /*.",
      "",
      ...noise,
    ]);
    expect(text).toContain("  rm -rf $TARGET/*\n         ^-----^ SC2115 (error)");
  });
});

describe("a place that stands as a title over a message", () => {
  it("is shown with the message, though a blank row is between them", () => {
    const noise = Array.from({ length: 80 }, (_, i) => `checked operation ${i}: fine`);
    const { text } = of([
      ...noise,
      "",
      "[32] api.yaml:158:58 at #/paths/pay/post",
      "",
      "Can't resolve $ref",
      "",
      ...noise,
    ]);
    expect(text).toContain("[32] api.yaml:158:58 at #/paths/pay/post");
  });
});

describe("a gap of one short row", () => {
  it("is filled, since to say that it is missing costs as much", () => {
    const noise = Array.from({ length: 80 }, (_, i) => `part ${i} of the build is fine, nothing to say`);
    const { text } = of([
      ...noise,
      "error: first of two: no such file a.c",
      "on host b",
      "error: second of two: permission denied",
      ...noise,
    ]);
    expect(text).toContain("no such file a.c\non host b\nerror: second");
  });
});

describe("the words of a line", () => {
  it("are those before its end, whatever lies in memory behind it", () => {
    const line = "a.h:12: warning: Member birch is not documented.";
    const words = ["", " and more", "x.y"].map((behind) => {
      const read = roomForWords();
      readWords(read, Buffer.from(line + behind), 0, line.length);
      return [...read.numbers.subarray(0, read.length)];
    });
    expect(words[1]).toEqual(words[0]);
    expect(words[2]).toEqual(words[0]);
  });
});
