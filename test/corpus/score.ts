/**
 * Scores an excerpt function on logs whose needed lines were marked by hand: how many of them it shows,
 * and for how many true o200k tokens. A needle is found when its text, or one of its alternatives, stands
 * in the excerpt once both are freed of control sequences and of differences in white space.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** What an engineer needs to read in a log. */
export interface Needle {
  readonly text: string;
  /** Without a primary one the fault cannot be fixed; a secondary one helps. */
  readonly kind: "primary" | "secondary";
  /** Other spellings; of an inner list all parts must be there. */
  readonly alts?: readonly (string | readonly string[])[];
}

/** A log with its marks. */
export interface MarkedLog {
  readonly id: string;
  readonly family: string;
  readonly exit: number;
  readonly command: string;
  readonly needles: readonly Needle[];
  /** Harmless lines that look like errors. */
  readonly decoys: readonly string[];
  readonly bytes: Buffer;
}

/** How one excerpt did. */
export interface Score {
  readonly id: string;
  readonly family: string;
  readonly failed: boolean;
  /** Longer than 2,048 tokens. */
  readonly long: boolean;
  readonly tokens: number;
  /** The share of primary needles that were found, 0 to 1. */
  readonly primary: number;
  readonly decoys: number;
  readonly decoysOf: number;
  readonly missed: readonly string[];
}

interface Meta {
  readonly id: string;
  readonly family: string;
  readonly exit: number;
  readonly command: string;
  readonly needles: readonly Needle[];
  readonly decoys?: readonly string[];
}

/** Loads the logs of one set, `shared` or `own`. */
export function loadCorpus(set: "shared" | "own"): MarkedLog[] {
  const root = join(import.meta.dirname, set);
  return readdirSync(root)
    .toSorted()
    .map((id) => {
      const meta: Meta = JSON.parse(readFileSync(join(root, id, "meta.json"), "utf8"));
      const path = join(root, id, "log.txt");
      const bytes = existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
      return {
        id,
        family: meta.family,
        exit: meta.exit,
        command: meta.command,
        needles: meta.needles,
        decoys: meta.decoys ?? [],
        bytes,
      };
    });
}

// No token of o200k holds a line feed and the letter or digit behind it.
const APART = /(?<=\n)(?=[A-Za-z\d])/;
const MOST_COUNTED = 300_000;
const counted = new Map<string, number>();

/**
 * The o200k tokens of a text. Counted in parts that share no token: one huge text costs quadratic time, and ways to
 * show a log show the same lines.
 */
export function countTokens(text: string): number {
  let tokens = 0;
  for (const part of text.split(APART)) {
    let count = counted.get(part);
    if (count === undefined) {
      count = encode(part, { disallowedSpecial: new Set() }).length;
      if (counted.size < MOST_COUNTED) counted.set(part, count);
    }
    tokens += count;
  }
  return tokens;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject.
const ANSI = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;

function plain(text: string): string {
  return text.replace(ANSI, "").replace(/[\s\u00a0\b]+/g, " ");
}

function isFound(text: string, needle: Needle): boolean {
  return [needle.text, ...(needle.alts ?? [])].some((alternative) =>
    (typeof alternative === "string" ? [alternative] : alternative).every((part) => text.includes(plain(part).trim())),
  );
}

/** Scores one excerpt of a log. */
export function score(log: MarkedLog, excerpt: string): Score {
  const seen = plain(excerpt);
  const primary = log.needles.filter((needle) => needle.kind === "primary");
  const raw = log.bytes.toString("utf8");
  return {
    id: log.id,
    family: log.family,
    failed: log.exit !== 0,
    long: raw.length > 2048 && countTokens(raw.slice(0, 100_000)) > 2048,
    tokens: countTokens(excerpt),
    primary: primary.filter((needle) => isFound(seen, needle)).length / primary.length,
    decoys: log.decoys.filter((decoy) => seen.includes(plain(decoy).trim())).length,
    decoysOf: log.decoys.length,
    missed: log.needles.filter((needle) => !isFound(seen, needle)).map((needle) => `${needle.kind}: ${needle.text}`),
  };
}

/** Means over scores: recall 0 to 1, tokens, decoys. */
export function summary(scores: readonly Score[]): {
  logs: number;
  primary: number;
  tokens: number;
  decoys: number;
  decoysOf: number;
} {
  const mean = (of: (score: Score) => number) =>
    scores.reduce((sum, one) => sum + of(one), 0) / Math.max(1, scores.length);
  const sum = (of: (score: Score) => number) => scores.reduce((total, one) => total + of(one), 0);
  return {
    logs: scores.length,
    primary: mean((one) => one.primary),
    tokens: mean((one) => one.tokens),
    decoys: sum((one) => one.decoys),
    decoysOf: sum((one) => one.decoysOf),
  };
}
