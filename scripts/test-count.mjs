/**
 * Adds up the JSON reports of vitest that are named on the command line, and prints "N passed, N failed".
 * A test file that could not be loaded has no tests and counts as one failure, and so does a run that failed
 * as a whole. Exits 1 when something failed or nothing ran.
 */
import { readFileSync } from "node:fs";

let passed = 0;
let failed = 0;
for (const path of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(path, "utf8"));
  const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  const failures = report.numFailedTests + unloaded.length;
  passed += report.numPassedTests;
  failed += failures === 0 && !report.success ? 1 : failures;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
