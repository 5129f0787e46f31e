/** What was chosen of a log, between the choice and the printing. */

/** A row that is to be shown. */
export interface Choice {
  /** Its index in the rows. */
  readonly row: number;
  /** What is printed for it. */
  readonly text: string;
  readonly why: string;
  /** How many rows like it this one stands for. */
  readonly count: number;
  /** The higher the longer it stays. */
  readonly weight: number;
  /** Whether `text` is not all of the row. */
  readonly cut: boolean;
}

/** A group of findings that is not shown: told of in the marker where its first row was left out. */
export interface Untold {
  readonly row: number;
  readonly kind: "error" | "warning";
  readonly count: number;
}

/** What was chosen of a log. */
export interface Chosen {
  readonly choices: readonly Choice[];
  /** Ordered by row. */
  readonly untold: readonly Untold[];
}
