/** Logs that are too long to be kept whole, and bytes that nobody meant to be a log. */
import { describe, expect, it } from "vitest";
import {
  type ByteSource,
  type ExcerptRequest,
  excerpt,
  excerptOfBytes,
  FAILURE_LIMITS,
} from "../../src/excerpt/index.ts";

const request: ExcerptRequest = { exitCode: 1, command: null, limits: FAILURE_LIMITS, headRatio: 0.2 };

function inPieces(bytes: Uint8Array, piece: number): ByteSource {
  return {
    size: async () => bytes.length,
    read: async (at, length) => bytes.subarray(at, at + Math.min(length, piece)),
  };
}

function lines(count: number, line: (i: number) => string): string {
  const out: string[] = [];
  for (let i = 0; i < count; i++) out.push(line(i));
  return `${out.join("\n")}\n`;
}

describe("a log of more than it keeps", () => {
  const before = lines(150_000, (i) => `compiling unit ${i} of the core library`);
  const after = lines(150_000, (i) => `linking part ${i}, 0 errors so far`);
  const bytes = Buffer.from(
    `${before}src/x.c:7:3: error: unknown type name 'foo'\n    7 | foo bar;\n      | ^~~\n${after}done.\n`,
  );

  it("shows the error in the middle with the numbers and bytes of its lines", () => {
    const seen = excerptOfBytes(bytes, request);
    expect(bytes.length).toBeGreaterThan(8 << 20);
    expect(seen).toMatchObject({ totalBytes: bytes.length, totalLines: 300_004, truncated: true });
    expect(seen.text).toContain(
      "… [149,999 lines left out; line 150001:] …\nsrc/x.c:7:3: error: unknown type name 'foo'\n    7 | foo bar;",
    );
    expect(seen.text.startsWith("compiling unit 0 of")).toBe(true);
    expect(seen.text.endsWith("done.")).toBe(true);
    const range = seen.ranges.find((one) => one.fromLine === 150_001);
    expect(bytes.subarray(range?.from, range?.to).toString()).toBe("src/x.c:7:3: error: unknown type name 'foo'\n");
  });

  it("is the same however it is read", async () => {
    const whole = excerptOfBytes(bytes, request);
    for (const piece of [65_536, 777_777, 1 << 20])
      expect(await excerpt(inPieces(bytes, piece), request)).toEqual(whole);
  });

  it("keeps errors that come late in a flood of others", () => {
    const flood = lines(200_000, (i) => `node_modules/p${i}/index.d.ts(3,1): error TS2304: Cannot find name 'T${i}'.`);
    const half = flood.indexOf("\n", flood.length >> 1) + 1;
    const seen = excerptOfBytes(
      Buffer.from(
        `${flood.slice(0, half)}src/cart.ts(9,5): error TS2552: Cannot find name 'totl'. Did you mean 'total'?\n${flood.slice(half)}`,
      ),
      request,
    );
    expect(seen.text).toContain("src/cart.ts(9,5): error TS2552");
  });

  it("tells of what was read when it shrinks on the way", async () => {
    const source = inPieces(bytes, 1 << 20);
    const shrunk: ByteSource = { size: async () => bytes.length * 2, read: (at, length) => source.read(at, length) };
    const seen = await excerpt(shrunk, request);
    expect(seen).toMatchObject({ totalBytes: bytes.length, totalLines: 300_004, unread: null });
    expect(seen.text).toContain("error: unknown type name 'foo'");
  });

  it("says why when reading fails on the way", async () => {
    const source = inPieces(bytes, 1 << 20);
    const failing: ByteSource = {
      size: async () => bytes.length,
      read: (at, length) =>
        at > 6 << 20 ? Promise.reject(new Error("EIO: i/o error, read")) : source.read(at, length),
    };
    const seen = await excerpt(failing, request);
    expect(seen.unread).toBe("EIO: i/o error, read");
    expect(seen.totalBytes).toBeGreaterThan(6 << 20);
  });
});

