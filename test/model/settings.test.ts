import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS, resolveSettings, resultLimits } from "../../src/model/index.ts";
import { settingsSchema } from "../../src/model/settings-schema.ts";
import { NUMBER_SETTINGS } from "../../src/model/settings-table.ts";

const project = (value: unknown): { path: string; value: unknown } => ({ path: "/p/proctor.json", value });

describe("the built-in settings", () => {
  it("are those of the contract", () => {
    const { settings, notes } = resolveSettings({});
    expect(notes).toEqual([]);
    expect(settings).toEqual({
      maxResultBytes: 8192,
      maxResultLines: 120,
      maxResultTokens: 2048,
      successMaxResultBytes: 2048,
      successMaxResultLines: 120,
      successMaxResultTokens: 512,
      headRatio: 0.2,
      errorBudgetRatio: 0.5,
      errorMaxEntries: 10,
      errorMaxVariantsJoined: 6,
      promoteAfterMs: 60_000,
      logMaxBytes: 1_073_741_824,
      logTtlMs: 86_400_000,
      maxHeavyJobs: 2,
      errorPatterns: [],
      heavyCommands: [],
      lightCommands: [],
      redact: true,
    });
  });

  it("lie within their own bounds", () => {
    for (const spec of Object.values(NUMBER_SETTINGS)) {
      expect(spec.default).toBeGreaterThanOrEqual(spec.min);
      expect(spec.default).toBeLessThanOrEqual(spec.max);
    }
  });
});

describe("layers", () => {
  it("prefers the pragma, then the environment, then the project file", () => {
    const all = {
      command: '# @proctor: {"maxResultBytes": 1000}\npnpm test',
      env: { PROCTOR_RESULT_MAX_BYTES: "2000", PROCTOR_RESULT_MAX_LINES: "200" },
      project: project({ maxResultBytes: 3000, maxResultLines: 300, maxResultTokens: 400 }),
    };
    const { settings, notes } = resolveSettings(all);
    expect(notes).toEqual([]);
    expect([settings.maxResultBytes, settings.maxResultLines, settings.maxResultTokens]).toEqual([1000, 200, 400]);
    expect(settings.promoteAfterMs).toBe(60_000);
  });

  it("falls through to the next layer where a value can't be used", () => {
    const { settings, notes } = resolveSettings({
      command: '# @proctor: {"maxResultBytes": 12}\ntrue',
      env: { PROCTOR_RESULT_MAX_BYTES: "lots" },
      project: project({ maxResultBytes: 3000 }),
    });
    expect(settings.maxResultBytes).toBe(3000);
    expect(notes).toHaveLength(2);
  });

  it("joins the lists of the layers, the most specific first, each entry once", () => {
    const { settings } = resolveSettings({
      command: '# @proctor: {"errorPatterns": ["b", "c"]}',
      project: project({ errorPatterns: ["a", "b"], heavyCommands: ["just build"] }),
    });
    expect(settings.errorPatterns).toEqual(["b", "c", "a"]);
    expect(settings.heavyCommands).toEqual(["just build"]);
  });

  it("tells for each pattern every layer it stands in, and its place in that layer's own list", () => {
    const { settings, errorPatternPlaces } = resolveSettings({
      command: '# @proctor: {"errorPatterns": ["b", "c", "b"]}',
      project: { path: "/p/.proctor.json", value: { errorPatterns: ["a", 7, "b"] } },
    });
    expect(settings.errorPatterns).toEqual(["b", "c", "a"]);
    expect(errorPatternPlaces).toEqual([
      "errorPatterns[0] in the command's pragma and errorPatterns[2] in the command's pragma and errorPatterns[2] in /p/.proctor.json",
      "errorPatterns[1] in the command's pragma",
      "errorPatterns[0] in /p/.proctor.json",
    ]);
  });

  it("gives a success its own ceilings, and everything else those of a failure", () => {
    const success = { maxBytes: 2048, maxLines: 120, maxTokens: 512 };
    const failure = { maxBytes: 8192, maxLines: 120, maxTokens: 2048 };
    expect(resultLimits(DEFAULT_SETTINGS, 0)).toEqual(success);
    expect(resultLimits(DEFAULT_SETTINGS, 1)).toEqual(failure);
    expect(resultLimits(DEFAULT_SETTINGS, null)).toEqual(failure);
  });
});

