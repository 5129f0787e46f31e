import { describe, expect, it } from "vitest";
import {
  type ByteSource,
  type Excerpt,
  FAILURE_LIMITS,
  FilterProcessor,
  type FilterRequest,
} from "../../../src/excerpt/index.ts";
import type { FilterName } from "../../../src/model/index.ts";
import type { FilterOutcome, FilterProcess } from "../../../src/ports/index.ts";
import { estimateTokens } from "../../../src/text/index.ts";

/** A helper that answers as it is told, and counts how often it is asked. */
function helper(
  answer: FilterOutcome | ((input: string, filter: FilterName) => string),
): FilterProcess & { asked: number } {
  const self = {
    name: "rtk",
    asked: 0,
    filter: (filter: FilterName, input: Uint8Array): Promise<FilterOutcome> => {
      self.asked += 1;
      return Promise.resolve(
        typeof answer === "function"
          ? { kind: "filtered", output: Buffer.from(answer(Buffer.from(input).toString(), filter)) }
          : answer,
      );
    },
  };
  return self;
}

function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    size: () => Promise.resolve(bytes.length),
    read: (at, length) => Promise.resolve(bytes.subarray(at, at + length)),
  };
}

function own(text: string): Excerpt {
  const lines = text.split("\n").length;
  return {
    text,
    truncated: true,
    totalBytes: 0,
    totalLines: lines,
    shownLines: lines,
    tokens: estimateTokens(text),
    ranges: [],
    unread: null,
  };
}

const LOG = `============================= test session starts ==============================
collected 42 items

tests/test_money.py ..................F.....................                [100%]

=================================== FAILURES ===================================
__________________________________ test_round __________________________________

    def test_round():
>       assert round_half(2.5) == 3
E       assert 2 == 3
E        +  where 2 = round_half(2.5)

tests/test_money.py:18: AssertionError
=========================== short test summary info ============================
FAILED tests/test_money.py::test_round - assert 2 == 3
========================= 1 failed, 41 passed in 0.12s =========================
`;
const OWN = own(`FAILED tests/test_money.py::test_round - assert 2 == 3
E       assert 2 == 3
E        +  where 2 = round_half(2.5)
tests/test_money.py:18: AssertionError
__________________________________ test_round __________________________________
========================= 1 failed, 41 passed in 0.12s =========================
… [11 lines left out] …`);
const SHORTER = `Pytest: 1 failed, 41 passed
FAILED tests/test_money.py::test_round
  E assert 2 == 3
  E +  where 2 = round_half(2.5)
  tests/test_money.py:18: AssertionError`;

const request = (more: Partial<FilterRequest> = {}): FilterRequest => ({
  filter: "pytest",
  exitCode: 1,
  source: sourceOf(Buffer.from(LOG)),
  own: OWN,
  limits: FAILURE_LIMITS,
  ...more,
});

describe("a filter's text", () => {
  it("is shown when it tells as much for fewer tokens", async () => {
    const result = await new FilterProcessor(helper(() => SHORTER)).process(request());
    expect(result).toEqual({ text: SHORTER, tokens: estimateTokens(SHORTER), note: null });
  });

  it.each([
    ["tells less", "Pytest: 1 failed, 41 passed"],
    ["costs more and tells no more", `${LOG}${LOG}`],
    ["invents what is not in the log", "FAILED tests/other.py::test_x\nE assert 1 == 9\n7 failed"],
  ])("that %s is not shown, without a word", async (_what, text) => {
    expect(await new FilterProcessor(helper(() => text)).process(request())).toEqual({
      text: null,
      tokens: 0,
      note: null,
    });
  });

  it("that is above the ceilings is not shown", async () => {
    const limits = { maxBytes: 256, maxLines: 3, maxTokens: 64 };
    expect((await new FilterProcessor(helper(() => SHORTER)).process(request({ limits }))).text).toBeNull();
  });

  it.each([
    ["pytest", "Pytest: 42 passed"],
    ["pytest", "0 failed, 42 passed"],
    ["cargo-test", "✓ cargo test: 12 passed; 0 failed"],
    ["go-test", "Go test: 9 passed in 3 packages"],
    ["ruff-check", "✓ Ruff: no issues found"],
    ["git-diff", "+1 -1"],
    ["grep", "3 matches"],
  ] as const)("of a run that failed never is a green summary (%s: %s)", async (filter, text) => {
    for (const exitCode of [1, 101, 137, null]) {
      const result = await new FilterProcessor(helper(() => text)).process(
        request({ filter, exitCode, own: own("nothing") }),
      );
      expect(result.text).toBeNull();
      expect(result.note).toContain("no failure");
    }
  });

  it("has no control characters, and its secrets are masked", async () => {
    const text = `\u001b[31m${SHORTER}\u001b[0m\u0007`;
    const mask = (line: string): string => line.replace("test_money", "test_[redacted]");
    const shown = await new FilterProcessor(helper(() => text)).process(
      request({ mask, own: own(OWN.text.repeat(3)) }),
    );
    expect(shown.text ?? "").not.toMatch(/[\u0000-\u0008\u001b]/);
    const result = await new FilterProcessor(helper(() => text)).process(request());
    expect(result.text).toBe(SHORTER);
  });

  it.each([
    ["bytes that are no text", { kind: "filtered", output: Uint8Array.of(0xff, 0xfe, 0x00) } as const, "no text"],
    ["nothing", { kind: "filtered", output: new Uint8Array() } as const, "said nothing"],
    ["an ordinary failure", { kind: "failed", why: "ended with status 1" } as const, "ended with status 1"],
  ])("that is %s is not shown, a note says so, and the next log is filtered again", async (_what, outcome, note) => {
    const rtk = helper(outcome);
    const processor = new FilterProcessor(rtk);
    for (const round of [1, 2]) {
      const result = await processor.process(request());
      expect(result.text).toBeNull();
      expect(result.note).toContain(note);
      expect(rtk.asked).toBe(round);
    }
  });
});

