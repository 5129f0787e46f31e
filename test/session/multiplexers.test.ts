/** Which multiplexer is used: the first that does what panes need, whatever it is called. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { panes } from "../../src/os/index.ts";
import { eventually, livingProcesses } from "./processes.ts";

const { PATH } = process.env;
let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "panes-")));
  mkdirSync(join(base, "bin"));
  process.env["PATH"] = `${join(base, "bin")}:${PATH ?? ""}`;
});
afterEach(async () => {
  process.env["PATH"] = PATH;
  await eventually("no server is left", () => livingProcesses().every((p) => !p.command.includes(base)));
  rmSync(base, { recursive: true, force: true });
});

function install(name: string, script: string): void {
  const file = join(base, "bin", name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

async function chosen(wanted?: string): Promise<string> {
  const session = panes({
    wanted,
    socket: join(base, "panes"),
    env: process.env,
    command: () => ["true"],
    report: () => undefined,
  });
  try {
    return await session.backend();
  } finally {
    session.close();
  }
}

test("rmux before tmux, when it works", async () => {
  install("rmux", 'exec tmux "$@"');
  expect(await chosen()).toBe("rmux");
});

test.each([
  ["another program of that name", 'echo "rmux 1.0.0"; exit 0'],
  ["one that fails", "exit 1"],
  ["one that can't be typed to", 'case "$*" in *send-keys*) exit 0;; *) exec tmux "$@";; esac'],
  ["one that shows nothing", 'case "$*" in *capture-pane*) exit 0;; *) exec tmux "$@";; esac'],
])("tmux, when rmux is %s", async (_, script) => {
  install("rmux", script);
  expect(await chosen()).toBe("tmux");
});

test("the setting chooses, and what does not work is not used", async () => {
  install("rmux", 'exec tmux "$@"');
  expect(await chosen("tmux")).toBe("tmux");
  expect(await chosen("built-in")).toBe("built-in");
  install("rmux", "exit 1");
  expect(await chosen("rmux")).toBe("built-in");
});

test("a setting that names none is said on the run, and the order of preference holds", async () => {
  const session = panes({
    wanted: "screen",
    socket: join(base, "panes"),
    env: process.env,
    command: () => ["true"],
    report: () => undefined,
  });
  expect(session.rejected).toBe(
    'PROCTOR_TERMINAL: "screen" is none of rmux, tmux and built-in; the first that works is used.',
  );
  expect(await session.backend()).toBe("tmux");
  session.close();
});
