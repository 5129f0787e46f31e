/** The walls between floors: the linter refuses what the design forbids, shown on planted violations. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, cpSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const scratch = mkdtempSync(join(tmpdir(), "proctor-lint-"));

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Lints one file as if it stood in the project, next to the real floors. */
function lint(path: string, text: string): { status: number | null; codes: string[] } {
  const project = mkdtempSync(join(scratch, "project-"));
  for (const name of ["oxlint.config.js", "tsconfig.base.json", "tsconfig.json", "package.json", "src"]) {
    cpSync(join(ROOT, name), join(project, name), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
  const result = spawnSync(
    join(ROOT, "node_modules", ".bin", "oxlint"),
    ["-c", "oxlint.config.js", "--format", "unix", "--threads", "1", path],
    { cwd: project, encoding: "utf8" },
  );
  const codes = [...result.stdout.matchAll(/\[Error\/[a-z-]+\(([a-z-]+)\)\]/g)].map((match) => match[1] ?? "");
  return { status: result.status, codes };
}

describe("the linter", () => {
  it("lets a floor import a lower one through its door", () => {
    const { status, codes } = lint(
      "src/machine/planted.ts",
      'import type { SignalName } from "../model/index.ts";\nexport type Planted = SignalName;\n',
    );
    expect(codes).toEqual([]);
    expect(status).toBe(0);
  });

  it.each([
    ["a higher floor", "src/machine/planted.ts", 'export * from "../engine/index.ts";', "no-restricted-imports"],
    ["a neighbour", "src/machine/planted.ts", 'export type * from "../ports/index.ts";', "no-restricted-imports"],
    [
      "a higher floor by import()",
      "src/os/planted.ts",
      'export const p = import("../session/index.ts");',
      "no-restricted-imports",
    ],
    [
      "a higher floor from a subfolder",
      "src/excerpt/deep/planted.ts",
      'export * from "../../os/index.ts";',
      "no-restricted-imports",
    ],
    [
      "a file behind a lower floor's door",
      "src/machine/planted.ts",
      'export * from "../model/ids.ts";',
      "no-restricted-imports",
    ],
    [
      "Node in a pure floor",
      "src/machine/planted.ts",
      'export { readFileSync } from "node:fs";',
      "no-restricted-imports",
    ],
    [
      "itself, in a circle",
      "src/machine/run.ts",
      'export { stepSequence } from "./sequence.ts";\nexport type Decision = string;',
      "no-cycle",
    ],
    [
      "a floating promise",
      "src/engine/planted.ts",
      "async function f(): Promise<void> {}\nexport const g = (): void => {\n  f();\n};",
      "no-floating-promises",
    ],
    [
      "a missing case",
      "src/model/planted.ts",
      'export function f(k: "a" | "b"): void {\n  switch (k) {\n    case "a":\n      break;\n  }\n}',
      "switch-exhaustiveness-check",
    ],
    ["any", "src/model/planted.ts", "export const f = (x: any): string => String(x);", "no-explicit-any"],
    [
      "a non-null assertion",
      "src/model/planted.ts",
      "export const f = (x: string | null): string => x!;",
      "no-non-null-assertion",
    ],
  ])("refuses %s", (_what, path, text, rule) => {
    const { status, codes } = lint(path, `${text}\n`);
    expect(codes).toContain(rule);
    expect(status).not.toBe(0);
  });
});
