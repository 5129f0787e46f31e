/** `runner_list`: the session's runs. */
import { carriable } from "../answer.ts";
import { RUN_LIST } from "./output-schemas.ts";
import { listLine } from "./run-lines.ts";
import type { Tool } from "./tool.ts";

/** How many runs that have ended are listed in the text. */
const MAX_ENDED = 30;
/** How many that have not. */
const MAX_LIVE = 70;

/** Every run of the session: those that go on first, then the newest. */
export const list: Tool = {
  name: "runner_list",
  description: "List this session's runs, and detached ones, and how they stand.",
  input: { type: "object", properties: {} },
  output: RUN_LIST,
  isReadOnly: true,
  async call(_given, context) {
    const session = await context.session();
    const runs = await session.list();
    const live = runs.filter((run) => run.state !== "ended").toReversed();
    const ended = runs.filter((run) => run.state === "ended").toReversed();
    const shown = [...live.slice(0, MAX_LIVE), ...ended.slice(0, MAX_ENDED)];
    const head =
      runs.length === 0
        ? "No runs in this session yet."
        : `${runs.length} ${runs.length === 1 ? "run" : "runs"}, ${live.length} not ended:`;
    const left = runs.length - shown.length;
    return {
      text: [
        head,
        ...shown.map((run) => `${listLine(run)}${run.session === session.id ? "" : "  (detached)"}`),
        ...(left > 0 ? [`(${left} older ones are not shown)`] : []),
      ].join("\n"),
      isError: false,
      document: { key: "proctor/runs", field: "runs", value: runs.map(carriable) },
    };
  },
};
