/**
 * A run's terminal played out from its log, in a terminal without a display. The log is the only source, so a
 * screen can be had of any interactive run, live or ended, whoever has supervised it.
 *
 * Reads from a bounded distance before the log's end on: what was drawn before that and never since is missing.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Terminal } from "@xterm/headless";
import { DEFAULT_TERMINAL_SIZE, errnoOf } from "../model/index.ts";
import type { TerminalSize } from "../model/index.ts";
import { openLog } from "./log-source.ts";

/** How far before the log's end the replay begins. */
const REPLAY_BYTES = 2 * 1024 * 1024;
const CHUNK_BYTES = 1 << 18;

/** A terminal into which a log was played. */
export interface Replay {
  readonly terminal: Terminal;
  readonly title: string | null;
  readonly isCursorVisible: boolean;
  /** How much of the log was played: up to this byte. */
  readonly to: number;
  /** From this byte on. */
  readonly from: number;
}

/** From which byte on the terminal had which size (see launcher.pl). */
interface SizeChange extends TerminalSize {
  readonly at: number;
}

function sizeChanges(runDir: string): readonly SizeChange[] {
  let text = "";
  try {
    text = readFileSync(join(runDir, "sizes"), "latin1");
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  const changes = text
    .split("\n")
    .map((line) => /^(\d+) (\d+) (\d+)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => ({ at: Number(match[1]), rows: Number(match[2]), columns: Number(match[3]) }));
  return changes.length === 0 ? [{ at: 0, ...DEFAULT_TERMINAL_SIZE }] : changes;
}

/** When the log was written to last, in milliseconds since the epoch; null when there is none. */
export function lastOutputAt(logPath: string): number | null {
  try {
    const { size, mtimeMs } = statSync(logPath);
    return size === 0 ? null : mtimeMs;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Plays the end of a log; `scrollback` is how many rows above the screen are kept. */
export async function replay(logPath: string, scrollback: number): Promise<Replay> {
  const changes = sizeChanges(dirname(logPath));
  // Loaded only here: no other path of any face pays for it.
  const { default: headless } = await import("@xterm/headless");
  const source = await openLog(logPath);
  try {
    const size = await source.size();
    const from = await beginning(source, Math.max(0, size - REPLAY_BYTES));
    const first = changes.findLast((one) => one.at <= from) ?? changes[0];
    const terminal = new headless.Terminal({
      cols: first?.columns ?? DEFAULT_TERMINAL_SIZE.columns,
      rows: first?.rows ?? DEFAULT_TERMINAL_SIZE.rows,
      scrollback,
      allowProposedApi: true,
    });
    let title: string | null = null;
    let isCursorVisible = true;
    terminal.onTitleChange((given) => (title = given === "" ? null : given));
    for (const final of ["h", "l"]) {
      terminal.parser.registerCsiHandler({ prefix: "?", final }, (params) => {
        if (params.includes(25)) isCursorVisible = final === "h"; // DECTCEM
        return false;
      });
    }
    // Bytes that are no UTF-8 are shown as U+FFFD, as terminals do.
    const decoder = new TextDecoder();
    const ahead = changes.filter((one) => one.at > from);
    for (let at = from; at < size; ) {
      while (ahead[0] !== undefined && ahead[0].at <= at) {
        terminal.resize(ahead[0].columns, ahead[0].rows);
        ahead.shift();
      }
      const chunk = await source.read(at, Math.min(CHUNK_BYTES, size - at, (ahead[0]?.at ?? size) - at));
      if (chunk.length === 0) break;
      at += chunk.length;
      await new Promise<void>((resolve) => terminal.write(decoder.decode(chunk, { stream: true }), resolve));
    }
    for (const change of ahead) terminal.resize(change.columns, change.rows);
    return { terminal, title, isCursorVisible, from, to: size };
  } finally {
    await source.close();
  }
}

/** Where a replay can begin: behind the next newline, so that no character or control sequence is cut. */
async function beginning(
  source: { read(offset: number, length: number): Promise<Uint8Array> },
  wanted: number,
): Promise<number> {
  if (wanted === 0) return 0;
  const at = Buffer.from(await source.read(wanted, 65_536)).indexOf(10);
  return at < 0 ? wanted : wanted + at + 1;
}
