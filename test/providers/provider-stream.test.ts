/** Lines out of bytes: whatever is printed, however it is cut. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProviderStream, checkAdapter, eventsOf, providerNamed } from "../../src/providers/index.ts";
import type { ProviderAdapter, ProviderEvent, ProviderParser } from "../../src/providers/index.ts";
import { recordings } from "./recordings.ts";
import type { Recording } from "./recordings.ts";

const claude = providerNamed("claude");
const RESULT = '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s1"}';

function told(bytes: string | Buffer, adapter: ProviderAdapter = claude): readonly string[] {
  return eventsOf(adapter, Buffer.from(bytes), 1024).map((event) =>
    event.type === "noise" ? `noise:${event.reason}` : event.type,
  );
}

describe("what is no event is told and ends nothing", () => {
  test("a byte order mark", () => expect(told(`\uFEFF${RESULT}\n`)).toEqual(["noise:bom", "session", "done"]));
  test("a banner and broken JSON", () =>
    expect(told(`npm warn x\n{broken\n${RESULT}\n`)).toEqual(["noise:not_json", "noise:not_json", "session", "done"]));
  test("colours", () =>
    expect(told(`\u001B[33mnotice\u001B[0m\n${RESULT}\n`)).toEqual(["noise:not_json", "session", "done"]));
  test("an empty line says nothing", () => expect(told(`\n\n${RESULT}\n`)).toEqual(["session", "done"]));
  test("CRLF", () => expect(told(`${RESULT}\r\n`)).toEqual(["session", "done"]));
  test("a last line without its end", () => expect(told(RESULT)).toEqual(["session", "done"]));
  test("a last line that was cut", () => expect(told(RESULT.slice(0, 40))).toEqual(["noise:torn"]));
  test("bytes that are no UTF-8, with the event all the same", () => {
    const bytes = Buffer.concat([
      Buffer.from('{"type":"result","result":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n'),
    ]);
    expect(told(bytes)).toEqual(["noise:invalid_utf8", "done"]);
  });
  test("JSON that is no object", () =>
    expect(told(`[1]\nnull\n7\n"x"\n${RESULT}\n`)).toEqual([
      ...Array.from({ length: 4 }, () => "noise:not_json"),
      "session",
      "done",
    ]));
  test("U+2028 inside a line ends nothing", () =>
    expect(told(`{"type":"result","result":"a\u2028b"}\n`)).toEqual(["done"]));
  test("a character that the agent meant to print is not taken for damage", () =>
    expect(told(`{"type":"result","result":"\uFFFD"}\n`)).toEqual(["done"]));
});

test("of a line that is too long a beginning is told, and the next one is read", () => {
  const stream = new ProviderStream(claude.parser(), 1000);
  const bytes = Buffer.from(`{"type":"x","pad":"${"a".repeat(5000)}"}\n${RESULT}\n`);
  const events: ProviderEvent[] = [];
  for (let at = 0; at < bytes.length; at += 300) events.push(...stream.push(bytes.subarray(at, at + 300)));
  events.push(...stream.end(0, false));
  expect(events.map((event) => event.type)).toEqual(["noise", "session", "done"]);
  expect(events[0]).toMatchObject({ reason: "too_long" });
});

test("the order of JSON's keys is free", () => {
  const events = eventsOf(claude, Buffer.from('{"session_id":"s","is_error":true,"result":"no","type":"result"}\n'), 9);
  expect(events.at(-1)).toMatchObject({ type: "done", outcome: "failed" });
});

test("text lines of a plain program are events of their own", () => {
  expect(told("one\n\ntwo", providerNamed("lines"))).toEqual(["line", "line", "line", "done"]);
});

describe("however a recording is cut", () => {
  // The big ones are the same events with a longer string: a part of them is enough for a property of this cost.
  const small = recordings().filter((one) => one.bytes.length > 0 && one.bytes.length < 120_000);

  test.each(small.map((one) => [`${one.provider}/${one.name}`, one] as const))(
    "%s: every chunking tells the same",
    (_, one) => {
      const adapter = providerNamed(one.provider);
      const whole = JSON.stringify(eventsOf(adapter, one.bytes, one.bytes.length, one.exitCode));
      for (const size of [1, 2, 3, 5, 64, 1021, 4096]) {
        if (size < 5 && one.bytes.length > 30_000) continue;
        expect([size, JSON.stringify(eventsOf(adapter, one.bytes, size, one.exitCode))]).toEqual([size, whole]);
      }
    },
  );

  test("random chunks tell the same", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...small),
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 40 }),
        (one, sizes) => {
          const adapter = providerNamed(one.provider);
          const stream = new ProviderStream(adapter.parser());
          const events: ProviderEvent[] = [];
          for (let at = 0, i = 0; at < one.bytes.length; i++) {
            const size = sizes[i % sizes.length] ?? 1;
            events.push(...stream.push(Buffer.from(one.bytes.subarray(at, at + size))));
            at += size;
          }
          events.push(...stream.end(one.exitCode, one.exitCode === null));
          expect(events).toEqual(eventsOf(adapter, one.bytes, one.bytes.length, one.exitCode));
        },
      ),
      { numRuns: 60 },
    );
  });

  const providers = ["claude", "codex", "gemini", "opencode", "pi", "qwen", "copilot"];

  test.each(providers)("%s: cut at every byte, every recording gives a beginning of its events", (provider) => {
    const problems: string[] = [];
    const seen = new Set<string>();
    for (const one of recordings(40).filter((each) => each.provider === provider)) {
      problems.push(...cutAtEveryByte(providerNamed(provider), one, seen));
    }
    expect(problems).toEqual([]);
  });

  test.each(providers)("%s: in two pieces at every byte, every line of every recording is the same", (provider) => {
    const problems: string[] = [];
    const seen = new Set<string>();
    for (const one of recordings(40).filter((each) => each.provider === provider)) {
      for (const line of linesOf(one.bytes)) {
        if (!isNew(line, seen)) continue;
        const whole = heardOf([line]);
        for (let at = 1; at < line.length; at++) {
          if (heardOf([line.subarray(0, at), line.subarray(at)]) !== whole)
            problems.push(`${provider}/${one.name}: in two at ${at}: ${line.toString("utf8").slice(0, 80)}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });
});

/** The lines of a recording, each with its end where it has one. */
function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const to = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(from, to));
    from = to;
  }
  return lines;
}

