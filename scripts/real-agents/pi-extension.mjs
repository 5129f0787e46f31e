/**
 * The Pi extension in the real Pi, with a scripted model on this machine: `npm run test:pi [PART OF A NAME]`. After each case
 * no process may be left. The last line is "N passed, N failed".
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { installAgents } from "./install.mjs";
import { CASES } from "./pi-cases.mjs";
import { PiProcess, eventually, prepareHome, processesOf, sessionsOf } from "./pi-process.mjs";

installAgents(["node24", "pi"]);
const wanted = process.argv[2] ?? "";
const root = realpathSync(mkdtempSync(join(homedir(), ".ppi-")));
let passed = 0;
const failures = [];
try {
  for (const [index, [name, run]] of Object.entries(CASES).entries()) {
    if (!name.includes(wanted)) continue;
    const began = performance.now();
    const problem = await once(index, run);
    if (problem === null) passed += 1;
    else failures.push(name);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(
      `${problem === null ? "ok  " : "FAIL"} ${name} (${seconds} s)${problem === null ? "" : `\n${problem}`}`,
    );
  }
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function once(index, run) {
  const home = join(root, `${index}`);
  mkdirSync(home);
  const open = [];
  const worlds = [];
  const tools = {
    assert,
    eventually,
    home,
    processes: () => processesOf(home),
    /** A world with a scripted model. */
    world: async (script, options) => {
      const world = await prepareHome(home, script, options);
      worlds.push(world);
      return world;
    },
    start: (world, args) => {
      const pi = new PiProcess(world, args);
      open.push(pi);
      return pi;
    },
  };
  let problem = null;
  try {
    await run(tools);
    for (const pi of open) await pi.leave();
    await eventually("an empty home", () => processesOf(home).length === 0 && sessionsOf(home).length === 0);
    for (const pi of open) assert.ok(!/extension.*error/i.test(pi.errors), pi.errors);
    const faults = open.flatMap((pi) => pi.of("extension_error"));
    assert.deepEqual(faults, []);
  } catch (error) {
    const last = open.flatMap((pi) => [
      pi.errors.slice(-800),
      ...pi.events.slice(-6).map((e) => JSON.stringify(e).slice(0, 300)),
    ]);
    problem = `${error?.stack ?? error}\nleft: ${processesOf(home).join("; ")}\n${last.join("\n")}`;
    for (const pi of open) await pi.kill("SIGKILL").catch(() => undefined);
    await eventually("an empty home", () => processesOf(home).length === 0).catch(() => undefined);
  }
  for (const { model } of worlds) await model.close();
  return problem;
}
