/** What can be said of a tool's layout. Every field is optional: a recogniser only adds to the general rules. */
import type { Grade } from "../severity.ts";

/** The layout of one tool, or of a family that prints alike. */
export interface Recogniser {
  readonly name: string;
  /** A row that opens a block of evidence: the title of a failed test, a diagnostic. */
  readonly opens?: RegExp;
  /** Whether a row that `opens` is a title: the message is the first telling row below it. */
  readonly titled?: boolean;
  /** A title with nothing below it that is its own message, not one of a list. */
  readonly alone?: RegExp;
  /** Whether the block goes on until `closes`, whatever its indentation; true of titled ones anyway. */
  readonly section?: boolean;
  /** The row of a titled block that is its message, where that is not simply the first. */
  readonly says?: RegExp;
  /** Whether its rows repeat in short what other blocks tell. */
  readonly repeats?: boolean;
  /** The grade of a row that `opens`; explicit by default. */
  readonly grade?: Grade;
  /** The first row behind the block. Without it the block ends where its indentation does. */
  readonly closes?: RegExp;
  /** Rows of a block that are its core, besides those the general rules know. */
  readonly core?: RegExp;
  /** Rows of a block that are never shown. */
  readonly drops?: RegExp;
  /** A row above that tells what a block belongs to. */
  readonly heading?: RegExp;
  /** Rows that look like evidence and are not. */
  readonly harmless?: RegExp;
  /** Rows that follow from another failure. */
  readonly follows?: RegExp;
  /** Rows that tell what the run came to. */
  readonly outcome?: RegExp;
  /** What blocks must share to be one group; the shape of the message by default. */
  readonly rule?: RegExp;
  /** Turns a row into what a reader is meant to see; null leaves it out. */
  readonly unwrap?: { readonly when: RegExp; readonly into: (row: string) => string | null };
}
