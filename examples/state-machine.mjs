/** A workflow engine's own states, made from an agent run's events. proctor knows none of these words. */
import { fileURLToPath } from "node:url";
import { ExitError, run } from "proctor/agent";

const agent = fileURLToPath(new URL("echo-agent.mjs", import.meta.url));

/** The engine's table: from a state, by an event, to a state. */
const TABLE = {
  pending: { "process.started": "working" },
  working: {
    turn_complete: "reviewing",
    "process.exited": "broken",
    "process.timeout": "late",
    "supervisor.restart": "retrying",
  },
  retrying: { "process.started": "working", "process.exited": "broken" },
  reviewing: { "process.exited": "done" },
};

/** Runs one task; gives the states that it went through. */
export async function perform(task, mode) {
  const path = ["pending"];
  const step = (event) => {
    const next = TABLE[path.at(-1)]?.[event];
    if (next !== undefined) path.push(next);
  };
  const outcome = await run({
    provider: "lines",
    workspace: process.cwd(),
    args: [process.execPath, agent, task, mode],
    supervisor: { restartOnCrash: 1 },
    onEvent: ({ kind, payload, attempt }) => {
      // The exit of an attempt that is tried again is no end: the restart that follows says so.
      if (kind === "process.exited" && payload.cause === "" && payload.exit_code !== 0 && attempt === 1) return;
      step(kind === "provider.event" && payload.is_turn_complete ? "turn_complete" : kind);
    },
  }).catch((error) => {
    if (error instanceof ExitError) return error.report;
    throw error;
  });
  if (path.at(-1) === "done" && outcome.turn !== "completed") path.push("broken");
  return path;
}

for (const mode of ["ok", "fail", "crash"]) console.log(`${mode}: ${(await perform("tidy up", mode)).join(" > ")}`);
