/** The examples run, and say what their comments promise. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const EXAMPLES = join(import.meta.dirname, "../../examples");

function outputOf(name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [join(EXAMPLES, name)],
      { encoding: "utf8", timeout: 50_000 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${name}: ${error.message} ${stderr}`));
      },
    );
  });
}

test("basic", async () => {
  expect(await outputOf("basic.mjs")).toBe("You said: hello\ncompleted, exit 0, 5 tokens out, $0.001\n");
});

test("environment", async () => {
  expect(await outputOf("environment.mjs")).toBe("inherit: has EXAMPLE_TOKEN\nempty: 0 variables\nexact: ONLY\n");
});

test("a state machine", async () => {
  expect(await outputOf("state-machine.mjs")).toBe(
    "ok: pending > working > reviewing > done\nfail: pending > working > reviewing > done > broken\ncrash: pending > working > retrying > working > broken\n",
  );
});

test("a broker", async () => {
  expect(await outputOf("broker.mjs")).toBe(
    "answered: You said: one ($0.001)\nanswered: You said: two ($0.001)\nanswered: You said: three (resuming example-1) ($0.002)\n",
  );
});

test("a plugin host", async () => {
  expect(await outputOf("plugin-host.mjs")).toBe("contract: kept\nlogger heard: good morning\nscheduler: completed\n");
});

test.each(["state-machine.mjs", "broker.mjs", "plugin-host.mjs"])("%s is under 60 lines", (name) => {
  expect(readFileSync(join(EXAMPLES, name), "utf8").trimEnd().split("\n").length).toBeLessThan(60);
});
