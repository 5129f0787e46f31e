/**
 * The table of settings: each key with its default, its bounds, its variable and its meaning. The
 * resolution, the JSON Schema for editors and the documentation are all made from it, so they agree.
 */

/** One numeric setting. */
export interface NumberSpec {
  readonly unit: "bytes" | "ms" | "count" | "ratio";
  readonly default: number;
  /** Both bounds are inclusive. */
  readonly min: number;
  readonly max: number;
  /** Its environment variable, or null. */
  readonly env: string | null;
  /** Whether a project file or a pragma may set it. */
  readonly inFiles: boolean;
  readonly meaning: string;
}

/** One setting that is a list of strings. Lists of several layers are joined. */
export interface ListSpec {
  readonly maxEntries: number;
  /** The longest entry, in UTF-16 units. */
  readonly maxLength: number;
  readonly meaning: string;
}

/** One setting that is on or off. */
export interface FlagSpec {
  readonly default: boolean;
  readonly env: string;
  readonly meaning: string;
}

const MINUTE = 60_000;
const HOUR: number = 60 * MINUTE;
const DAY: number = 24 * HOUR;
const KIB = 1024;
const MIB: number = KIB ** 2;
const GIB: number = KIB ** 3;
const TIB: number = KIB ** 4;

/** The keys of the numeric settings. */
export type NumberKey =
  | "maxResultBytes"
  | "maxResultLines"
  | "maxResultTokens"
  | "successMaxResultBytes"
  | "successMaxResultLines"
  | "successMaxResultTokens"
  | "headRatio"
  | "errorMaxEntries"
  | "errorMaxVariantsJoined"
  | "errorBudgetRatio"
  | "promoteAfterMs"
  | "logMaxBytes"
  | "logTtlMs"
  | "maxHeavyJobs";

/** The keys of the lists. */
export type ListKey = "errorPatterns" | "heavyCommands" | "lightCommands";

/** The keys of the switches. */
export type FlagKey = "redact";

/** The numeric settings. */
export const NUMBER_SETTINGS: Readonly<Record<NumberKey, NumberSpec>> = {
  maxResultBytes: {
    unit: "bytes",
    default: 8 * KIB,
    min: 256,
    max: MIB,
    env: "PROCTOR_RESULT_MAX_BYTES",
    inFiles: true,
    meaning: "The most bytes (UTF-8) of a log that are returned when the run failed.",
  },
  maxResultLines: {
    unit: "count",
    default: 120,
    min: 5,
    max: 5000,
    env: "PROCTOR_RESULT_MAX_LINES",
    inFiles: true,
    meaning: "The most lines of a log that are returned when the run failed.",
  },
  maxResultTokens: {
    unit: "count",
    default: 2048,
    min: 64,
    max: 100_000,
    env: "PROCTOR_RESULT_MAX_TOKENS",
    inFiles: true,
    meaning: "The most tokens (estimated) of a log that are returned when the run failed.",
  },
  successMaxResultBytes: {
    unit: "bytes",
    default: 2 * KIB,
    min: 256,
    max: MIB,
    env: "PROCTOR_SUCCESS_RESULT_MAX_BYTES",
    inFiles: true,
    meaning: "The most bytes (UTF-8) of a log that are returned when the run ended with exit code 0.",
  },
  successMaxResultLines: {
    unit: "count",
    default: 120,
    min: 5,
    max: 5000,
    env: "PROCTOR_SUCCESS_RESULT_MAX_LINES",
    inFiles: true,
    meaning: "The most lines of a log that are returned when the run ended with exit code 0.",
  },
  successMaxResultTokens: {
    unit: "count",
    default: 512,
    min: 64,
    max: 100_000,
    env: "PROCTOR_SUCCESS_RESULT_MAX_TOKENS",
    inFiles: true,
    meaning: "The most tokens (estimated) of a log that are returned when the run ended with exit code 0.",
  },
  headRatio: {
    unit: "ratio",
    default: 0.2,
    min: 0,
    max: 1,
    env: null,
    inFiles: true,
    meaning: "The share of the log's beginning in what is shown of lines that no rule chose; the rest is its end.",
  },
  errorMaxEntries: {
    unit: "count",
    default: 10,
    min: 0,
    max: 100,
    env: null,
    inFiles: true,
    meaning: "The most distinct causes that are shown.",
  },
  errorMaxVariantsJoined: {
    unit: "count",
    default: 6,
    min: 1,
    max: 50,
    env: null,
    inFiles: true,
    meaning: "The most variants that are joined into one line, [a|b|c], where lines have one shape.",
  },
  errorBudgetRatio: {
    unit: "ratio",
    default: 0.5,
    min: 0,
    max: 1,
    env: null,
    inFiles: true,
    meaning: "The share of the ceilings that is kept for causes before anything else is shown.",
  },
  promoteAfterMs: {
    unit: "ms",
    default: MINUTE,
    min: 0,
    max: DAY,
    env: "PROCTOR_PROMOTE_AFTER_MS",
    inFiles: true,
    meaning: "How long a command stays in the foreground before it goes on in the background; 0 is at once.",
  },
  logMaxBytes: {
    unit: "bytes",
    default: GIB,
    min: 64 * KIB,
    max: TIB,
    env: "PROCTOR_LOG_MAX_BYTES",
    inFiles: true,
    meaning: "The cap on the log of one run.",
  },
  logTtlMs: {
    unit: "ms",
    default: DAY,
    min: MINUTE,
    max: 30 * DAY,
    env: "PROCTOR_LOG_TTL_MS",
    inFiles: true,
    meaning: "How long the log of an ended run is kept while its session lives.",
  },
  maxHeavyJobs: {
    unit: "count",
    default: 2,
    min: 1,
    max: 64,
    env: "PROCTOR_MAX_HEAVY_JOBS",
    inFiles: false,
    meaning: "How many heavy commands of all sessions run at once. It belongs to the machine, so no file sets it.",
  },
};

/** The lists. */
export const LIST_SETTINGS: Readonly<Record<ListKey, ListSpec>> = {
  errorPatterns: {
    maxEntries: 100,
    maxLength: 1000,
    meaning: "Regular expressions (RE2 syntax) of lines that matter, in addition to what is known already.",
  },
  heavyCommands: {
    maxEntries: 100,
    maxLength: 200,
    meaning: 'Commands that wait for a slot of the queue, by their first words: "just build".',
  },
  lightCommands: {
    maxEntries: 100,
    maxLength: 200,
    meaning:
      "Commands that never wait for a slot, by their first words; they win over heavyCommands and what is known.",
  },
};

/** The switches. */
export const FLAG_SETTINGS: Readonly<Record<FlagKey, FlagSpec>> = {
  redact: {
    default: true,
    env: "PROCTOR_REDACT",
    meaning: "Whether known forms of secrets are masked in excerpts. The log itself is never changed.",
  },
};
