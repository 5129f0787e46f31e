/** Lines that a terminal of a given width can take, and keys as programs know them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitted, legacyBytes } from "../../src/pi/columns.ts";

describe("a fitted line", () => {
  it("keeps what fits, and counts wide characters twice", () => {
    expect(fitted("plain text", 5)).toBe("plain");
    expect(fitted("日本語", 5)).toBe("日本");
    expect(fitted("┌──┐ é", 6)).toBe("┌──┐ é");
    expect(fitted("a\tb", 10)).toBe("a    b");
  });

  it("holds nothing that moves the cursor, and is never longer than its width", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.nat(40), (text, width) => {
        const line = fitted(text, width);
        expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
        expect([...line].length).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe("a key of the kitty protocol", () => {
  it.each([
    ["\x1b[99;5u", "\x03", "Control-C"],
    ["\x1b[93;5u", "\x1d", "Control-]"],
    ["\x1b[97u", "a", "a letter"],
    ["\x1b[97;2u", "A", "a letter with Shift"],
    ["\x1b[120;3u", "\x1bx", "Alt-X"],
    ["\x1b[13u", "\r", "Enter"],
    ["\x1b[27u", "\x1b", "Escape"],
    ["\x1b[9;2u", "\x1b[Z", "Shift-Tab"],
    ["\x1b[99;5:1u", "\x03", "a press that says so"],
  ])("%j is %j: %s", (data, bytes) => {
    expect(legacyBytes(data)).toBe(bytes);
  });

  it.each(["a", "\x1b[A", "\x1b[200~pasted\x1b[201~", "\x03"])("%j is left as it is", (data) => {
    expect(legacyBytes(data)).toBe(data);
  });
});
