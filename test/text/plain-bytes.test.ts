/** Lines played out as bytes say what they say as text. */
import { describe, expect, it } from "vitest";
import { plainText, writePlainLine } from "../../src/text/index.ts";

function written(line: string): string {
  const bytes = Buffer.from(`xx${line}yy`);
  const into = Buffer.alloc(bytes.length);
  const end = writePlainLine(bytes, 2, bytes.length - 2, into, 1);
  return into.toString("utf8", 1, end);
}

describe("a line played out as bytes", () => {
  it.each([
    ["colours and titles", "\x1b[31;1merror\x1b[0m \x1b]0;title\x07of it"],
    ["a string that nothing ends", "before \x1bPnever ended"],
    ["an escape at its end", "cut \x1b"],
    ["a sequence at its end", "cut \x1b[12;"],
    ["the last drawing that is not blank", " 10 %\r 99 %\r   \r"],
    ["nothing but drawings that are blank", "  \r\u00a0\r\u3000"],
    ["control characters", "a\u0000b\u0085c\u007fd\be"],
    ["a control character as a drawing", "shown\r\b"],
    ["wide characters", "größe\r日本語 \u001b(Bfehlt"],
  ])("has %s as its text has", (_, line) => {
    expect(written(line)).toBe(plainText(line));
  });

  it("says the same as its text whatever it is made of", () => {
    const parts = [
      "a",
      " ",
      "\t",
      "\r",
      "\r",
      "\x1b",
      "\x1b[",
      "\x1b]",
      "[",
      "P",
      "\\",
      "\x07",
      "\b",
      "\v",
      "é",
      "\u00a0",
      "\u0085",
      "日",
      "m",
      "0",
      ";",
      "\x7f",
    ];
    let state = 11;
    for (let round = 0; round < 20_000; round++) {
      let line = "";
      for (let i = round % 12; i >= 0; i--) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        line += parts[Math.floor((state / 2 ** 32) * parts.length)] ?? "";
      }
      expect(written(line), JSON.stringify(line)).toBe(plainText(line));
    }
  });
});
