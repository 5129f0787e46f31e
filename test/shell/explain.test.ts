import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainCommand } from "../../src/shell/index.ts";

interface Case {
  readonly kind: string;
  readonly filter: string;
  readonly command: string;
}

const cases: readonly Case[] = readFileSync(new URL("corpus.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => /^[HLW] /.test(line))
  .map((line) => {
    const [kind = "", filter = "", ...rest] = line.split(" ");
    return { kind, filter, command: rest.join(" ").replaceAll("\\n", "\n") };
  });

describe("the corpus of command lines", () => {
  it("has at least 400, each once", () => {
    expect(cases.length).toBeGreaterThanOrEqual(400);
    expect(new Set(cases.map(({ command }) => command)).size).toBe(cases.length);
  });

  it.each(cases)("$kind $filter $command", async ({ kind, filter, command }) => {
    const verdict = await explainCommand(command);
    expect({ kind: verdict.heavy ? "H" : verdict.interactive ? "W" : "L", filter: verdict.filter ?? "-" }).toEqual({
      kind,
      filter,
    });
    for (const reason of [verdict.heavyReason, verdict.interactiveReason, verdict.filterReason])
      expect(reason).toMatch(/\w{2}/);
  });
});

describe("what & puts in the background", () => {
  it.each([
    ["npm test &", true],
    ["(cd x && npm test) > log 2>&1 &", true],
    ["nohup make > log 2>&1 & echo $!", true],
    ["bash -c 'cargo build &'", true],
    ["{ npm run lint; npm run build; } & wait", true],
    ["sleep 1 & npm test", false],
    ["npm test", false],
    ["echo 'npm test &'", false],
    ["npm run dev & npm test", false],
  ])("%j: heavy in the background is %s", async (command, expected) => {
    expect((await explainCommand(command)).heavyInBackground).toBe(expected);
  });
});

describe("rules of the user", () => {
  const rules = { heavy: ["just fuzz", "./ci.sh", "bazel run //tools:check"], light: ["npm run lint", "make docs"] };
  it.each([
    ["just fuzz", true],
    ["cd x && just fuzz --fast", true],
    ["just fuzzy", false],
    ["./ci.sh --all", true],
    ["env A=1 ./ci.sh", true],
    ["npm run lint", false],
    ["npm run lint:css", true],
    ["npm run lint && npm test", true],
    ["/usr/bin/make docs", false],
    ["bazel run //tools:check", true],
  ])("%j: heavy is %s", async (command, heavy) => {
    expect((await explainCommand(command, rules)).heavy).toBe(heavy);
  });

  it("are named in the reason", async () => {
    expect((await explainCommand("just fuzz", rules)).heavyReason).toContain("just fuzz");
    expect((await explainCommand("npm run lint", rules)).heavyReason).toContain("npm run lint");
  });

  it("that are empty match nothing", async () => {
    expect((await explainCommand("ls", { heavy: ["", "  "], light: [""] })).heavy).toBe(false);
  });
});

describe("whatever the text", () => {
  it("an answer comes, and it is the same each time", async () => {
    const piece = fc.constantFrom(
      "npm",
      " ",
      "test",
      "&&",
      "|",
      ";",
      "(",
      ")",
      "$(",
      "`",
      "'",
      '"',
      "\\",
      "\n",
      "if",
      "then",
      "fi",
      "{",
      "}",
      "make",
      "cargo test",
      "<<X",
      "X",
      "$'",
      "--watch",
      "#",
      "&",
      ">",
      "[[",
      "]]",
      "case",
      "esac",
      "\0",
      "é🟢",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 25 }).map((parts) => parts.join("")),
        async (text) => {
          expect(await explainCommand(text)).toEqual(await explainCommand(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("more around a command never makes it filtered", async () => {
    const filtered = cases.filter(({ filter }) => filter !== "-").map(({ command }) => command);
    const around = fc.constantFrom(
      "cd x && $",
      "$ | cat",
      "$ > out",
      "$ 2>&1",
      "$; echo",
      "$ &",
      "($)",
      "A=1 $",
      "time $",
      "! $",
      "$ $X",
      "$ $(y)",
      "$ <(z)",
      "{ $; }",
      "if $; then x; fi",
      "for i in 1; do $; done",
      "bash -c '$'",
      "env $",
      "$ < in",
      "x || $",
      "$ {a,b}",
      "f() { $; }; f",
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...filtered), around, async (command, form) => {
        expect((await explainCommand(form.replace("$", () => command))).filter).toBeNull();
      }),
      { numRuns: 400 },
    );
  });

  it("a watcher, a server or an editor beside it never lets a build be queued", async () => {
    const builds = cases
      .filter(({ kind }) => kind === "H")
      .map(({ command }) => command)
      .filter((command) => !/[\n&]$/.test(command));
    const others = cases.filter(({ kind }) => kind === "W").map(({ command }) => command);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...builds),
        fc.constantFrom(...others),
        fc.constantFrom(" && ", "; ", " || ", "\n"),
        fc.boolean(),
        async (build, other, joint, first) => {
          expect((await explainCommand(first ? other + joint + build : build + joint + other)).heavy).toBe(false);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("a book is not read", async () => {
    expect((await explainCommand(`npm test ${"x ".repeat(60_000)}`)).heavy).toBe(false);
    expect((await explainCommand("(".repeat(20_000))).heavy).toBe(false);
    expect((await explainCommand(`${"bash -c ".repeat(3000)} 'npm test'`)).filter).toBeNull();
  });
});
