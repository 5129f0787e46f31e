import { describe, expect, test } from "vitest";
import { ModeScan, QueryFilter } from "../../src/text/index.ts";

function scanned(...stretches: string[]): ModeScan {
  const scan = new ModeScan();
  for (const stretch of stretches) scan.take(stretch);
  return scan;
}

describe("modes of a terminal", () => {
  test("the last setting counts", () => {
    expect(scanned("\x1b[?2004h$ \x1b[?2004l\x1b[?1049;1h")).toMatchObject({
      bracketedPaste: false,
      applicationCursor: true,
    });
    expect(scanned("\x1b[?2004h\x1bc").bracketedPaste).toBe(false);
    expect(scanned("plain \x1b[31mred\x1b[0m \x1b[?25l").bracketedPaste).toBe(false);
  });

  test.each(Array.from({ length: 9 }, (_, i) => i))("a sequence that is cut after %i bytes is one sequence", (at) => {
    const text = "\x1b[?2004h";
    expect(scanned(text.slice(0, at), text.slice(at)).bracketedPaste).toBe(true);
  });

  test.each([
    ["nothing was set", "plain\x1b[31mred\x1b[H\x1b[2J", ""],
    ["what was set is what it was at first", "\x1b[?25l\x1b[?25h\x1b[?1h\x1b[?1l", ""],
    [
      "the alternate screen, the keys, the mouse",
      "\x1b[?1049;1h\x1b=\x1b[?1002;1006h",
      "\x1b[?1049h\x1b[?1h\x1b[?1002h\x1b[?1006h\x1b=",
    ],
    ["an invisible cursor, no wrapping, insertion", "\x1b[?7;25l\x1b[4h", "\x1b[?7l\x1b[?25l\x1b[4h"],
    ["each screen's own scrolling region", "\x1b[1;31r\x1b[?1049h\x1b[2;20r", "\x1b[1;31r\x1b[?1049h\x1b[2;20r"],
    ["the title", "\x1b]0;one\x07\x1b]2;two \xc3\xa4\x1b\\", "\x1b]2;two \xc3\xa4\x07"],
    ["a soft reset keeps the screen and the mouse", "\x1b[?1049;1;1000h\x1b[3;4r\x1b[!p", "\x1b[?1049h\x1b[?1000h"],
    ["a full reset", "\x1b[?1049;1;1000h\x1b[3;4r\x1b[4h\x1bc", ""],
  ])("%s", (_, output, restoration) => {
    expect(scanned(output).restoration()).toBe(restoration);
  });
});

describe("queries in output", () => {
  const shown = (...chunks: string[]): string => {
    const filter = new QueryFilter();
    return chunks.map((chunk) => Buffer.from(filter.take(Buffer.from(chunk, "latin1"))).toString("latin1")).join("");
  };
  const queries = [
    "\x1b[5n",
    "\x1b[6n",
    "\x1b[?6n",
    "\x1b[?996n",
    "\x1b[c",
    "\x1b[0c",
    "\x1b[>c",
    "\x1b[=c",
    "\x1b[>0q",
    "\x1bZ",
    "\x1b[?2026$p",
    "\x1b[4$p",
    "\x1bP$qm\x1b\\",
    "\x1bP+q544e;436f\x1b\\",
    "\x1b]10;?\x07",
    "\x1b]11;?\x1b\\",
    "\x1b]4;12;?\x07",
    "\x1b[?u",
    "\x1b[14t",
    "\x1b[18t",
  ];

  test.each(queries.map((query) => [JSON.stringify(query), query]))(
    "%s is not passed on, wherever it is cut",
    (_, query) => {
      for (let at = 0; at <= query.length; at++)
        expect(shown(`a${query.slice(0, at)}`, `${query.slice(at)}b`)).toBe("ab");
    },
  );

  test.each([
    "\x1b[31mred\x1b[0m",
    "\x1b[2J\x1b[H",
    "\x1b[?25h",
    "\x1b]0;title\x07",
    "\x1b]11;rgb:00/00/00\x07",
    "\x1b[>1u",
    "\x1b[22;0t",
    "\x1b(B",
    "\x1b[5;6r",
    "\x1bM",
    "\xc3\xa4",
  ])("%j is passed on, wherever it is cut", (sequence) => {
    for (let at = 0; at <= sequence.length; at++)
      expect(shown(`a${sequence.slice(0, at)}`, `${sequence.slice(at)}b`)).toBe(`a${sequence}b`);
  });
});