describe("a helper", () => {
  it("that could not be started stays off for this processor alone, and a note says so each time", async () => {
    const rtk = helper({ kind: "spawn-failed", why: "could not be started: EACCES" });
    const processor = new FilterProcessor(rtk);
    expect((await processor.process(request())).note).toContain("EACCES");
    expect((await processor.process(request())).note).toContain("stays off for this session");
    expect(rtk.asked).toBe(1);
    await new FilterProcessor(rtk).process(request());
    expect(rtk.asked).toBe(2);
  });

  it("that is not installed is no news", async () => {
    expect(await new FilterProcessor(helper({ kind: "absent" })).process(request())).toEqual({
      text: null,
      tokens: 0,
      note: null,
    });
  });

  it("that is another program is told once", async () => {
    const processor = new FilterProcessor(
      helper({ kind: "unsuitable", why: "the rtk on PATH is another program of that name" }),
    );
    expect((await processor.process(request())).note).toContain("another program");
    expect((await processor.process(request())).note).toBeNull();
  });
});

describe("a log", () => {
  it.each([
    ["over 10 MiB", Buffer.alloc(10 * 1024 * 1024 + 1, 97)],
    ["that is not UTF-8", Buffer.from([0x61, 0xff, 0x0a])],
    ["that is empty", new Uint8Array()],
  ])("%s is not given to the helper", async (_what, bytes) => {
    const rtk = helper(() => "x");
    expect(await new FilterProcessor(rtk).process(request({ source: sourceOf(bytes) }))).toEqual({
      text: null,
      tokens: 0,
      note: null,
    });
    expect(rtk.asked).toBe(0);
  });

  it("that grows over 10 MiB while it is read is not given either", async () => {
    const rtk = helper(() => "x");
    const source: ByteSource = {
      size: () => Promise.resolve(10),
      read: (_at, length) => Promise.resolve(new Uint8Array(length).fill(97)),
    };
    expect((await new FilterProcessor(rtk).process(request({ source }))).text).toBeNull();
    expect(rtk.asked).toBe(0);
  });

  it("that is gone leaves the helper on, and a note says so", async () => {
    const rtk = helper(() => SHORTER);
    const processor = new FilterProcessor(rtk);
    const gone: ByteSource = {
      size: () => Promise.reject(new Error("ENOENT: no such file")),
      read: () => Promise.reject(new Error("unreachable")),
    };
    expect((await processor.process(request({ source: gone }))).note).toContain("ENOENT");
    expect((await processor.process(request())).text).toBe(SHORTER);
  });

  it("of a command without a format is not even read", async () => {
    const source: ByteSource = {
      size: () => Promise.reject(new Error("must not be asked")),
      read: () => Promise.reject(new Error("must not be asked")),
    };
    expect(await new FilterProcessor(helper(() => "x")).process(request({ filter: null, source }))).toEqual({
      text: null,
      tokens: 0,
      note: null,
    });
  });
});
