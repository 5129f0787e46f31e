/** What was said once in a log of any size is found, whatever floods stand around it. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type ByteSource,
  type Excerpt,
  type ExcerptRequest,
  excerpt,
  excerptOfBytes,
  FAILURE_LIMITS,
} from "../../src/excerpt/index.ts";
import { compilePatterns, type LinePatterns } from "../../src/text/index.ts";

const request: ExcerptRequest = { exitCode: 1, command: null, limits: FAILURE_LIMITS, headRatio: 0.2 };

/** Numbers that look random and are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

const SYLLABLES = "ba be di do ka ki lo lu ma mi no nu ra ri so su ta ti".split(" ");
function name(next: (below: number) => number): string {
  return Array.from({ length: 2 + next(4) }, () => SYLLABLES[next(SYLLABLES.length)]).join("");
}

/** Floods of errors, each line of which says the same of other things. */
const FLOODS: Readonly<Record<string, (i: number, next: (below: number) => number) => string>> = {
  "names in quotes": (i, next) =>
    `src/${name(next)}/x.ts(${i % 900},1): error TS2304: Cannot find name '${name(next)}'.`,
  "names like words": (i, next) => `docs/${name(next)}.md:${i % 300}:7 - Unknown word (${name(next)}), error`,
  "a server's requests": (i, next) =>
    `2026-01-02T03:04:05Z ERROR [${name(next)}] request ${i} failed: ${name(next)} timeout`,
  records: (i, next) =>
    JSON.stringify({ at: i, level: "error", msg: `failed to ${name(next)}`, user: name(next), id: i }),
};

const SAID_ONCE = [
  "src/cart.ts(9,5): error TS2552: Cannot find name 'totl'. Did you mean 'total'?",
  "FATAL: could not open the ledger: permission denied",
  "Segmentation fault (core dumped)",
  "java.lang.IllegalStateException: connection pool exhausted",
  "assertion failed: left == right",
  "deploy: rollback refused by operator",
  "ENOSPC: no space left on device, write",
  "undefined reference to `frobnicate'",
  "psycopg2.errors.DeadlockDetected: deadlock detected",
];

/** A log of `pieces`, as large as they are together; none of it is put together. */
function inPieces(pieces: readonly Buffer[]): ByteSource {
  let size = 0;
  const located = pieces.map((bytes) => ({ from: (size += bytes.length) - bytes.length, bytes }));
  return {
    size: async () => size,
    read: async (at, length) => {
      const piece = located.find(({ from, bytes }) => at < from + bytes.length);
      return piece === undefined ? Buffer.alloc(0) : piece.bytes.subarray(at - piece.from, at - piece.from + length);
    },
  };
}

function flood(kind: string, bytes: number, seed: number): Buffer {
  const next = numbers(seed);
  const line = FLOODS[kind];
  if (line === undefined) throw new Error(`no flood ${kind}`);
  const out: string[] = [];
  for (let i = 0, size = 0; size < bytes; i++) {
    const text = line(i, next);
    out.push(text);
    size += text.length + 1;
  }
  return Buffer.from(`${out.join("\n")}\n`);
}

function placed(parts: readonly Buffer[], lines: readonly string[]): Promise<Excerpt> {
  const pieces = parts.flatMap((part, i) => [part, Buffer.from(lines[i] === undefined ? "" : `${lines[i]}\n`)]);
  return excerpt(inPieces(pieces), request);
}

