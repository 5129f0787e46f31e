/**
 * What reaches the scribe that holds a run's terminal. It reads a FIFO in the run's directory, in frames that
 * each go out in one write(2) of at most PIPE_BUF bytes: POSIX promises that such a write is whole or not at
 * all, so a host that is killed while it types tears nothing, and another host goes on.
 */
import { execFile } from "node:child_process";
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../model/index.ts";
import type { TerminalModes, Terminals, TypedReport } from "../ports/index.ts";
import { TERMINAL_MODES_OFF, modesAtEnd } from "../text/index.ts";

/** The FIFO in a run's directory. */
const INPUT_FIFO = "input";
/** PIPE_BUF: 4,096 on Linux (pipe(7)), 512 on macOS (limits.h). */
const FRAME_BYTES = process.platform === "linux" ? 4096 : 512;
/** Room for "d 4096\n". */
const HEAD_BYTES = 8;
/** How often a FIFO that is full is tried again, in milliseconds. */
const FULL_MS = 5;
/** How long a program may take nothing before typing is given up, in milliseconds. */
const STUCK_MS = 10_000;
/** How far back from the log's end modes are looked for. */
const MODES_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 1 << 16;
/** A control sequence that is cut by a chunk's edge is shorter than this. */
const OVERLAP_BYTES = 64;

function openFifo(runDir: string): number | null {
  try {
    return openSync(join(runDir, INPUT_FIFO), constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    const errno = errnoOf(error);
    // ENXIO: nobody reads (fifo(7)). ENOENT: the run's directory is gone, or no terminal ever was.
    if (errno === "ENXIO" || errno === "ENOENT") return null;
    throw error;
  }
}

/** Writes one frame; "full" when there is no room for the whole of it now. */
function writeFrame(fd: number, frame: Uint8Array): "written" | "full" | "gone" {
  try {
    writeSync(fd, frame);
    return "written";
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EAGAIN") return "full";
    if (errno === "EPIPE") return "gone";
    throw error;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, FULL_MS));
}

async function send(fd: number, frame: Uint8Array): Promise<TypedReport["outcome"]> {
  const until = performance.now() + STUCK_MS;
  for (;;) {
    const result = writeFrame(fd, frame);
    if (result === "written") return "done";
    if (result === "gone") return "gone";
    if (performance.now() > until) return "stuck";
    await pause();
  }
}

function frameOf(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`d ${bytes.length}\n`, "latin1"), bytes]);
}

function modes(logPath: string): TerminalModes {
  let fd: number;
  try {
    fd = openSync(logPath, "r");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return TERMINAL_MODES_OFF;
    throw error;
  }
  try {
    const { size } = fstatSync(fd);
    const floor = Math.max(0, size - MODES_BYTES);
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES + OVERLAP_BYTES);
    let bracketedPaste: boolean | null = null;
    let applicationCursor: boolean | null = null;
    for (let end = size; end > floor; end -= CHUNK_BYTES) {
      const from = Math.max(floor, end - CHUNK_BYTES);
      const read = readSync(fd, buffer, 0, Math.min(size, end + OVERLAP_BYTES) - from, from);
      const seen = modesAtEnd(buffer.subarray(0, read).toString("latin1"));
      bracketedPaste ??= seen.bracketedPaste;
      applicationCursor ??= seen.applicationCursor;
      if (bracketedPaste !== null && applicationCursor !== null) break;
    }
    return {
      bracketedPaste: bracketedPaste ?? TERMINAL_MODES_OFF.bracketedPaste,
      applicationCursor: applicationCursor ?? TERMINAL_MODES_OFF.applicationCursor,
    };
  } finally {
    closeSync(fd);
  }
}

/** The terminals of this machine's runs. */
export const terminals: Terminals = {
  async type(runDir, bytes) {
    const fd = openFifo(runDir);
    if (fd === null) return { bytes: 0, outcome: "gone" };
    try {
      const step = FRAME_BYTES - HEAD_BYTES;
      for (let at = 0; at < bytes.length; at += step) {
        const outcome = await send(fd, frameOf(bytes.subarray(at, at + step)));
        if (outcome !== "done") return { bytes: at, outcome };
      }
      return { bytes: bytes.length, outcome: "done" };
    } finally {
      closeSync(fd);
    }
  },
  async resize(runDir, size) {
    const fd = openFifo(runDir);
    if (fd === null) return false;
    try {
      return (await send(fd, Buffer.from(`s ${size.rows} ${size.columns}\n`, "latin1"))) === "done";
    } finally {
      closeSync(fd);
    }
  },
  modes,
  isCanonical(terminal) {
    return new Promise((resolve) => {
      const file = process.platform === "darwin" ? "-f" : "-F";
      execFile(
        "stty",
        [file, terminal, "-a"],
        { timeout: 5000, env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } },
        (error, stdout) => {
          if (error !== null) resolve(null);
          else resolve(/(^|[\s;])icanon\b/.test(stdout));
        },
      );
    });
  },
};
