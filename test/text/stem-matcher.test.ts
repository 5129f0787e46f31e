/** The search for stems against a plain one that looks at every place, and the lines it counts. */
import { describe, expect, it } from "vitest";
import { endOfLine, StemMatcher } from "../../src/text/index.ts";

const STEMS = ["err", "kein ", " no ", "---- ", "***", "e: ", "y:0", "jq!", "^--", "n't", "ошибк"];

/** Lines that hold a stem, found by looking at every place of every line. */
function plainly(bytes: Buffer): number[] {
  const stems = STEMS.map((stem) => Buffer.from(stem).toString("latin1").replace(/\d/g, "0"));
  const lines = bytes.toString("latin1").split("\n");
  return lines.flatMap((line, i) => {
    const folded = line.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\d/g, "0");
    // The start and the end of a line stand for a space; behind the last line feed there is no line.
    const text = ` ${folded.replace(/[\t\r]/g, " ")} `;
    const isLine = i < lines.length - 1 || line !== "";
    return isLine && stems.some((stem) => text.includes(stem)) ? [i] : [];
  });
}

const matcher = new StemMatcher(STEMS);

function found(bytes: Buffer, from = 0, to = bytes.length): { lines: number[]; starts: number[]; feeds: number } {
  const lines: number[] = [];
  const starts: number[] = [];
  const feeds = matcher.eachLine(bytes, from, to, (line, start, at) => {
    lines.push(line);
    starts.push(start);
    return endOfLine(bytes, at, to);
  });
  return { lines, starts, feeds };
}

/** Numbers that are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("the search for stems", () => {
  it("finds the lines that a look at every place finds, wherever in its steps a stem begins", () => {
    const below = numbers(7);
    const parts = [
      "err",
      "ERR",
      "kein",
      "no",
      " ",
      "\n",
      "-",
      "--",
      "*",
      "e:",
      "y:7",
      "Jq!",
      "^",
      "n't",
      "ошибка",
      "x",
      "=",
      "\t",
      "é",
    ];
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: below(24) }, () => parts[below(parts.length)] ?? "").join("");
      const bytes = Buffer.from(text);
      expect(found(bytes).lines, JSON.stringify(text)).toEqual(plainly(bytes));
    }
  });

  it("counts the line feeds and says where each line starts", () => {
    const text = "one\nno error\n\nx: y:5 z\nlast err";
    const { lines, starts, feeds } = found(Buffer.from(text));
    expect(lines).toEqual([1, 3, 4]);
    expect(starts).toEqual([text.indexOf("no"), text.indexOf("x:"), text.indexOf("last")]);
    expect(feeds).toBe(4);
  });

  it("does not look beyond the bytes that it is given", () => {
    const bytes = Buffer.from("xxerr\nfine\nerrxx");
    expect(found(bytes, 3, bytes.length - 4)).toEqual({ lines: [], starts: [], feeds: 2 });
  });

  it("refuses a stem that is too short to be told", () => {
    expect(() => new StemMatcher(["er"])).toThrow(/at least 3 bytes/);
  });
});
