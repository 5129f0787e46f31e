/** `runner_input`: types into an interactive run, and answers with what its terminal shows then. */
import { formatDuration } from "../../model/index.ts";
import type { RunView, ScreenView, SessionApi } from "../../model/index.ts";
import { logLine, outcomeLine, screenOf } from "../../session/index.ts";
import type { Answer } from "../answer.ts";
import { carriable } from "../answer.ts";
import { INPUT_REPORT } from "./output-schemas.ts";
import { ID } from "./tool.ts";
import type { Tool } from "./tool.ts";

/** How long a terminal must be silent before it is shown, and how long that is waited for, in milliseconds. */
const SETTLED_MS = 150;
const SETTLE_BOUND_MS = 1500;
/** How often it is looked at meanwhile. */
const LOOK_MS = 30;

/** The run once its terminal is silent or it has ended, so that an answer shows what came of the typing. */
async function settled(session: SessionApi, id: string): Promise<RunView> {
  const until = performance.now() + SETTLE_BOUND_MS;
  let bytes = -1;
  let since = performance.now();
  for (;;) {
    const view = await session.status(id);
    const now = performance.now();
    if (view.log.bytes !== bytes) {
      bytes = view.log.bytes;
      since = now;
    }
    if (view.state === "ended" || now > until || (bytes > 0 && now - since >= SETTLED_MS)) return view;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** A screen for a model: the rows, then one line on cursor and program. */
export function screenLines(screen: ScreenView): readonly string[] {
  const { waiting, cursor } = screen;
  const reads =
    waiting.reads === true
      ? "It waits for input"
      : waiting.reads === false
        ? "It does not read its terminal now"
        : "Whether it waits for input is not known";
  const quiet = screen.quietMs === null ? "" : `, silent for ${formatDuration(screen.quietMs)}`;
  return [
    screen.text === "" ? "[the screen is empty]" : screen.text,
    `[${screen.columns} × ${screen.rows}${screen.fullScreen ? ", full-screen program" : ""}${screen.title === null ? "" : `, title "${screen.title.slice(0, 80)}"`}, cursor at row ${cursor.row + 1}, column ${cursor.column + 1}${quiet}. ${reads}: ${waiting.evidence.join("; ")}]`,
  ];
}

/** The answer that shows an interactive run's terminal as soon as it is silent. */
export async function typedAnswer(session: SessionApi, run: RunView, head: string): Promise<Answer> {
  const view = await settled(session, run.id);
  const screen = await screenOf(view);
  const goesOn =
    view.state === "ended" ? [] : [`Type with runner_input, id ${view.id}; look again with runner_status.`];
  return {
    text: [head, ...screenLines(screen), ...goesOn, outcomeLine(view), logLine(view)].join("\n"),
    isError: false,
    document: { key: "proctor/run", value: { ...run, ...carriable(view), screen } },
  };
}

/** Types. */
export const input: Tool = {
  name: "runner_input",
  description:
    "Type into an interactive run: `text`, then Enter if `enter`, then `keys` (Up, C-c, Escape …). Answers with the screen.",
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
    const text = given.text("text");
    const enter = given.flag("enter");
    const keys = given.texts("keys");
    const session = await context.session();
    const answer = await session.input({ id, data: null, text, enter, keys, eof: false });
    if (answer.written === 0 && answer.run.state === "ended") {
      return {
        text: ["Nothing was typed: it has ended.", outcomeLine(answer.run), logLine(answer.run)].join("\n"),
        isError: false,
        document: { key: "proctor/run", value: { id: answer.id, written: 0, run: carriable(answer.run) } },
      };
    }
    const shown = await typedAnswer(session, answer.run, [...answer.notes, "Typed. The terminal shows:"].join("\n"));
    return {
      ...shown,
      document: { key: "proctor/run", value: { id: answer.id, written: answer.written, run: shown.document.value } },
    };
  },
};
