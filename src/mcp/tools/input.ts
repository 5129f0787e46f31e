/** `runner_input`: types into an interactive run. */
import { ProctorError } from "../../model/index.ts";
import { logLine, outcomeLine } from "../../session/index.ts";
import { carriable } from "../answer.ts";
import { INPUT_REPORT } from "./output-schemas.ts";
import { ID } from "./tool.ts";
import type { Tool } from "./tool.ts";

/** Types. No run has a terminal yet, so what has not ended refuses. */
export const input: Tool = {
  name: "runner_input",
  description: "Type into an interactive run: `text`, then Enter if `enter`, then `keys` (Up, C-c, Escape …).",
  input: {
    type: "object",
    properties: {
      id: ID,
      text: { type: "string" },
      enter: { type: "boolean" },
      keys: { type: "array", items: { type: "string" } },
    },
    required: ["id"],
  },
  output: INPUT_REPORT,
  isReadOnly: false,
  async call(given, context) {
    const id = given.requiredText("id");
    given.text("text");
    given.flag("enter");
    given.texts("keys");
    const run = await (await context.session()).status(id);
    if (run.state !== "ended") {
      throw new ProctorError(
        "ERR_INPUT_NOT_INTERACTIVE",
        `id: the run ${run.id} has no terminal: its standard input is empty, and nothing can be typed into it.`,
        {
          details: { field: "id", value: run.id },
        },
      );
    }
    return {
      text: ["Nothing was typed: it has ended.", outcomeLine(run), logLine(run)].join("\n"),
      isError: false,
      document: { key: "proctor/run", value: { id: run.id, written: 0, run: carriable(run) } },
    };
  },
};