describe("bytes that are hardly a log", () => {
  const check = (bytes: Uint8Array): string => {
    const seen = excerptOfBytes(bytes, request);
    expect(Buffer.from(seen.text).toString()).toBe(seen.text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there.
    expect(seen.text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(Buffer.byteLength(seen.text)).toBeLessThanOrEqual(FAILURE_LIMITS.maxBytes);
    expect(seen.totalBytes).toBe(bytes.length);
    return seen.text;
  };

  it("one line of megabytes, with and without its end", () => {
    for (const end of ["", "\n", "\nafter"]) {
      const text = check(Buffer.from(`start ${"x".repeat(20 << 20)} Error: at the end of it${end}`));
      expect(text).toContain("start xxx");
      expect(text).toMatch(/[\d,]+ (?:characters|lines?) left out/);
    }
  });

  it("one line of megabytes that says in its middle what went wrong is one row, with every character told of", async () => {
    const said = " Error: disk full on /dev/sda1 ";
    for (const size of [5000, 3_000_000, 30_000_000]) {
      for (const at of [0.1, 0.5, 0.95].map((share) => Math.floor(size * share))) {
        const line = Buffer.alloc(size, "x");
        line.write(said, at);
        const bytes = Buffer.concat([Buffer.from("first\n"), line, Buffer.from("\nlast\n")]);
        const seen = excerptOfBytes(bytes, request);
        const row = seen.text.split("\n")[1] ?? "";
        expect(row).toContain(said.trim());
        expect(seen).toMatchObject({ totalLines: 3, shownLines: 3 });
        expect(seen.ranges.find((range) => range.fromLine <= 2 && range.toLine >= 2)?.to).toBeGreaterThanOrEqual(
          size + 7,
        );
        const parts = row.split(/… \[([\d,]+) characters left out\] …/);
        const told = parts.map((part, i) => (i % 2 === 0 ? part.length : Number(part.replaceAll(",", ""))));
        expect(told.reduce((sum, length) => sum + length)).toBe(size);
        expect(await excerpt(inPieces(bytes, 777_777), request)).toEqual(seen);
      }
    }
  });

  it("long lines among others are cut around what they say, whatever stands before it", () => {
    const steps = lines(300, (i) => `step ${i} of the build is done`);
    for (const filler of ["ab ", '{"k":"v"},', "größe "]) {
      for (const length of [1000, 3000, 50_000]) {
        const part = filler.repeat(length / filler.length);
        const seen = excerptOfBytes(
          Buffer.from(`${steps}${part} Error: disk full on /dev/sda1 ${part}\nError: gave up\n${steps}`),
          request,
        );
        expect(seen.text).toContain("disk full on /dev/sda1");
        expect(seen.text).toContain("Error: gave up");
      }
    }
  });

  it("lines that are hardly more than white space, a rule or one sign, and a word behind it", () => {
    // A pattern that starts anew at each sign would need hours here, and run into the limit of the test.
    for (const sign of [" ", "\t", "=", "─", "_", "x", "(", "'"]) {
      for (const size of [1 << 20, 9 << 20]) {
        const text = check(Buffer.from(`first\n${sign.repeat(size / sign.length)}x\nlast\n`));
        expect(text).toMatch(/^first\n[^]*\nlast$/);
      }
    }
  }, 60_000);

  it("300 MB that are one line of one byte", async () => {
    const size = 300_000_000;
    for (const byte of ["\0", "x"]) {
      const block = Buffer.alloc(1 << 20, byte);
      const endless: ByteSource = {
        size: async () => size,
        read: async (at, length) => block.subarray(0, Math.min(length, block.length, size - at)),
      };
      const seen = await excerpt(endless, request);
      expect(seen).toMatchObject({ totalBytes: size, totalLines: 1, unread: null });
      expect(Buffer.byteLength(seen.text)).toBeLessThanOrEqual(FAILURE_LIMITS.maxBytes);
      expect(seen.text.startsWith("x".repeat(100))).toBe(byte === "x");
    }
  }, 120_000);

  it("zeros, random bytes, a megabyte of carriage returns, of escapes, of line feeds", () => {
    check(Buffer.alloc(9 << 20));
    const random = Buffer.alloc(3 << 20);
    let state = 1;
    for (let i = 0; i < random.length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      random[i] = state >> 16;
    }
    check(random);
    expect(check(Buffer.from("\n".repeat(400_000)))).toBe("");
    for (const piece of ["\r", "\u001b[", "\u001b[2A\u001b[K\n", "\r\n", "é", "\b"])
      check(Buffer.from(piece.repeat(400_000)));
  });

  it("UTF-16, with a line feed at the end or not", () => {
    const little = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from("Überprüfung\r\nFehler: Datei »ä« nicht gefunden\r\n", "utf16le"),
    ]);
    expect(check(little)).toBe("Überprüfung\nFehler: Datei »ä« nicht gefunden");
    expect(check(Buffer.from(little).swap16())).toBe("Überprüfung\nFehler: Datei »ä« nicht gefunden");
  });
});
