/** The interface of the excerpt: what it is given and what it gives back. */

/** The bytes of a log. They may grow, shrink or vanish while they are read. */
export interface ByteSource {
  /** The number of bytes now. */
  size(): Promise<number>;
  /** Reads up to `length` bytes at `offset` into a buffer that the caller may keep until its next read; empty at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Ceilings, not targets. Bytes are of UTF-8, tokens are estimated. */
export interface ExcerptLimits {
  readonly maxBytes: number;
  readonly maxLines: number;
  readonly maxTokens: number;
}

/** Ceilings for a run that failed, or whose end is not known (contract §7). */
export const FAILURE_LIMITS: ExcerptLimits = { maxBytes: 8192, maxLines: 120, maxTokens: 2048 };
/** Ceilings for a run that succeeded (contract §7). */
export const SUCCESS_LIMITS: ExcerptLimits = { maxBytes: 2048, maxLines: 120, maxTokens: 512 };

/** Anything that can tell whether a line matches; a `RegExp` without the flags `g` and `y` can. */
export interface LinePattern {
  test(line: string): boolean;
  /**
   * Whether any line of these bytes may match: true where one does, and false for most where none does.
   * Without it a log of more than 4 MiB is tried line by line, which is slow.
   */
  mayMatch?(lines: Uint8Array): boolean;
}

/** What is known about the run, and how much may be said. */
export interface ExcerptRequest {
  /** Shell convention; null while it runs or when it is not known: treated like a failure. */
  readonly exitCode: number | null;
  readonly command: string | null;
  readonly limits: ExcerptLimits;
  /** The head's share of what no rule chose, 0 to 1. */
  readonly headRatio: number;
  /** A line that one of these matches is an error, whatever it looks like. Every line is tried, as it is printed; of a line of more than 1,200 characters the first 1,000 and the last 200. */
  readonly errorPatterns?: readonly LinePattern[];
  /** How many distinct errors are shown at most, 0 to 100. Default 10. */
  readonly errorMaxEntries?: number;
  /** How many variants of one message are joined as `[a|b|c]`, 1 to 50. Default 6. */
  readonly errorMaxVariantsJoined?: number;
  /** The share of the ceilings that errors may take before head and tail have theirs, 0 to 1. Default 0.5. */
  readonly errorBudgetRatio?: number;
  /** Masks secrets in the finished text; keeps its line feeds. Default: the text as it is. */
  readonly mask?: (text: string) => string;
}

/** One range of the log that is shown, and why. Bytes; `to` is exclusive. Lines are 1-based, both inclusive. */
export interface ExcerptRange {
  readonly from: number;
  readonly to: number;
  readonly fromLine: number;
  readonly toLine: number;
  readonly why: string;
  /** How many like it this range stands for; 1 when only for itself. */
  readonly count: number;
}

/** The chosen text and the account of the choice. */
export interface Excerpt {
  /** Valid UTF-8 when encoded, no control characters but \n and \t, never above the limits. */
  readonly text: string;
  readonly truncated: boolean;
  readonly totalBytes: number;
  /** Lines of the log; an unterminated last line counts. */
  readonly totalLines: number;
  /** Lines of the log that stand in the text. */
  readonly shownLines: number;
  /** The estimated tokens of the text. */
  readonly tokens: number;
  readonly ranges: readonly ExcerptRange[];
  /** Why the log could not be read to its end; null when it was. */
  readonly unread: string | null;
}
