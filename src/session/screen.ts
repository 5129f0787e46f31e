/** What the terminal of an interactive run shows: as text for an agent, and whether its program waits to be typed to. */
import { dirname } from "node:path";
import { DEFAULT_TERMINAL_SIZE, ProctorError, errnoOf, formatDuration } from "../model/index.ts";
import type { RunView, ScreenView, WaitingView } from "../model/index.ts";
import { foregroundOf } from "../os/index.ts";
import { lastOutputAt, replay } from "./screen-replay.ts";
import type { Replay } from "./screen-replay.ts";

/** Silence after which a cursor behind a text is taken for a prompt, in milliseconds. */
const QUIET_MS = 300;

/** The rows that a terminal shows, or that it has kept above. */
function rowsOf({ terminal }: Replay, from: number, to: number): string[] {
  const buffer = terminal.buffer.active;
  const rows: string[] = [];
  for (let y = from; y < to; y++) rows.push((buffer.getLine(y)?.translateToString(true) ?? "").trimEnd());
  return rows;
}

/** The run that has the terminal: of a sequence, its interactive stage. */
export function terminalRun(view: RunView): RunView {
  const run = view.stages?.find((one) => one.interactive) ?? view;
  if (run.kind === "run" && run.interactive) return run;
  throw new ProctorError(
    "ERR_INPUT_NOT_INTERACTIVE",
    `id: ${view.id} has no terminal, so there is no screen to show. Start it with --interactive.`,
    {
      details: { field: "id", value: view.id },
    },
  );
}

function waitingOf(run: RunView, shown: Replay | null, line: string, quietMs: number | null): WaitingView {
  if (run.state === "ended") return { reads: false, evidence: ["the run has ended"] };
  const foreground = foregroundOf(dirname(run.log.path));
  const evidence = [...foreground.evidence];
  evidence.push(quietMs === null ? "nothing was printed yet" : `nothing was printed for ${formatDuration(quietMs)}`);
  const column = shown?.terminal.buffer.active.cursorX ?? 0;
  if (quietMs !== null && quietMs >= QUIET_MS && line.trim() !== "" && column > 0 && line.length <= column)
    evidence.push(`the cursor stands behind "${line.trim().slice(-60)}"`);
  return { reads: foreground.reads, evidence };
}

/**
 * The screen of an interactive run as it is now, or as its program left it.
 *
 * @throws ProctorError `ERR_INPUT_NOT_INTERACTIVE`.
 */
export async function screenOf(view: RunView): Promise<ScreenView> {
  const run = terminalRun(view);
  const shown = await replay(run.log.path, 0).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return null; // nothing was ever started
    throw error;
  });
  const lastAt = lastOutputAt(run.log.path);
  const quietMs = lastAt === null ? null : Math.max(0, Math.round(Date.now() - lastAt));
  if (shown === null) {
    return {
      ...DEFAULT_TERMINAL_SIZE,
      text: "",
      cursor: { column: 0, row: 0, visible: true },
      title: null,
      fullScreen: false,
      quietMs,
      waiting: waitingOf(run, null, "", quietMs),
    };
  }
  const { terminal } = shown;
  const buffer = terminal.buffer.active;
  const rows = rowsOf(shown, buffer.baseY, buffer.baseY + terminal.rows);
  const line = rows[buffer.cursorY] ?? ""; // a prompt's last blank is trimmed, the cursor tells of it
  while (rows.length > 0 && rows.at(-1) === "") rows.pop();
  return {
    columns: terminal.cols,
    rows: terminal.rows,
    text: rows.join("\n"),
    cursor: { column: buffer.cursorX, row: buffer.cursorY, visible: shown.isCursorVisible },
    title: shown.title,
    fullScreen: buffer.type === "alternate",
    quietMs,
    waiting: waitingOf(run, shown, line, quietMs),
  };
}

/** How many rows above the screen are kept for a text. */
const SCROLLBACK_ROWS = 20_000;

/**
 * Everything that a run's terminal has shown, as text: the rows that have scrolled away and the screen. What a
 * full-screen program drew and took away again is not in it.
 */
export async function renderedText(logPath: string): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const shown = await replay(logPath, SCROLLBACK_ROWS);
  const buffer = shown.terminal.buffer.active;
  const lines: string[] = [];
  for (let y = 0; y < buffer.length; y++) {
    const line = buffer.getLine(y);
    if (line === undefined) continue;
    const text = line.translateToString(!(buffer.getLine(y + 1)?.isWrapped ?? false));
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  while (lines.length > 0 && lines.at(-1) === "") lines.pop();
  return {
    text: lines.length === 0 ? "" : `${lines.join("\n")}\n`,
    isWhole: shown.from === 0 && buffer.length < SCROLLBACK_ROWS + shown.terminal.rows,
  };
}