/** Whether no line was seen before that differs from this one in its digits at most: ids, times and counts. */
function isNew(line: Buffer, seen: Set<string>): boolean {
  const shape = line.toString("utf8").replaceAll(/\d/g, "0");
  const { size } = seen;
  return seen.add(shape).size > size;
}

/** What a parser is given of some pieces, and what is told besides. */
function heardOf(pieces: readonly Buffer[]): string {
  const heard: unknown[] = [];
  const stream = new ProviderStream({
    json(value) {
      heard.push(value);
      return [];
    },
  });
  for (const piece of pieces) heard.push(...[...stream.push(piece)].map(({ type }) => type));
  heard.push(...[...stream.end(0, false)].map((event) => (event.type === "noise" ? event : event.type)));
  return JSON.stringify(heard);
}

/**
 * A stream that ends after any of its bytes: nothing is told that the whole does not tell up to there, but a torn
 * line and what the adapter makes of the end; and nothing throws. Lines before the cut are parsed once: a
 * parser that met nothing new is used again. A line of a shape that was cut before is cut near its ends only: where
 * it is torn does not depend on what came before it, what the end means does.
 */
function cutAtEveryByte(adapter: ProviderAdapter, one: Recording, seen: Set<string>): readonly string[] {
  const problems: string[] = [];
  const lines = linesOf(one.bytes);
  for (const [number, line] of lines.entries()) {
    const before = lines.slice(0, number);
    let isUsed = true;
    let warm = adapter.parser();
    let isDone = false;
    const parser: ProviderParser = {
      json(value) {
        isUsed = true;
        return warm.json(value);
      },
      ...(warm.text === undefined ? {} : { text: (text: string) => warm.text?.(text) ?? [] }),
      end(end) {
        const facts = isDone ? [] : (warm.end?.(end) ?? []);
        isUsed ||= facts.length > 0;
        return facts;
      },
    };
    const isKnown = !isNew(line, seen);
    for (let at = 1; at <= line.length; at++) {
      if (isKnown && at === 2) at = Math.max(2, line.length - 2);
      if (isUsed) {
        warm = adapter.parser();
        const prefix = new ProviderStream(warm);
        isDone = [...prefix.push(Buffer.concat(before))].some(({ type }) => type === "done");
        isUsed = false;
      }
      const stream = new ProviderStream(parser);
      const heard = [...stream.push(line.subarray(0, at)), ...stream.end(null, true)];
      const isWhole = heard.some(({ raw }) => raw !== null);
      // Without its last bytes a line of JSON is torn; its LF alone may be missing.
      if (isWhole && at < line.length - 1) problems.push(`${one.name}, line ${number + 1}: ${at} bytes are an event`);
      if (heard.filter((event) => event.type === "noise" && event.reason === "torn").length > 1)
        problems.push(`${one.name}, line ${number + 1}, byte ${at}: torn more than once`);
    }
  }
  return problems;
}

describe("the contract of an adapter", () => {
  test.each(["claude", "codex", "gemini", "opencode", "pi", "qwen", "copilot"])("%s keeps it", (provider) => {
    const one = recordings().find((r) => r.provider === provider && r.name === "shell-text");
    expect(checkAdapter(providerNamed(provider), one?.bytes ?? Buffer.alloc(0))).toEqual([]);
  });

  test("an adapter that throws, drops objects and depends on its chunks is told so", () => {
    const bad: ProviderAdapter = {
      name: "bad",
      binary: "bad",
      parser: () => ({
        json: (value) => {
          if (value["type"] === 7) throw new Error("seven");
          return [];
        },
      }),
    };
    const problems = checkAdapter(bad, Buffer.from('{"type":"text"}\n'));
    expect(problems.join("\n")).toMatch(/no done event/);
    expect(problems.join("\n")).toMatch(/it threw Error: seven/);
  });
});
