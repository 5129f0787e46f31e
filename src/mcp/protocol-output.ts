/**
 * Standard output, kept for the protocol alone. What anything else in this process prints there (a library,
 * a debugging switch, a warning) goes to standard error instead: one stray byte breaks the client's parser.
 */
import type { Writable } from "node:stream";

/** The only way to the real standard output. */
export interface ProtocolOutput {
  /** Writes one message; resolves when the output can take more. Never rejects. */
  write(text: string): Promise<void>;
  /** Whether the reader is behind: what may be left out should be. */
  readonly isBackedUp: boolean;
  /** Resolves when the output is closed at its other end. */
  readonly whenClosed: Promise<void>;
  /** Resolves when everything that was written is out, or after `ms` at the latest. */
  flush(ms: number): Promise<void>;
  /** Gives standard output back. */
  release(): void;
}

/** Takes `stdout` for the protocol; whatever else is written to it from now on goes to `stderr`. */
export function claimOutput(stdout: Writable, stderr: Writable): ProtocolOutput {
  const send = stdout.write.bind(stdout);
  let isClosed = false;
  let close: () => void = () => undefined;
  const whenClosed = new Promise<void>((resolve) => {
    close = () => {
      isClosed = true;
      resolve();
    };
  });
  // EPIPE and ECONNRESET: nobody reads any more. ENOSPC and the like on a file: nobody ever will.
  stdout.on("error", close);
  stdout.on("close", close);
  // Nobody reads our notes either, perhaps; that is no reason to fall over.
  stderr.on("error", () => undefined);
  stdout.write = stderr.write.bind(stderr);
  let drained: Promise<void> | null = null;
  return {
    write(text) {
      if (isClosed) return Promise.resolve();
      if (!send(text)) {
        drained ??= Promise.race([new Promise<void>((resolve) => stdout.once("drain", resolve)), whenClosed]).then(
          () => {
            drained = null;
          },
        );
      }
      return drained ?? Promise.resolve();
    },
    get isBackedUp() {
      return drained !== null;
    },
    whenClosed,
    async flush(ms) {
      if (isClosed || stdout.writableLength === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const bound = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([new Promise<void>((resolve) => send("", () => resolve())), whenClosed, bound]);
      clearTimeout(timer);
    },
    release() {
      stdout.write = send;
    },
  };
}
