/**
 * The tests' own world: a state directory that nobody else uses, and none of the caller's settings, so
 * that the tests say the same in a terminal, in CI and under proctor itself.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Variables that are the tests' own: seeds, and how long a seeded test goes on. */
const TEST_FLAGS = /^PROCTOR_(CHAOS|SIMULATION|TEST)_/;

/** Runs once before all tests; what it returns runs once after them. */
export default function ownState(): () => void {
  for (const name of Object.keys(process.env))
    if (name.startsWith("PROCTOR_") && !TEST_FLAGS.test(name)) Reflect.deleteProperty(process.env, name);
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "proctor-tests-")));
  process.env["XDG_STATE_HOME"] = dir;
  return () => {
    // A session's directory that disappears is a session that ends: hosts that a test left follow it.
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
}
