/**
 * The bytes that rows were read from. A string that is a part of another is read slowly, character by character; its
 * bytes are at hand where the log is in memory in one piece.
 */

const LINE_FEED = 10;

/** Rows that are the lines of one piece of UTF-8. */
export class RawRows {
  readonly view: DataView;
  readonly #starts: readonly number[];
  /** Where the last row ends. */
  readonly #end: number;

  /** @param starts Where each row starts in the bytes. */
  constructor(bytes: Uint8Array, starts: readonly number[]) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#starts = starts;
    this.#end = bytes.at(-1) === LINE_FEED ? bytes.length - 1 : bytes.length;
  }

  /** Where a row starts. */
  from(row: number): number {
    return this.#starts[row] ?? this.#end;
  }

  /** Where it ends, the line feed left out. */
  to(row: number): number {
    const next = this.#starts[row + 1];
    return next === undefined ? this.#end : next - 1;
  }

  /** Where a row of `length` characters starts; -1 where its bytes are not its characters, one for one. */
  startOf(row: number, length: number): number {
    const from = this.from(row);
    return this.to(row) - from === length ? from : -1;
  }
}
