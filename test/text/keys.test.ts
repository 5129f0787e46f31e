import { describe, expect, test } from "vitest";
import { keyBytes, longestLine, pastedText } from "../../src/text/index.ts";

describe("keys by name", () => {
  test.each([
    ["C-c", "\x03"],
    ["ctrl-c", "\x03"],
    ["^C", "\x03"],
    ["Ctrl+C", "\x03"],
    ["C-Space", "\0"],
    ["C-?", "\x7f"],
    ["C-[", "\x1b"],
    ["M-x", "\x1bx"],
    ["alt-x", "\x1bx"],
    ["C-M-a", "\x1b\x01"],
    ["S-a", "A"],
    ["Enter", "\r"],
    ["Escape", "\x1b"],
    ["Tab", "\t"],
    ["BTab", "\x1b[Z"],
    ["shift-tab", "\x1b[Z"],
    ["BSpace", "\x7f"],
    ["Space", " "],
    ["Up", "\x1b[A"],
    ["S-Up", "\x1b[1;2A"],
    ["C-Right", "\x1b[1;5C"],
    ["C-M-S-Left", "\x1b[1;8D"],
    ["Home", "\x1b[H"],
    ["PPage", "\x1b[5~"],
    ["PageDown", "\x1b[6~"],
    ["DC", "\x1b[3~"],
    ["C-Delete", "\x1b[3;5~"],
    ["F1", "\x1bOP"],
    ["S-F1", "\x1b[1;2P"],
    ["F5", "\x1b[15~"],
    ["f12", "\x1b[24~"],
    ["-", "-"],
    ["^", "^"],
    ["ä", "ä"],
    ["q", "q"],
  ])("%s", (name, bytes) => {
    expect(keyBytes(name, false)).toBe(bytes);
  });

  test("cursor keys are sent as the program has asked for", () => {
    expect(keyBytes("Up", true)).toBe("\x1bOA");
    expect(keyBytes("C-Up", true)).toBe("\x1b[1;5A");
  });

  test.each(["", "Foo", "F13", "C-", "C-Foo", "C-ä", "hello"])(
    "%j is refused, and what is accepted is named",
    (name) => {
      expect(() => keyBytes(name, false)).toThrow(
        expect.objectContaining({
          code: "ERR_INPUT_KEY",
          message: expect.stringMatching(/Accepted: .*PageUp.*F1 to F12/) as string,
        }) as Error,
      );
    },
  );
});

describe("pasted text", () => {
  test("a newline is the Enter key", () => {
    expect(pastedText("a\nb\r\nc", false)).toBe("a\rb\rc");
  });

  test("several lines are bracketed where the program asked for it, and can't break out", () => {
    expect(pastedText("a\nb", true)).toBe("\x1b[200~a\rb\x1b[201~");
    expect(pastedText("one line", true)).toBe("one line");
    expect(pastedText("a\n\x1b[201~rm -rf x\n", true)).toBe("\x1b[200~a\rrm -rf x\r\x1b[201~");
  });

  test("the longest line is what counts for a terminal that reads by lines", () => {
    expect(longestLine(Buffer.from("aaa\rbbbbb\rc"))).toBe(5);
    expect(longestLine(Buffer.from(""))).toBe(0);
    expect(longestLine(Buffer.from("äö"))).toBe(4);
  });
});
