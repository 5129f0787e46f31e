/** What can be said of a tool's layout. Every field is optional: a recogniser only adds to the general rules. */
import type { Grade } from "../severity.ts";

/** The layout of one tool, or of a family that prints alike. */
export interface Recogniser {
  readonly name: string;
  /** A row that opens a block of evidence: the title of a failed test, a diagnostic. */
  readonly opens?: RegExp | undefined;
  /** Whether a row that `opens` is a title: the message is the first telling row below it. */
  readonly titled?: boolean | undefined;
  /** Whether what a row that `opens` is about may also stand set in above it, as it always may of a title. */
  readonly footed?: boolean | undefined;
  /** A title with nothing below it that is its own message, not one of a list. */
  readonly alone?: RegExp | undefined;
  /** Whether the block goes on until `closes`, whatever its indentation; true of titled ones anyway. */
  readonly section?: boolean | undefined;
  /** The row of a titled block that is its message, where that is not simply the first. */
  readonly says?: RegExp | undefined;
  /** Whether its rows repeat in short what other blocks tell. */
  readonly repeats?: boolean | undefined;
  /** The grade of a row that `opens`; explicit by default. */
  readonly grade?: Grade | undefined;
  /** The first row behind the block. Without it the block ends where its indentation does. */
  readonly closes?: RegExp | undefined;
  /** Rows of a block that are its core, besides those the general rules know. */
  readonly core?: RegExp | undefined;
  /** A row of a block below which another stack begins: of that, too, the first own frame is its core. */
  readonly restarts?: RegExp | undefined;
  /** Rows of a block that are never shown. */
  readonly drops?: RegExp | undefined;
  /** A row above that tells what a block belongs to. */
  readonly heading?: RegExp | undefined;
  /** A row below a message about a header or a package that tells where it is used. */
  readonly uses?: RegExp | undefined;
  /** Rows that look like evidence and are not. */
  readonly harmless?: RegExp | undefined;
  /** A part of the log that is about nothing that failed, from the row that begins so to the one that follows it. */
  readonly aside?: { readonly begins: string; readonly closes: RegExp } | undefined;
  /** Rows that follow from another failure. */
  readonly follows?: RegExp | undefined;
  /** Rows that tell what the run came to. */
  readonly outcome?: RegExp | undefined;
  /** What blocks must share to be one group; the shape of the message by default. */
  readonly rule?: RegExp | undefined;
  /** Turns a row into what a reader is meant to see; null leaves it out. */
  readonly unwrap?: { readonly when: RegExp; readonly into: (row: string) => string | null } | undefined;
}

/**
 * The same with every property there, in one order. Whoever asks many rows of many recognisers is much faster when
 * the engine finds a property at one place in all of them.
 */
export function inOneForm(layout: Recogniser): Recogniser {
  const { name, opens, titled, footed, alone, section, says, repeats, grade, closes } = layout;
  const { core, restarts, drops, heading, uses, harmless, aside, follows, outcome, rule, unwrap } = layout;
  return {
    name,
    opens,
    titled,
    footed,
    alone,
    section,
    says,
    repeats,
    grade,
    closes,
    core,
    restarts,
    drops,
    heading,
    uses,
    harmless,
    aside,
    follows,
    outcome,
    rule,
    unwrap,
  } satisfies Record<keyof Recogniser, unknown>;
}
