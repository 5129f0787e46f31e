/**
 * MCP's stdio binding: one JSON-RPC message a line. Unlike the SDK's own transport it outlives what a client
 * should not send (lines that are no message, lines of any length), waits for a slow reader without a
 * listener for each message, and tells why the connection ended.
 */
import type { Readable } from "node:stream";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { formatSize, messageOf } from "../model/index.ts";
import type { ProtocolOutput } from "./protocol-output.ts";

/** The longest line that is read, in bytes; a longer one is passed over. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Why a connection ended. */
export type ConnectionEnd = "input-ended" | "output-closed" | "closed-here";

/** The connection over standard input and output. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  /** Resolves once, when the connection is over. */
  readonly whenEnded: Promise<ConnectionEnd>;
  readonly #input: Readable;
  readonly #output: ProtocolOutput;
  #resolveEnded: (why: ConnectionEnd) => void = () => undefined;
  #parts: Buffer[] = [];
  #held = 0;
  #isTooLong = false;
  #isClosed = false;

  constructor(input: Readable, output: ProtocolOutput) {
    this.#input = input;
    this.#output = output;
    this.whenEnded = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  async start(): Promise<void> {
    const input = this.#input;
    void this.#output.whenClosed.then(() => this.#end("output-closed"));
    // What was asked before the end is answered if it can be at once; what takes longer is not waited for.
    const inputEnded = (): void => void setImmediate(() => this.#end("input-ended"));
    if (input.readableEnded || input.destroyed) inputEnded();
    input.on("data", (chunk: Buffer) => this.#receive(chunk));
    input.on("end", inputEnded);
    input.on("close", inputEnded);
    input.on("error", (error: Error) => {
      this.onerror?.(error);
      inputEnded();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return this.#output.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#end("closed-here");
  }

  #end(why: ConnectionEnd): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts = [];
    this.#input.removeAllListeners("data");
    // An input that is still open would keep the process alive.
    this.#input.destroy();
    this.#resolveEnded(why);
    this.onclose?.();
  }

  #receive(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      const last = rest.subarray(0, at);
      rest = rest.subarray(at + 1);
      const line = this.#isTooLong ? null : Buffer.concat([...this.#parts, last]).toString("utf8");
      this.#parts = [];
      this.#held = 0;
      this.#isTooLong = false;
      if (line !== null) this.#line(line);
      if (this.#isClosed) return;
    }
    if (rest.length === 0 || this.#isTooLong) return;
    this.#parts.push(rest);
    this.#held += rest.length;
    if (this.#held <= MAX_LINE_BYTES) return;
    this.#parts = [];
    this.#isTooLong = true;
    this.onerror?.(new Error(`A line longer than ${formatSize(MAX_LINE_BYTES)} was passed over.`));
  }

  #line(line: string): void {
    if (line.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.onerror?.(new Error(`A line that is not JSON was passed over (${messageOf(error)}).`));
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse(value);
      return;
    }
    this.onmessage?.(message);
  }

  /** JSON-RPC 2.0, section 5: a request that is none is answered as such, if it says whom to answer. */
  #refuse(value: unknown): void {
    this.onerror?.(new Error("A line that is JSON but no JSON-RPC message was passed over."));
    if (typeof value !== "object" || value === null || !("id" in value) || !("method" in value)) return;
    const { id } = value;
    if (typeof id !== "string" && typeof id !== "number") return;
    void this.send({
      jsonrpc: "2.0",
      id,
      error: { code: -32600, message: "Invalid Request: not a JSON-RPC 2.0 message." },
    });
  }
}