describe("an error of a kind that is seen once", () => {
  for (const kind of Object.keys(FLOODS)) {
    it(`is shown at every tenth of a flood of ${kind}`, async () => {
      const parts = Array.from({ length: 10 }, (_, i) => flood(kind, 2 << 20, i + 1));
      const { text, tokens } = await placed(parts, SAID_ONCE);
      for (const line of SAID_ONCE) expect(text).toContain(line);
      expect(tokens).toBeLessThan(600);
    }, 120_000);
  }

  it("is shown at every tenth of 200 MB of four floods, one after the other", async () => {
    const parts = Object.keys(FLOODS).map((kind, i) => flood(kind, 5_000_000, i + 1));
    const order = Array.from({ length: 10 }, (_, i) =>
      Buffer.concat(Array.from({ length: 4 }, (__, k) => parts[(i + k) % 4] ?? Buffer.alloc(0))),
    );
    const { text, totalBytes } = await placed(order, SAID_ONCE.slice(0, 5));
    expect(totalBytes).toBeGreaterThan(200_000_000);
    for (const line of SAID_ONCE.slice(0, 5)) expect(text).toContain(line);
  }, 300_000);

  it("is told with what stands around it, however late it comes", async () => {
    const parts = Array.from({ length: 10 }, (_, i) => flood("names in quotes", 1 << 20, i + 1));
    const block = [
      'Exception in thread "main" com.example.LedgerException: totals differ',
      ...Array.from({ length: 12 }, (_, i) => `\tat org.springframework.aop.Proxy${i}.invoke(Proxy${i}.java:${i})`),
      "\tat com.example.Ledger.close(Ledger.java:88)",
      "Caused by: java.lang.ArithmeticException: 12 is not 13",
    ].join("\n");
    const { text } = await placed(parts, ["", "", "", "", "", "", "", block]);
    for (const needed of ["totals differ", "Ledger.java:88", "12 is not 13"]) expect(text).toContain(needed);
  }, 60_000);
});

describe("a flood in a log that is too long to be kept", () => {
  it("is counted to its last line", () => {
    const lines = Array.from(
      { length: 120_000 },
      (_, i) => `lib/p${i}.d.ts(3,1): error TS2304: Cannot find name 'T${i}'.`,
    );
    const { text } = excerptOfBytes(Buffer.from(`${lines.join("\n")}\n`), request);
    expect(text).toContain("(×120,000)");
  });
});

describe("a pattern of the user's", () => {
  let patterns: LinePatterns;
  beforeAll(async () => {
    const compiled = await compilePatterns(["zebra \\w+ \\d+", "^quux$", "(?i)BLUE moon"]);
    if (compiled.patterns === null) throw new Error(compiled.notes.join());
    patterns = compiled.patterns;
  });

  const shown = (parts: readonly Buffer[], lines: readonly string[]): Promise<Excerpt> => {
    const pieces = parts.flatMap((part, i) => [part, Buffer.from(lines[i] === undefined ? "" : `${lines[i]}\n`)]);
    return excerpt(inPieces(pieces), { ...request, errorPatterns: [patterns] });
  };

  it("finds its line at every tenth of a log, though no word in it is one of a failure", async () => {
    const lines = "red,old,far,sad,odd,new,big,low,dry".split(",").map((word) => `a zebra ${word} 17 walked by`);
    for (const part of [flood("names in quotes", 3 << 20, 7), Buffer.from("GET /cart 200 in 3 ms\n".repeat(140_000))]) {
      const { text } = await shown(
        Array.from({ length: 10 }, () => part),
        lines,
      );
      for (const line of lines) expect(text).toContain(line);
    }
  }, 120_000);

  it("is tried on whole lines, on coloured ones, and on those that end with a carriage return", async () => {
    const part = Buffer.from("GET /quux 200, no quux here\n".repeat(100_000));
    const { text } = await shown([part, part, part, part], ["quux", "a \u001b[31mblue\u001b[0m moon\r", "quuxes"]);
    expect(text).toMatch(/^quux$/m);
    expect(text).toContain("a blue moon");
    expect(text).not.toContain("quuxes");
  }, 60_000);

  it("finds its line behind one whose title for the terminal nothing ends", async () => {
    const part = Buffer.from("GET /cart 200 in 3 ms\n".repeat(140_000));
    const between = "GET /cart 200 in 3 ms\n".repeat(500);
    const { text } = await shown([part, part], [`\u001b]0;a title\n${between}a zebra walks 17`]);
    expect(text).toContain("a zebra walks 17");
  }, 60_000);

  it("is tried line by line where it has no fast way", async () => {
    const part = Buffer.from("GET /cart 200 in 3 ms\n".repeat(100_000));
    const pieces = [part, part, Buffer.from("walrus\n"), part, part];
    const { text } = await excerpt(inPieces(pieces), { ...request, errorPatterns: [/^wal[r]us$/] });
    expect(text).toMatch(/^walrus$/m);
  }, 60_000);
});
