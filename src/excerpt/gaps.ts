/** What is said in place of rows that are left out: how many, what they held, and the line that follows. */
import type { Untold } from "./choice.ts";
import type { Rows } from "./rows.ts";
import { thousands } from "./thousands.ts";

// A gap of fewer lines needs no number to find one's way in the log.
const NUMBERED = 5;

/** The gaps of one log. */
export class Gaps {
  readonly #rows: Rows;
  readonly #untold: readonly Untold[];
  readonly #totalLines: number;
  /** For each row how many above it are not blank; one more at the end. */
  readonly #filled: Int32Array;

  constructor(rows: Rows, untold: readonly Untold[], totalLines: number) {
    this.#rows = rows;
    this.#untold = untold;
    this.#totalLines = totalLines;
    const { keys } = rows;
    this.#filled = new Int32Array(keys.length + 1);
    let filled = 0;
    for (let row = 0; row < keys.length; row++) {
      this.#filled[row] = filled;
      if (keys[row] !== 0) filled++;
    }
    this.#filled[keys.length] = filled;
  }

  /** The marker for the rows between two that are shown; "" when only blank ones are missing. */
  marker(from: number, to: number): string {
    const rows = this.#rows;
    const atEnd = to >= rows.text.length;
    const before = from < 0 ? 0 : (rows.line[from] ?? 0);
    const after = atEnd ? this.#totalLines + 1 : (rows.line[to] ?? 0);
    const filled = to > from + 1 ? (this.#filled[to] ?? 0) - (this.#filled[from + 1] ?? 0) : 0;
    const byLines = !rows.drawn || !rows.complete;
    const unkept = byLines && after - before - 1 > to - from - 1;
    if (filled === 0 && !unkept) return "";
    const missing = !byLines ? filled : Math.max(filled, after - before - 1);
    const lines = `${thousands(missing)} ${missing === 1 ? "line" : "lines"} left out`;
    const next = missing >= NUMBERED && !atEnd ? `; line ${after}:` : "";
    return `… [${lines}${this.#held(from, to)}${next}] …`;
  }

  #held(from: number, to: number): string {
    const said: string[] = [];
    for (const kind of ["error", "warning", "remark"] as const) {
      const inside = this.#untold.filter((group) => group.kind === kind && group.row > from && group.row < to);
      const count = inside.reduce((sum, group) => sum + group.count, 0);
      if (count === 0) continue;
      const times = `×${thousands(count)}`;
      said.push(inside.length === 1 ? `${kind} ${times}` : `${inside.length} kinds of ${kind} ${times}`);
    }
    return said.length === 0 ? "" : `: ${said.join(", ")}`;
  }
}
