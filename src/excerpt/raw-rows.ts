/**
 * The bytes that rows were read from. A string that is a part of another is read slowly, character by character; its
 * bytes are at hand where the log is in memory in one piece.
 */

/** Rows that are the lines of one piece of UTF-8. */
export class RawRows {
  readonly view: DataView;
  readonly #starts: readonly number[];

  /** @param starts Where each row starts in the bytes. */
  constructor(bytes: Uint8Array, starts: readonly number[]) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#starts = starts;
  }

  /** Where a row of `length` characters starts; -1 where its bytes are not its characters, one for one. */
  startOf(row: number, length: number): number {
    const from = this.#starts[row];
    if (from === undefined) return -1;
    const next = this.#starts[row + 1];
    // A line feed ends each row but the last, which may have none.
    const isWhole =
      next === undefined ? this.view.byteLength - from - length <= 1 : next - 1 - from === length;
    return isWhole ? from : -1;
  }
}
