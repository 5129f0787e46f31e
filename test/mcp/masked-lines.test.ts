/** Secrets in the single lines that answers quote of a log; the log itself stays as it is. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServer } from "./mcp-process.ts";

const SECRET = `ghp_${"a1B2".repeat(9)}`;
// In two parts: an answer names the command, too.
const SAYING = `until [ -e go ]; do echo using "ghp_""${SECRET.slice(4)}" now; sleep 0.2; done`;
const KEY_LINES = ["-----BEGIN RSA PRIVATE KEY-----", ..."abcdefgh".split("").map((c) => (c + "Qz9/").repeat(12))];

test("progress, the last line, a line that was waited for and the excerpt are masked; the log is not", async () => {
  const server = await startServer();
  const { run } = await server.tool("bash", { command: [SAYING], background: true });
  const matched = await server.tool("runner_wait", { id: run.id, match: "using", timeout: 30 });
  expect(matched.text).toMatch(/^Matched: using \S*\[redacted\]\S* now\n/);
  const status = await server.tool("runner_status", { id: run.id });
  expect(status.text).toMatch(/Last line: using \S*\[redacted\]/);
  const waiting = server.beginTool("runner_wait", { id: run.id }, "w");
  await server.until(() => server.progress.some((p) => String(p["message"]).includes("[redacted]")));
  writeFileSync(join(server.home, "go"), "");
  const answer = await waiting.answer;
  for (const text of [matched.text, status.text, answer.text, JSON.stringify(server.progress)])
    expect(text).not.toContain(SECRET);
  const logs = await server.tool("runner_logs", { id: run.id, lines: 1 });
  expect(logs.text).toContain(`using ${SECRET} now`);
  expect(readFileSync(answer.run.log.path, "utf8")).toContain(`using ${SECRET} now\n`);
});

test("the last line of a private key is masked, though the line alone looks like any other", async () => {
  const server = await startServer();
  const { run } = await server.tool("bash", {
    command: [`printf '%s\\n' ${KEY_LINES.map((line) => `'${line}'`).join(" ")}; sleep 300`],
    background: true,
  });
  await server.tool("runner_wait", { id: run.id, match: "^hQz9", timeout: 30 });
  const status = await server.tool("runner_status", { id: run.id });
  expect(status.text).toContain("Last line: ");
  expect(status.text).not.toContain("hQz9/hQz9/");
});

test("where masking is switched off, lines are quoted as they are", async () => {
  const server = await startServer({ env: { PROCTOR_REDACT: "0" } });
  const { run } = await server.tool("bash", { command: [SAYING], background: true });
  const matched = await server.tool("runner_wait", { id: run.id, match: "using", timeout: 30 });
  expect(matched.text).toContain(`Matched: using ${SECRET} now`);
  const status = await server.tool("runner_status", { id: run.id });
  expect(status.text).toContain(`Last line: using ${SECRET} now`);
});
