/** A program that embeds the engine and does nothing else: its calls keep it alive, and nothing else does. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const ENTRY = new URL("../../dist/index.js", import.meta.url).href;
const run = promisify(execFile);

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "embedded-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test("stays until what it waits for has come, and then leaves by itself", async () => {
  const program = `
    import { connect } from ${JSON.stringify(ENTRY)};
    const session = await connect({ dir: ${JSON.stringify(join(base, "s"))}, embedded: true });
    const slow = await session.bash("sleep 0.3; echo slow; exit 4", { background: true });
    const { run } = await session.wait(slow.id);
    const quick = await session.bash("echo quick");
    console.log(run.exitCode, quick.output);
    await session.end();
  `;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program]);
  expect(stdout).toBe("4 quick\n");
});