describe("the environment", () => {
  it("reads every variable of the contract", () => {
    const { settings, notes } = resolveSettings({
      env: {
        PROCTOR_RESULT_MAX_BYTES: "256",
        PROCTOR_RESULT_MAX_LINES: "5",
        PROCTOR_RESULT_MAX_TOKENS: "64",
        PROCTOR_SUCCESS_RESULT_MAX_BYTES: "1048576",
        PROCTOR_SUCCESS_RESULT_MAX_LINES: "5000",
        PROCTOR_SUCCESS_RESULT_MAX_TOKENS: "100000",
        PROCTOR_PROMOTE_AFTER_MS: "0",
        PROCTOR_MAX_HEAVY_JOBS: "64",
        PROCTOR_LOG_MAX_BYTES: "65536",
        PROCTOR_LOG_TTL_MS: "2592000000",
        PROCTOR_REDACT: "0",
      },
    });
    expect(notes).toEqual([]);
    expect(settings).toMatchObject({
      maxResultBytes: 256,
      maxResultLines: 5,
      maxResultTokens: 64,
      successMaxResultBytes: 1_048_576,
      successMaxResultLines: 5000,
      successMaxResultTokens: 100_000,
      promoteAfterMs: 0,
      maxHeavyJobs: 64,
      logMaxBytes: 65_536,
      logTtlMs: 2_592_000_000,
      redact: false,
    });
  });

  it("treats an unset or empty variable as absent", () => {
    const { settings, notes } = resolveSettings({
      env: {
        PROCTOR_RESULT_MAX_BYTES: "",
        PROCTOR_RESULT_MAX_LINES: "  ",
        PROCTOR_MAX_HEAVY_JOBS: undefined,
        PROCTOR_REDACT: "",
      },
    });
    expect(notes).toEqual([]);
    expect(settings).toEqual(DEFAULT_SETTINGS);
  });

  it.each(["-1", "8K", "1e4", "12.5", "0x400", "eight", "99999999999999999999", "Infinity", "255", "1048577"])(
    "reports %s as a number of bytes, with key, value, bounds and source",
    (value) => {
      const { settings, notes } = resolveSettings({ env: { PROCTOR_RESULT_MAX_BYTES: value } });
      expect(settings.maxResultBytes).toBe(8192);
      expect(notes).toHaveLength(1);
      for (const part of ["PROCTOR_RESULT_MAX_BYTES", value, "256", "1048576", "environment"])
        expect(notes[0]).toContain(part);
    },
  );

  it("reports a misspelt result variable and leaves other variables alone", () => {
    const { notes } = resolveSettings({
      env: { PROCTOR_RESULT_MAX_BYTE: "9", PROCTOR_SESSION_DIR: "/s", PROCTOR_RUN_ID: "x", PATH: "/bin" },
    });
    expect(notes).toEqual([expect.stringContaining("PROCTOR_RESULT_MAX_BYTE")]);
  });

  it.each(["PROCTOR_LOG_MAX", "PROCTOR_PROMOTE_AFTER", "PROCTOR_MAX_HEAVY_JOB", "PROCTOR_SUCCESS_RESULT_TOKENS"])(
    "reports %s, which is no variable",
    (name) => {
      const { settings, notes } = resolveSettings({ env: { [name]: "9" } });
      expect(settings).toEqual(DEFAULT_SETTINGS);
      expect(notes).toEqual([
        expect.stringMatching(new RegExp(`"${name}" in the environment: there is no such setting`)),
      ]);
    },
  );
});

describe("a project file", () => {
  it.each([
    ["an unknown key", { maxResultByte: 9000 }, ["maxResultByte", "9000", "no such setting"]],
    ["a value below the floor", { maxResultLines: 4 }, ["maxResultLines", "4", "5 to 5000"]],
    ["a value above the ceiling", { logTtlMs: 2_592_000_001 }, ["logTtlMs", "2592000001", "60000 to 2592000000"]],
    ["a number in quotes", { maxResultBytes: "9000" }, ["maxResultBytes", '"9000"', "256 to 1048576"]],
    ["a fraction of a line", { maxResultLines: 7.5 }, ["maxResultLines", "7.5", "whole number"]],
    ["null", { headRatio: null }, ["headRatio", "null", "0 to 1"]],
    ["a list instead of a number", { errorMaxEntries: [1] }, ["errorMaxEntries", "[1]", "0 to 100"]],
    ["a string instead of a list", { errorPatterns: "x" }, ["errorPatterns", '"x"', "list"]],
    ["what is not a switch", { redact: "no" }, ["redact", '"no"', "true or false"]],
    ["what the machine decides", { maxHeavyJobs: 8 }, ["maxHeavyJobs", "PROCTOR_MAX_HEAVY_JOBS"]],
  ])("has %s reported while the rest applies", (_what, bad, parts) => {
    const { settings, notes } = resolveSettings({ project: project({ ...bad, promoteAfterMs: 5 }) });
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, promoteAfterMs: 5 });
    expect(notes).toHaveLength(1);
    for (const part of [...parts, "/p/proctor.json"]) expect(notes[0]).toContain(part);
  });

  it("keeps the good entries of a list", () => {
    const { settings, notes } = resolveSettings({ project: project({ errorPatterns: ["a", 7, "", "b"] }) });
    expect(settings.errorPatterns).toEqual(["a", "b"]);
    expect(notes).toEqual([expect.stringContaining("errorPatterns[1]"), expect.stringContaining("errorPatterns[2]")]);
  });

  it.each([[null], [7], ["text"], [[]]])("that holds %j instead of an object is reported", (value) => {
    const { settings, notes } = resolveSettings({ project: project(value) });
    expect(settings).toEqual(DEFAULT_SETTINGS);
    expect(notes).toHaveLength(1);
  });

  it("may name its schema", () => {
    expect(resolveSettings({ project: project({ $schema: "./settings.schema.json" }) }).notes).toEqual([]);
  });

  it("can't reach into an object's prototype", () => {
    const { settings, notes } = resolveSettings({
      project: project(JSON.parse('{"__proto__": {"maxResultBytes": 300}, "constructor": 1, "toString": 2}')),
    });
    expect(settings).toEqual(DEFAULT_SETTINGS);
    expect(notes).toHaveLength(3);
  });

  it("with a thousand wrong keys costs few notes", () => {
    const bad = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, "x".repeat(1000)]));
    const { notes } = resolveSettings({ project: project(bad) });
    expect(notes.length).toBeLessThan(12);
    expect(notes.join("").length).toBeLessThan(3000);
    expect(notes.at(-1)).toContain("992 more");
  });
});

