/** What a look at the rows gives: which are evidence, and which tell the outcome. */
import type { Recogniser } from "./recognisers/index.ts";
import type { Grade } from "./severity.ts";

/** A row that may open a block of evidence. */
export interface Finding {
  readonly row: number;
  readonly grade: Grade;
  readonly recogniser: Recogniser | null;
  /** What it says, as a number: rows that say the same of different things have one. -1 when it was not asked for. */
  readonly said: number;
  /** Whether a pattern of the user matches it. */
  readonly isUsers: boolean;
  /** Whether rows that say the same of things named like words are taken together in `said`. */
  readonly isFlood: boolean;
}

/** What was found in the rows. */
export interface Findings {
  /** In order. */
  readonly evidence: readonly Finding[];
  /** Rows that tell what the run came to, in order. */
  readonly outcomes: readonly number[];
  /** Whether the log is the report of a tool, not something that was asked for. */
  readonly isReport: boolean;
}
