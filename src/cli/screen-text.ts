/** A screen for people: what it shows in a frame of its own, and what is known about it in one line each. */
import type { ScreenView } from "../model/index.ts";
import { oneLine } from "./one-line.ts";

/** A screen as lines. */
export function screenText(screen: ScreenView): string {
  const { cursor, waiting } = screen;
  const title = screen.title === null ? "" : `, "${oneLine(screen.title)}"`;
  const head = `screen  ${screen.columns} × ${screen.rows}${screen.fullScreen ? ", full-screen program" : ""}${title}, cursor at row ${cursor.row + 1}, column ${cursor.column + 1}${cursor.visible ? "" : " (hidden)"}\n`;
  const reads = waiting.reads === null ? "not known" : waiting.reads ? "yes" : "no";
  const body =
    screen.text === ""
      ? ""
      : screen.text
          .split("\n")
          .map((row) => `  │ ${row}\n`)
          .join("");
  return `${head}waits for input: ${reads} (${waiting.evidence.map(oneLine).join("; ")})\n${body}`;
}
