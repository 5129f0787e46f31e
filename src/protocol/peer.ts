/**
 * JSON-RPC 2.0 over a socket, one message a line (jsonrpc.org/specification). Both ends are the same
 * class. A message that can't be read ends the connection: there is no way to know what was meant.
 */
import type { Duplex } from "node:stream";
import { ProctorError, isProctorError, messageOf } from "../model/index.ts";
import type { ErrorCode } from "../model/index.ts";

/** The longest message that is accepted, in bytes. A list of 10,000 runs has about 8 MB. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/** Answers a request; what it returns is the result, what it throws the error. */
export type RequestHandler = (method: string, params: unknown) => Promise<unknown>;

/** A string that is JSON already: goes out as it is, so that what was serialised once is not again. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a thrown value looks like on the wire: JSON-RPC wants a number, ours stands in `data`. */
function errorOnWire(error: unknown): { code: number; message: string; data: { code: string; details: unknown } } {
  if (isProctorError(error))
    return { code: -32000, message: error.message, data: { code: error.code, details: error.details } };
  return { code: -32603, message: messageOf(error), data: { code: "ERR_BUG", details: {} } };
}

/** One end of a connection. */
export class Peer {
  readonly #socket: Duplex;
  readonly #pending = new Map<number, Pending>();
  readonly #closed: Promise<void>;
  #nextId = 1;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #isClosed = false;
  #onRequest: RequestHandler;
  #onNotification: (method: string, params: unknown) => void = () => undefined;

  constructor(socket: Duplex, onRequest: RequestHandler) {
    this.#socket = socket;
    this.#onRequest = onRequest;
    this.#closed = new Promise((resolve) => {
      const finish = (): void => {
        if (this.#isClosed) return;
        this.#isClosed = true;
        for (const { reject } of this.#pending.values()) {
          reject(
            new ProctorError("ERR_HOST_UNREACHABLE", "The connection to the session's host was lost.", {
              retryable: true,
            }),
          );
        }
        this.#pending.clear();
        resolve();
      };
      socket.on("close", finish);
      socket.on("error", () => socket.destroy()); // EPIPE and ECONNRESET are an end like any other
    });
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("end", () => socket.end());
  }

  /** Resolves when the connection is gone. */
  get whenClosed(): Promise<void> {
    return this.#closed;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Takes notifications of the other end. */
  onNotification(listener: (method: string, params: unknown) => void): void {
    this.#onNotification = listener;
  }

  /** Asks the other end; rejects with its `ProctorError`, or `ERR_HOST_UNREACHABLE` when the connection ends first. */
  request(method: string, params: unknown): Promise<unknown> {
    if (this.#isClosed) {
      return Promise.reject(
        new ProctorError("ERR_HOST_UNREACHABLE", "The connection to the session's host was lost.", { retryable: true }),
      );
    }
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  /** Tells the other end; nobody answers. */
  notify(method: string, params: unknown): void {
    if (!this.#isClosed) this.#send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** Sends what is still waiting to go out, then closes. */
  close(): void {
    this.#socket.end();
  }

  /** Closes at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  #send(text: string): void {
    if (!this.#socket.destroyed && this.#socket.writable) this.#socket.write(`${text}\n`);
  }

  #receive(chunk: Buffer): void {
    let rest = chunk;
    for (;;) {
      const at = rest.indexOf(10);
      if (at < 0) break;
      this.#parts.push(rest.subarray(0, at));
      rest = rest.subarray(at + 1);
      const line = Buffer.concat(this.#parts).toString("utf8");
      this.#parts = [];
      this.#partBytes = 0;
      if (line !== "") this.#message(line);
    }
    if (rest.length === 0) return;
    this.#parts.push(rest);
    this.#partBytes += rest.length;
    if (this.#partBytes > MAX_MESSAGE_BYTES) this.destroy();
  }

  #message(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.destroy(); // the other end hears of it as a lost connection
      return;
    }
    if (!isObject(message)) {
      this.destroy();
      return;
    }
    if (typeof message["method"] === "string") {
      if (typeof message["id"] === "number") void this.#answer(message["id"], message["method"], message["params"]);
      else this.#onNotification(message["method"], message["params"]);
      return;
    }
    if (typeof message["id"] !== "number") return;
    const pending = this.#pending.get(message["id"]);
    if (pending === undefined) return;
    this.#pending.delete(message["id"]);
    if (isObject(message["error"])) pending.reject(errorFromWire(message["error"]));
    else pending.resolve(message["result"]);
  }

  async #answer(id: number, method: string, params: unknown): Promise<void> {
    let text: string;
    try {
      const result = await this.#onRequest(method, params);
      const body = result instanceof RawJson ? result.text : (JSON.stringify(result) ?? "null");
      text = `{"jsonrpc":"2.0","id":${id},"result":${body}}`;
    } catch (error) {
      text = JSON.stringify({ jsonrpc: "2.0", id, error: errorOnWire(error) });
    }
    this.#send(text);
  }
}

function errorFromWire(error: Record<string, unknown>): Error {
  const message =
    typeof error["message"] === "string" ? error["message"] : "The session's host answered with an error.";
  const data = isObject(error["data"]) ? error["data"] : {};
  // Codes of a newer host may be unknown to us: they stay what they are, for the program that knows them.
  const code = typeof data["code"] === "string" ? (data["code"] as ErrorCode) : "ERR_BUG";
  const details = isObject(data["details"]) ? (data["details"] as Record<string, string>) : {};
  return new ProctorError(code, message, { details });
}
