/** Laws of changes in configuration text, on any JSON with comments and any TOML: what was not meant stays, to the byte. */
import fc from "fast-check";
import { stringify } from "smol-toml";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/clients/client.ts";
import { parseConfig, putEntry, stands, takeEntry } from "../../src/clients/config-text.ts";
import { isProctorError } from "../../src/model/index.ts";

const SERVER: Entry = {
  kind: "value",
  path: ["mcpServers", "proctor"],
  value: { command: "node", args: ["a b", "mcp"] },
};
const MEMBER: Entry = { kind: "member", path: ["tools", "exclude"], value: "run_shell_command" };

const key = fc.oneof(
  fc.constantFrom("mcpServers", "tools", "exclude", "proctor", "a.b", ""),
  fc.string({ maxLength: 6 }),
);
const json = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant("// no comment"), fc.constant('"}')),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
})).object;

/** The same values as people write them: indentation, comments, a comma behind the last item, line ends. */
function written(value: unknown, indent: string, marks: readonly number[], eol: string): string {
  const lines = JSON.stringify(value, null, indent).split("\n");
  const dressed = lines.map((line, i) => {
    const mark = marks[i % marks.length] ?? 0;
    const isLast = /^\s*[\]}]/.test(lines[i + 1] ?? "") && !/[[{,]$/.test(line);
    return `${line}${isLast && mark % 2 === 1 ? "," : ""}${mark % 3 === 1 ? ' // "note": {[' : mark % 3 === 2 ? " /* , } */" : ""}`;
  });
  return dressed.join(eol);
}

const text = fc
  .tuple(
    json,
    fc.constantFrom("", " ", "  ", "    ", "\t"),
    fc.array(fc.nat(5), { minLength: 1, maxLength: 7 }),
    fc.constantFrom("\n", "\r\n"),
  )
  .map(([value, indent, marks, eol]) =>
    indent === "" ? JSON.stringify(value) : `// top${eol}${written(value, indent, marks, eol)}${eol}`,
  );

/** What can't be changed is refused, and the caller is told so; everything else is a result. */
function refusedOr<T>(change: () => T): T | null {
  try {
    return change();
  } catch (error) {
    if (isProctorError(error) && error.code === "ERR_INPUT_FILE") return null;
    throw error;
  }
}

/** Whether `after` is `before` with something put in between. */
function isGrown(before: string, after: string): boolean {
  let at = 0;
  for (const char of after) if (before.startsWith(char, at)) at += char.length;
  return at === before.length;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("JSON with comments", () => {
  it.each([SERVER, MEMBER])("$kind: put in, nothing else has changed; taken out, neither", (entry) => {
    let changed = 0;
    fc.assert(
      fc.property(text, (before) => {
        const values = plain(parseConfig(before, "json", "f"));
        const after = refusedOr(() => putEntry(before, entry, "json", "f"));
        if (after === null) {
          expect(isBlocked(values, entry)).toBe(true);
          return;
        }
        changed += 1;
        expect(stands(parseConfig(after, "json", "f"), entry)).toBe(true);
        expect(putEntry(after, entry, "json", "f")).toBe(after);
        const isNew = !before.includes('"proctor"') && !before.includes('"exclude"');
        if (isNew) expect(isGrown(before, after)).toBe(true);
        const depth = depthOf(values, entry.path);
        const back = refusedOr(() => takeEntry(after, entry, "json", "f", depth + 1));
        expect(back).not.toBeNull();
        if (isNew && back !== null) expect(plain(parseConfig(back, "json", "f"))).toEqual(values);
      }),
      { numRuns: 400 },
    );
    expect(changed).toBeGreaterThan(100);
  });
});

describe("TOML", () => {
  const SWITCH: Entry = { kind: "value", path: ["features", "shell_tool"], value: false };
  const TABLE: Entry = { ...SERVER, path: ["mcp_servers", "proctor"] };
  const tomlKey = fc.oneof(
    fc.constantFrom("mcp_servers", "features", "shell_tool", "a.b"),
    fc.string({ minLength: 1, maxLength: 6 }),
  );
  const scalar = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.integer(),
    fc.boolean(),
    fc.constant("[mcp_servers.proctor]"),
    fc.constant("a\n[features]\nb"),
  );
  const table = fc.dictionary(tomlKey, fc.oneof(scalar, fc.array(fc.integer(), { maxLength: 3 })), {
    maxKeys: 3,
    noNullPrototype: true,
  });
  const document = fc.dictionary(
    tomlKey,
    fc.oneof(scalar, table, fc.dictionary(tomlKey, table, { maxKeys: 2, noNullPrototype: true })),
    {
      maxKeys: 4,
      noNullPrototype: true,
    },
  );
  const source = fc
    .tuple(document, fc.constantFrom("", "\n", "\n\n"), fc.boolean())
    .map(([value, end, hasComments]) => {
      const made = `${stringify(value).trim()}${end}`;
      return hasComments ? made.replace(/^(\[[^\n]*\])$/gm, "# about it\n$1 # header") : made;
    });

  it.each([TABLE, SWITCH])("$path: put in, nothing else has changed; taken out, neither", (entry) => {
    let changed = 0;
    fc.assert(
      fc.property(source, (before) => {
        const values = plain(parseConfig(before, "toml", "f"));
        const after = refusedOr(() => putEntry(before, entry, "toml", "f"));
        if (after === null) {
          expect(depthOf(values, entry.path)).toBeGreaterThan(0);
          return;
        }
        changed += 1;
        expect(stands(parseConfig(after, "toml", "f"), entry)).toBe(true);
        expect(putEntry(after, entry, "toml", "f")).toBe(after);
        const depth = depthOf(values, entry.path);
        if (depth === entry.path.length) return;
        expect(isGrown(before, after)).toBe(true);
        const back = takeEntry(after, entry, "toml", "f", depth + 1);
        expect(plain(parseConfig(back, "toml", "f"))).toEqual(values);
      }),
      { numRuns: 300 },
    );
    expect(changed).toBeGreaterThan(100);
  });
});

/** How many keys of a path are there. */
function depthOf(config: unknown, path: readonly string[]): number {
  let at = config;
  let depth = 0;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) break;
    at = Reflect.get(at, name);
    depth += 1;
  }
  return depth;
}

/** Whether something that is no object, or no list, stands in the way. */
function isBlocked(config: unknown, { kind, path }: Entry): boolean {
  let at = config;
  for (const name of path) {
    if (typeof at !== "object" || at === null || Array.isArray(at)) return true;
    if (!Object.hasOwn(at, name)) return false;
    at = Reflect.get(at, name);
  }
  return kind === "member" && !Array.isArray(at);
}
