/** The count that CI ends with: no failure is lost in it, and nothing at all is no success. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const SCRIPT = join(import.meta.dirname, "..", "..", "scripts", "test-count.mjs");
const dir = mkdtempSync(join(tmpdir(), "proctor-count-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let files = 0;
function report(passed: number, failed: number, unloaded: number, success: boolean): string {
  files += 1;
  const path = join(dir, `${files}.json`);
  const loaded = { status: failed > 0 ? "failed" : "passed", assertionResults: [{ status: "passed" }] };
  const testResults = [loaded, ...Array.from({ length: unloaded }, () => ({ status: "failed", assertionResults: [] }))];
  writeFileSync(path, JSON.stringify({ numPassedTests: passed, numFailedTests: failed, success, testResults }));
  return path;
}

function count(...reports: string[]): { line: string; status: number | null } {
  const { stdout, status } = spawnSync(process.execPath, [SCRIPT, ...reports], { encoding: "utf8" });
  return { line: stdout, status };
}

it("adds the runs up", () => {
  expect(count(report(3, 0, 0, true), report(4, 0, 0, true))).toEqual({ line: "7 passed, 0 failed\n", status: 0 });
});

it("fails when one of the runs has a failure", () => {
  expect(count(report(3, 0, 0, true), report(2, 2, 0, false))).toEqual({ line: "5 passed, 2 failed\n", status: 1 });
});

it("counts a file that could not be loaded", () => {
  expect(count(report(3, 0, 1, false))).toEqual({ line: "3 passed, 1 failed\n", status: 1 });
});

it("counts a run that failed as a whole", () => {
  expect(count(report(3, 0, 0, false))).toEqual({ line: "3 passed, 1 failed\n", status: 1 });
});

it("takes no report for no success", () => {
  expect(count()).toEqual({ line: "0 passed, 0 failed\n", status: 1 });
});
