/** Runs as a table for people: aligned, cut to the terminal's width where there is one. */
import { formatDuration, formatSize } from "../model/index.ts";
import type { RunView } from "../model/index.ts";
import { oneLine } from "./one-line.ts";

/** How a table looks. */
export interface TableStyle {
  readonly color: boolean;
  /** Columns of the terminal; null: none, and a line is cut where no person reads on. */
  readonly width: number | null;
}

const GREEN = "32";
const RED = "31";
const YELLOW = "33";
const DIM = "2";
const BOLD = "1";

/** Wraps `text` in a colour (ECMA-48, SGR). */
function paint(text: string, code: string, style: TableStyle): string {
  return style.color ? `\x1b[${code}m${text}\x1b[0m` : text;
}

/** The state of a run in a word or two: `running`, `exit 0`, `SIGKILL`, `timeout`. */
export function stateText(run: RunView): string {
  if (run.state === "queued" && run.queuePosition !== null) return `queued ${run.queuePosition}`;
  if (run.state !== "ended") return run.state;
  if (run.cause !== null && run.cause !== "completed") return run.cause;
  return run.signal ?? `exit ${run.exitCode ?? "?"}`;
}

function stateColor(run: RunView): string {
  if (run.state !== "ended") return YELLOW;
  return run.cause === "completed" && run.exitCode === 0 ? GREEN : RED;
}

interface Cell {
  readonly text: string;
  readonly color?: string;
}

/** Characters of a line where there is no terminal: a command may have megabytes. `--json` cuts nothing. */
const LONGEST_LINE = 1000;

/** Rows as aligned text; the last column is as long as it likes, up to the width. */
export function alignedTable(head: readonly string[], rows: readonly (readonly Cell[])[], style: TableStyle): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((cells) => cells[i]?.text.length ?? 0)));
  const draw = (cells: readonly Cell[]): string => {
    let used = 0;
    return cells
      .map((cell, i) => {
        const isLast = i === cells.length - 1;
        const room = Math.max(8, (style.width ?? LONGEST_LINE) - used);
        const text = cell.text.length > room ? `${cell.text.slice(0, room - 3)}...` : cell.text;
        const width = widths[i] ?? 0;
        used += width + 2;
        const drawn = cell.color === undefined ? text : paint(text, cell.color, style);
        return isLast ? drawn : drawn + " ".repeat(Math.max(0, width - text.length));
      })
      .join("  ");
  };
  return [head.map((text) => ({ text, color: BOLD })), ...rows].map((cells) => `${draw(cells)}\n`).join("");
}

/** Runs as a table; a sequence's stages stand indented below it. */
export function runTable(
  runs: readonly RunView[],
  style: TableStyle,
  sessions: ReadonlyMap<string, string> | null = null,
): string {
  const head = ["ID", "STATE", "TIME", "LOG", ...(sessions === null ? [] : ["SESSION"]), "COMMAND"];
  const rows = runs.flatMap((run) => [
    runRow(run, "", sessions),
    ...(run.stages ?? []).map((stage) => runRow(stage, "  ", sessions)),
  ]);
  return alignedTable(head, rows, style);
}

function runRow(run: RunView, indent: string, sessions: ReadonlyMap<string, string> | null): Cell[] {
  const left = run.leftovers.length === 0 ? "" : ` +${run.leftovers.length} left`;
  const label = run.name === null || indent !== "" ? "" : `${oneLine(run.name)}: `;
  return [
    { text: indent + run.id },
    { text: stateText(run) + left, color: stateColor(run) },
    { text: run.durationMs === null ? "-" : formatDuration(run.durationMs), color: DIM },
    { text: formatSize(run.log.bytes), color: DIM },
    ...(sessions === null ? [] : [{ text: sessions.get(run.session) ?? run.session, color: DIM }]),
    { text: `${indent}${label}${oneLine(run.command)}` },
  ];
}
