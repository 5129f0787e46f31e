/**
 * A run's terminal played out from its log, in a terminal without a display. The log is the only source, so a
 * screen can be had of any interactive run, live or ended, whoever has supervised it.
 *
 * Plays from a bounded distance before the log's end on: what was drawn before that and never since is missing. The
 * modes that were set before it (the alternate screen, the keys, the scrolling region ...) are not.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Terminal } from "@xterm/headless";
import { DEFAULT_TERMINAL_SIZE, errnoOf } from "../model/index.ts";
import type { TerminalSize } from "../model/index.ts";
import { ModeScan } from "../text/index.ts";
import { openLog } from "./log-source.ts";
import type { LogSource } from "./log-source.ts";

/** How far before the log's end the replay begins. */
const REPLAY_BYTES = 2 * 1024 * 1024;
const CHUNK_BYTES = 1 << 20;

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
  const screen = await LogScreen.open(logPath, scrollback);
  try {
    await screen.playTo(await screen.logBytes());
    return screen;
  } finally {
    await screen.close();
  }
}

/** A terminal that plays a log as far as it is told to, and on from there. */
export class LogScreen implements Replay {
  readonly terminal: Terminal;
  readonly from: number;
  readonly #source: LogSource;
  readonly #runDir: string;
  // Bytes that are no UTF-8 are shown as U+FFFD, as terminals do.
  readonly #decoder = new TextDecoder();
  #changes = 0;
  #to: number;
  #title: string | null = null;
  #isCursorVisible = true;

  private constructor(terminal: Terminal, source: LogSource, runDir: string, from: number) {
    this.terminal = terminal;
    this.#source = source;
    this.#runDir = runDir;
    this.from = from;
    this.#to = from;
    terminal.onTitleChange((given) => (this.#title = given === "" ? null : given));
    for (const final of ["h", "l"]) {
      terminal.parser.registerCsiHandler({ prefix: "?", final }, (params) => {
        if (params.includes(25)) this.#isCursorVisible = final === "h"; // DECTCEM
        return false;
      });
    }
  }

  /** Opens a log, to be played from a bounded distance before its end on; rejects with the system's error when it is gone. */
  static async open(logPath: string, scrollback: number): Promise<LogScreen> {
    // Loaded only here: no other path of any face pays for it.
    const { default: headless } = await import("@xterm/headless");
    const source = await openLog(logPath);
    try {
      const from = await beginning(source, Math.max(0, (await source.size()) - REPLAY_BYTES));
      const runDir = dirname(logPath);
      const [first] = sizeChanges(runDir);
      const terminal = new headless.Terminal({
        cols: first?.columns ?? DEFAULT_TERMINAL_SIZE.columns,
        rows: first?.rows ?? DEFAULT_TERMINAL_SIZE.rows,
        scrollback,
        allowProposedApi: true,
        windowOptions: { getWinSizeChars: true },
      });
      const screen = new LogScreen(terminal, source, runDir, from);
      screen.#resize();
      await screen.#write(Buffer.from(await modesBefore(source, from), "latin1"));
      return screen;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  get title(): string | null {
    return this.#title;
  }

  get isCursorVisible(): boolean {
    return this.#isCursorVisible;
  }

  get to(): number {
    return this.#to;
  }

  /** How long the log is now. */
  logBytes(): Promise<number> {
    return this.#source.size();
  }

  /** Plays on up to a byte of the log; what was played is not played again. */
  async playTo(end: number): Promise<void> {
    for (let next = this.#resize(); this.#to < end; next = this.#resize()) {
      const chunk = await this.#source.read(this.#to, Math.min(CHUNK_BYTES, end - this.#to, next - this.#to));
      if (chunk.length === 0) return;
      await this.#write(chunk);
      this.#to += chunk.length;
    }
  }

  close(): Promise<void> {
    return this.#source.close();
  }

  #write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.terminal.write(this.#decoder.decode(bytes, { stream: true }), resolve));
  }

  /** Gives the terminal the size that it had where the playing stands; gives the byte at which it got the next one. */
  #resize(): number {
    const changes = sizeChanges(this.#runDir);
    for (; ; this.#changes++) {
      const change = changes[this.#changes];
      if (change === undefined) return Number.POSITIVE_INFINITY;
      if (change.at > this.#to) return change.at;
      this.terminal.resize(change.columns, change.rows);
    }
  }
}

/** Where a replay can begin: at a line or at a control sequence, so that no character or sequence is cut. */
async function beginning(source: LogSource, wanted: number): Promise<number> {
  if (wanted === 0) return 0;
  const bytes = Buffer.from(await source.read(wanted, 65_536));
  const [line, sequence] = [bytes.indexOf(10) + 1, bytes.indexOf(27)];
  return wanted + (line > 0 && (sequence < 0 || line <= sequence) ? line : Math.max(0, sequence));
}

/** What sets the modes that the program had set before a byte of the log. */
async function modesBefore(source: LogSource, end: number): Promise<string> {
  const scan = new ModeScan();
  for (let at = 0; at < end; ) {
    const chunk = await source.read(at, Math.min(CHUNK_BYTES, end - at));
    if (chunk.length === 0) break;
    at += chunk.length;
    scan.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("latin1"));
    await new Promise((resolve) => setImmediate(resolve)); // a long log holds nobody else up
  }
  return scan.restoration();
}