describe("the pragma", () => {
  it.each([
    ['#@proctor:{"promoteAfterMs":7}\nx', 7],
    ['  # @proctor: {"promoteAfterMs": 7}\r\nx', 7],
    ['# @proctor: {"promoteAfterMs": 7}', 7],
    ['echo\n# @proctor: {"promoteAfterMs": 7}', 60_000],
    ['echo "# @proctor: {}"', 60_000],
  ])("in %j gives %d", (command, ms) => {
    const { settings, notes } = resolveSettings({ command });
    expect(settings.promoteAfterMs).toBe(ms);
    expect(notes).toEqual([]);
  });

  it.each(["# @proctor: maxResultBytes=1", "# @proctor:", "# @proctor: {'a': 1}"])("%j is reported", (command) => {
    const { settings, notes } = resolveSettings({ command });
    expect(settings).toEqual(DEFAULT_SETTINGS);
    expect(notes).toEqual([expect.stringContaining("pragma")]);
  });
});

describe("a pragma that is too long", () => {
  it("is told of, with its length and what is accepted", () => {
    const { settings, notes } = resolveSettings({
      command: `# @proctor: {"maxResultLines": 7, "x": "${"y".repeat(70_000)}"}`,
    });
    expect(settings).toEqual(DEFAULT_SETTINGS);
    expect(notes).toEqual([expect.stringMatching(/pragma.*70\d{3} characters, at most 65536/)]);
    expect(notes.join("").length).toBeLessThan(400);
  });
});

describe("whatever is given", () => {
  it("resolution never throws and every number stays within its bounds", () => {
    const keys = fc.constantFrom(...Object.keys(NUMBER_SETTINGS), "errorPatterns", "redact", "__proto__", "x");
    const values = fc.oneof(
      fc.jsonValue(),
      fc.double(),
      fc.integer(),
      fc.constant(undefined),
      fc.bigInt(),
      fc.array(fc.string()),
    );
    const names = fc.constantFrom(
      ...Object.values(NUMBER_SETTINGS).flatMap((spec) => spec.env ?? []),
      "PROCTOR_REDACT",
    );
    fc.assert(
      fc.property(fc.dictionary(keys, values), fc.dictionary(names, fc.string()), fc.string(), (file, env, pragma) => {
        const { settings, notes } = resolveSettings({ project: project(file), env, command: `# @proctor: ${pragma}` });
        for (const [key, spec] of Object.entries(NUMBER_SETTINGS)) {
          const value = Object.entries(settings).find(([name]) => name === key)?.[1];
          expect(typeof value === "number" && value >= spec.min && value <= spec.max).toBe(true);
        }
        expect(notes.every((note) => note.length < 400)).toBe(true);
      }),
    );
  });

  it("a usable number in a file is used, and one outside its bounds is told", () => {
    const specs = Object.entries(NUMBER_SETTINGS).filter(([, spec]) => spec.inFiles);
    fc.assert(
      fc.property(fc.constantFrom(...specs), fc.integer({ min: -10, max: 2 ** 42 }), ([key, spec], value) => {
        const { settings, notes } = resolveSettings({ project: project({ [key]: value }) });
        const inside = value >= spec.min && value <= spec.max;
        expect(new Map(Object.entries(settings)).get(key)).toBe(inside ? value : spec.default);
        expect(notes.length).toBe(inside ? 0 : 1);
      }),
    );
  });
});

describe("the schema for editors", () => {
  it("in schema/ is the one that the table gives", () => {
    const file = readFileSync(new URL("../../schema/settings.schema.json", import.meta.url), "utf8");
    expect(JSON.parse(file)).toEqual(settingsSchema());
  });

  it("and the documentation name every key with its bounds", () => {
    const text = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
    for (const [key, spec] of Object.entries(NUMBER_SETTINGS)) {
      const row = text.split("\n").find((line) => line.startsWith(`| \`${key}\``));
      for (const part of [spec.default, spec.min, spec.max]) expect(row).toContain(part.toLocaleString("en"));
      if (spec.env !== null) expect(row).toContain(spec.env);
    }
  });
});
