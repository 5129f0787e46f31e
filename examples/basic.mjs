/** The least that is useful: run an agent, print what it says, look at how it ended. */
import { fileURLToPath } from "node:url";
import { run } from "proctor/agent";

const agent = fileURLToPath(new URL("echo-agent.mjs", import.meta.url));

const report = await run({
  provider: "lines",
  workspace: process.cwd(),
  args: [process.execPath, agent, "hello"],
  deadlineMs: 60_000,
  onEvent: ({ kind, payload }) => {
    if (kind === "provider.event" && payload.event.type === "text") console.log(payload.event.text);
  },
});

console.log(`${report.turn}, exit ${report.exitCode}, ${report.usage?.outputTokens} tokens out, $${report.costUsd}`);
