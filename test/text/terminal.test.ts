/** What a terminal would show in the end. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hasControls,
  playOut,
  readLines,
  endOfLine,
  StemMatcher,
  stripControls,
  wellFormed,
} from "../../src/text/index.ts";

function screen(output: string): string[] {
  return playOut(readLines(Buffer.from(output)).text, 1).map((row) => row.text);
}

describe("playing a terminal out", () => {
  it("leaves the last frame of a line that was drawn again and again", () => {
    expect(screen("10 %\r50 %\r100 %\ndone\n")).toEqual(["100 %", "done"]);
    expect(screen("\r\u001b[2Kfetch 1/3\r\u001b[2Kfetch 2/3\n")).toEqual(["fetch 2/3"]);
  });

  it("overwrites what a shorter frame covers, as a terminal does", () => {
    expect(screen("[    ] starting\r[ OK ]\n")).toEqual(["[ OK ] starting"]);
    expect(screen("abcdef\rxy\u001b[K\n")).toEqual(["xy"]);
  });

  it("takes CR LF for a line feed", () => {
    expect(screen("one\r\ntwo\r\r\nthree\r\n")).toEqual(["one", "two", "three"]);
  });

  it("moves up and redraws", () => {
    expect(screen("a …\nb …\n\u001b[2A\u001b[2Ka ok\n\u001b[2Kb ok\nend\n")).toEqual(["a ok", "b ok", "end"]);
    expect(screen("one\ntwo\u001b[1A\u001b[2Gx\n")).toEqual(["oxe", "two"]);
    expect(screen("x\u001b[3Cy\u001b[1Dz\n")).toEqual(["x   z"]);
  });

  it("keeps what was printed before the screen was cleared", () => {
    expect(screen("Error: gone?\n\u001b[2J\u001b[Hwatching\n")).toEqual(["Error: gone?", "watching"]);
  });

  it("erases below the cursor", () => {
    expect(screen("one\ntwo\nthree\n\u001b[2A\u001b[Jnew\n").filter((row) => row !== "")).toEqual(["one", "new"]);
  });

  it("goes back with backspaces", () => {
    expect(screen("passwort\b\b\b\b\b\b\b\bxxxxxxxx\n")).toEqual(["xxxxxxxx"]);
    expect(screen("\b\bab\bc\n")).toEqual(["ac"]);
  });

  it("drops colours, titles, links, charsets and half sequences", () => {
    expect(
      screen(
        "\u001b[1;31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\ \u001b(Bend\u001b[\n",
      ),
    ).toEqual(["red link end"]);
    expect(stripControls("\u001b[31mred\u001b[0m\u0000\ttab")).toBe("red\ttab");
  });

  it("tells the line that wrote a row last", () => {
    expect(playOut(["a", "b", "\u001b[2Ax"], 7)).toEqual([
      { text: "x", line: 9 },
      { text: "b", line: 8 },
    ]);
  });

  it("takes time in proportion to the output, whatever the sequences", () => {
    const frame = "\r\u001b[1A\u001b[999C\u001b[2K*";
    const rows = playOut([frame.repeat(50_000), `\r${"x".repeat(200)}`.repeat(20_000)], 1);
    expect(rows.length).toBeLessThan(10);
  });

  it("never leaves a control character in a row", () => {
    const pieces = fc.constantFrom(
      "\u001b",
      "[",
      "2",
      "K",
      "A",
      "J",
      "H",
      ";",
      "\r",
      "\b",
      "a",
      "é",
      "\u0000",
      "\u009b",
      "]",
      "\u0007",
      "?",
      " ",
      "m",
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
          { maxLength: 10 },
        ),
        (lines) => {
          for (const row of playOut(lines, 1)) expect(hasControls(row.text)).toBe(false);
        },
      ),
    );
  });
});

describe("decoding lines", () => {
  it("replaces what is no character without losing a line feed", () => {
    expect(readLines(Buffer.from([0x61, 0xe2, 0x82, 0x0a, 0x62, 0xff, 0x0a, 0x63])).text).toEqual([
      "a\ufffd",
      "b\ufffd",
      "c",
    ]);
  });

  it("replaces halves of surrogate pairs", () => {
    expect(wellFormed("a\ud83d b\ude00 😀")).toBe("a\ufffd b\ufffd 😀");
  });
});

describe("the stem matcher", () => {
  const found = (text: string, stems: string[]): number[] => {
    const lines: number[] = [];
    const bytes = Buffer.from(text);
    expect(
      new StemMatcher(stems).eachLine(bytes, 0, bytes.length, (line, _, at) => {
        lines.push(line);
        return endOfLine(bytes, at, bytes.length);
      }),
    ).toBe(bytes.filter((byte) => byte === 10).length);
    return lines;
  };

  it("finds each line once, in either case, with digits and edges of lines", () => {
    expect(
      found("ok\nan ERRor and error\nline a:7\nnot here\nx not\ndo notice\n失敗\n", ["err", "a:0", " not ", "失敗"]),
    ).toEqual([1, 2, 3, 4, 6]);
  });

  it("finds what a plain search finds", () => {
    const alphabet = fc.constantFrom("e", "r", "E", " ", "\n", "0", "7", "失", "f");
    fc.assert(
      fc.property(
        fc.array(alphabet, { maxLength: 60 }).map((parts) => parts.join("")),
        (text) => {
          const stems = ["err", "re ", "r0e", "失fe"];
          const plain = text.split("\n").flatMap((line, i) => {
            const padded = ` ${line.toLowerCase().replaceAll("7", "0")} `;
            return stems.some((stem) => padded.includes(stem)) ? [i] : [];
          });
          expect(found(text, stems)).toEqual(plain);
        },
      ),
    );
  });

  it("refuses a stem that is too short", () => {
    expect(() => new StemMatcher(["no"])).toThrow(/three bytes|at least 3/);
  });
});
