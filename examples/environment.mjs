/** What an agent gets as its environment: all of this process's, nothing, or exactly what is given. */
import { fileURLToPath } from "node:url";
import { run } from "proctor/agent";

const agent = fileURLToPath(new URL("echo-agent.mjs", import.meta.url));

async function namesSeen(env) {
  let names = "";
  await run({
    provider: "lines",
    binary: process.execPath,
    workspace: process.cwd(),
    args: [agent, "which variables are there?"],
    ...(env === undefined ? {} : { env }),
    onEvent: ({ kind, payload }) => {
      if (kind === "provider.event" && payload.event.type === "tool_result") names = payload.event.output;
    },
  });
  return names.split(" ").filter((name) => name !== "");
}

process.env.EXAMPLE_TOKEN = "from-the-parent";
console.log(`inherit: ${(await namesSeen(undefined)).includes("EXAMPLE_TOKEN") ? "has" : "lacks"} EXAMPLE_TOKEN`);
console.log(`empty: ${(await namesSeen({})).length} variables`);
console.log(`exact: ${(await namesSeen({ ONLY: "this" })).join(" ")}`);
