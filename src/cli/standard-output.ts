/**
 * Standard output and error. A write resolves once the system has taken the bytes, so that leaving right
 * after the last one loses nothing; a reader that went away (`| head`) is an end, not an error.
 */
import { ProctorError, errnoOf, messageOf } from "../model/index.ts";

/** The reader of standard output is gone: there is nobody to tell anything. */
export class OutputClosed extends Error {
  constructor() {
    super("standard output was closed by its reader");
    this.name = "OutputClosed";
  }
}

// A failed write is told by its own callback; without a listener it would also end the process.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

/**
 * Writes to standard output.
 *
 * @throws OutputClosed when nobody reads any more; ProctorError `ERR_HOST_DISK` when it can't be written.
 */
export function writeOut(data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(data, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(outputError(error));
    });
  });
}

function outputError(error: Error): Error {
  const errno = errnoOf(error);
  // EIO: the terminal is gone. The others: the pipe or the socket is.
  if (errno === "EPIPE" || errno === "EIO" || errno === "ECONNRESET" || errno === "ERR_STREAM_DESTROYED")
    return new OutputClosed();
  return new ProctorError("ERR_HOST_DISK", `Standard output can't be written (${errno ?? messageOf(error)}).`, {
    cause: error,
  });
}

/** Writes one JSON document to standard output. */
export function writeJson(document: unknown): Promise<void> {
  return writeOut(`${JSON.stringify(document)}\n`);
}

/** Writes to standard error; when that fails there is nobody to tell. */
export function writeError(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stderr.write(text, () => resolve());
  });
}

/** Whether standard output gets colours: on a terminal, unless NO_COLOR or FORCE_COLOR decide (no-color.org). */
export function wantsColor(): boolean {
  const { NO_COLOR: off, FORCE_COLOR: on, TERM: term } = process.env;
  if (off !== undefined && off !== "") return false;
  if (on !== undefined && on !== "") return on !== "0" && on !== "false";
  return process.stdout.isTTY && term !== "dumb";
}

/** The width of the terminal that standard output is; null when it is none. */
export function outputWidth(): number | null {
  return process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : null;
}
