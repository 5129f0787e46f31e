/** An adapter of one's own, as docs/agent-runs.md has it: thirty lines, the contract test, a run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkAdapter } from "../../src/agent/index.ts";
import type { ProviderAdapter } from "../../src/agent/index.ts";
import { livingProcesses } from "../session/processes.ts";
import { exitOf, observed, place } from "./runs.ts";

const at = place();
afterAll(() => at.close());

const text = readFileSync(join(import.meta.dirname, "../../docs/agent-runs.md"), "utf8");
const code = /```js\n(const adapter = \{[^]*?\n\};)\n```/.exec(text)?.[1] ?? "";
const file = at.script(
  "adapter.mjs",
  `import { OWN_TERMINATE } from ${JSON.stringify(join(import.meta.dirname, "../../dist/agent/index.js"))};\nexport ${code}\n`,
);
const { adapter } = (await import(file)) as { readonly adapter: ProviderAdapter };

const RECORDING = '{"kind":"hello","id":"acme-1"}\n{"kind":"say","text":"good"}\n{"kind":"other"}\n';

test("it has thirty lines at most", () => expect(code.split("\n").length).toBeLessThanOrEqual(30));

test("it keeps the contract", () => expect(checkAdapter(adapter, Buffer.from(RECORDING))).toEqual([]));

test("it runs: session, text, turn", async () => {
  const binary = at.script("acme", `#!/bin/bash\nprintf '%s' '${RECORDING}'\n`);
  const { report, events } = await observed({
    provider: adapter,
    binary,
    workspace: at.work,
    session: at.session,
    args: adapter.buildArgs?.({ prompt: "hi" }) ?? [],
  });
  expect(report).toMatchObject({ turn: "completed", sessionId: "acme-1" });
  expect(events.flatMap((e) => (e.kind === "provider.event" ? [e.payload.event.type] : []))).toEqual([
    "session",
    "text",
    "unknown",
    "done",
  ]);
});

test("one that throws although it must not: the agent is stopped, and the report says who threw", async () => {
  const duration = `30.${process.pid}7`;
  const binary = at.script("acme-long", `#!/bin/bash\necho '{"kind":"hello"}'\nexec sleep ${duration}\n`);
  const broken: ProviderAdapter = {
    ...adapter,
    parser: () => ({
      json: () => {
        throw new Error("parser broke");
      },
    }),
  };
  const outcome = await observed({ provider: broken, binary, workspace: at.work, session: at.session, args: [] });
  expect(exitOf(outcome)[3]).toBe("aborted");
  expect(outcome.report?.error).toBe("The agent's output could not be read: parser broke");
  expect(outcome.events.map((e) => e.kind)).toEqual(["process.started", "process.exited"]);
  expect(livingProcesses().some((p) => p.command === `sleep ${duration}`)).toBe(false);
});

test("a turn that failed says so, whatever the exit code", async () => {
  const binary = at.script("acme-oops", `#!/bin/bash\necho '{"kind":"oops","why":"no credit"}'\n`);
  const { report } = await observed({ provider: adapter, binary, workspace: at.work, session: at.session, args: [] });
  expect(report).toMatchObject({ exitCode: 0, turn: "failed", error: "no credit" });
});
