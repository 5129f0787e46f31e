/**
 * What reaches the scribe that holds a run's terminal. It reads a FIFO in the run's directory, in frames that
 * each go out in one write(2) of at most PIPE_BUF bytes: POSIX promises that such a write is whole or not at
 * all, so a host that is killed while it types tears nothing, and another host goes on.
 */
import { execFile } from "node:child_process";
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../model/index.ts";
import type { ModeReader, Terminals, TypedReport } from "../ports/index.ts";
import { ModeScan } from "../text/index.ts";

/** The FIFO in a run's directory. */
const INPUT_FIFO = "input";
/** PIPE_BUF: 4,096 on Linux (pipe(7)), 512 on macOS (limits.h). */
const FRAME_BYTES = process.platform === "linux" ? 4096 : 512;
/** Room for "d 4096\n", and for "a " with a length of any log. */
const HEAD_BYTES = 32;
/** How often a FIFO that is full is tried again, in milliseconds. */
const FULL_MS = 5;
/** How long a program may take nothing before typing is given up, in milliseconds. */
const STUCK_MS = 10_000;
/** How much of a log is looked at in one go. */
const CHUNK_BYTES = 1 << 20;

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

/** `to` makes it an answer: the last frame of one says how far queries are answered, with its bytes or not at all. */
function framesOf(bytes: Uint8Array, to: number | null): Buffer[] {
  const step = FRAME_BYTES - HEAD_BYTES;
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length || (at === 0 && to !== null); at += step) {
    const part = bytes.subarray(at, at + step);
    const isLast = at + step >= bytes.length;
    const head = to !== null && isLast ? `a ${part.length} ${to}\n` : `d ${part.length}\n`;
    frames.push(Buffer.concat([Buffer.from(head, "latin1"), part]));
  }
  return frames;
}

async function typed(runDir: string, bytes: Uint8Array, to: number | null): Promise<TypedReport> {
  const fd = openFifo(runDir);
  if (fd === null) return { bytes: 0, outcome: "gone" };
  try {
    for (const [i, frame] of framesOf(bytes, to).entries()) {
      const outcome = await send(fd, frame);
      if (outcome !== "done") return { bytes: i * (FRAME_BYTES - HEAD_BYTES), outcome };
    }
    return { bytes: bytes.length, outcome: "done" };
  } finally {
    closeSync(fd);
  }
}

/** Reads a growing log from where it ended the last time. */
function modes(logPath: string): ModeReader {
  const scan = new ModeScan();
  let at = 0;
  return {
    async read() {
      let fd: number;
      try {
        fd = openSync(logPath, "r");
      } catch (error) {
        if (errnoOf(error) === "ENOENT") return scan;
        throw error;
      }
      try {
        const { size } = fstatSync(fd);
        const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(0, size - at)));
        while (at < size) {
          const read = readSync(fd, buffer, 0, Math.min(buffer.length, size - at), at);
          if (read === 0) break;
          at += read;
          scan.take(buffer.toString("latin1", 0, read));
          if (at < size) await new Promise((resolve) => setImmediate(resolve)); // a long log holds nobody else up
        }
        return scan;
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** The terminals of this machine's runs. */
export const terminals: Terminals = {
  type: (runDir, bytes) => typed(runDir, bytes, null),
  answer: (runDir, bytes, to) => typed(runDir, bytes, to),
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
