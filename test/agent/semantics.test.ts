/** The table of guarantees in docs/agent-runs.md: each names tests, and those are there under these names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const DEFAULT_FILE = "test/agent/run.test.ts";

const table = readFileSync(join(ROOT, "docs/agent-runs.md"), "utf8").split("## Semantics")[1]?.split("\n## ")[0] ?? "";
const rows = table.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| guarantee"));

test("the table is there", () => expect(rows.length).toBeGreaterThan(25));

test.each(rows.map((row) => [row.split("|")[1]?.trim() ?? "", row.split("|")[2] ?? ""] as const))(
  "%s",
  (_, shownBy) => {
    // Titles are set off by asterisks; the file in parentheses holds for those since the last semicolon before it.
    const missing = shownBy.split(/;(?=\s*\*)/).flatMap((part) => {
      const file = /\(`([^`]+)`\)/.exec(part)?.[1] ?? DEFAULT_FILE;
      const text = readFileSync(join(ROOT, file), "utf8");
      return [...part.matchAll(/\*([^*]+)\*/g)]
        .map((match) => match[1] ?? "")
        .filter((title) => !text.includes(`"${title}"`))
        .map((title) => `${file}: ${title}`);
    });
    expect(missing).toEqual([]);
    expect(shownBy).toMatch(/\*/);
  },
);
