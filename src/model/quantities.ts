/**
 * Durations and sizes as people and models write them. What can't be meant is refused, naming the
 * field, the value and what is accepted: a model that writes milliseconds where seconds are meant
 * has to learn it at once, not after a day.
 */
import { ProctorError } from "./errors.ts";

/** The longest duration that is accepted: 24 hours, in milliseconds. */
export const MAX_DURATION_MS: number = 24 * 60 * 60 * 1000;

const DURATION_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, "": 1000, m: 60_000, h: 3_600_000 };
const SIZE_UNITS: Readonly<Record<string, number>> = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** Whether zero stands for something in a field (`--promote-after 0` is the background). */
export interface DurationOptions {
  /** Accept 0; without it the duration must be longer than 0. */
  readonly zero?: boolean;
}

/**
 * Reads `500ms`, `60s`, `5m`, `2h` or a bare number of seconds; gives milliseconds.
 *
 * @throws ProctorError `ERR_INPUT_DURATION`, naming `field` and the value.
 */
export function parseDuration(text: string, field: string, options: DurationOptions = {}): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  const unit = match === null ? undefined : DURATION_UNITS[match[2] ?? ""];
  if (match === null || unit === undefined) {
    throw badDuration(text, field, `is not a duration`, options);
  }
  return checkDurationMs(Number(match[1]) * unit, text, field, options);
}

/**
 * Checks a number of seconds, as MCP callers give it; gives milliseconds.
 *
 * @throws ProctorError `ERR_INPUT_DURATION`.
 */
export function durationFromSeconds(seconds: number, field: string, options: DurationOptions = {}): number {
  return checkDurationMs(seconds * 1000, String(seconds), field, options);
}

/** Checks a duration that is in milliseconds already; `shown` is the value as the caller wrote it. */
export function checkDurationMs(ms: number, shown: string, field: string, options: DurationOptions = {}): number {
  if (!Number.isFinite(ms)) throw badDuration(shown, field, "is not a duration", options);
  if (ms < 0 || (ms === 0 && options.zero !== true)) throw badDuration(shown, field, "is too short", options);
  if (ms > MAX_DURATION_MS) throw badDuration(shown, field, "is longer than 24 h", options);
  return Math.max(ms === 0 ? 0 : 1, Math.round(ms));
}

function badDuration(value: string, field: string, what: string, options: DurationOptions): ProctorError {
  return new ProctorError(
    "ERR_INPUT_DURATION",
    `${field}: "${cut(value)}" ${what}. Accepted: a number with a unit (500ms, 60s, 5m, 2h) or a bare number of seconds, ` +
      `${options.zero === true ? "from 0" : "more than 0"} up to 24h.`,
    { details: { field, value: cut(value) } },
  );
}

/**
 * Reads a size: a number with an optional K, M, G or T (powers of 1024); gives bytes.
 *
 * @throws ProctorError `ERR_INPUT_SIZE`, naming `field` and the value.
 */
export function parseSize(text: string, field: string, bounds: { min?: number; max?: number } = {}): number {
  const match = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text.trim());
  const unit = match === null ? undefined : SIZE_UNITS[match[2] ?? ""];
  const bytes = match === null || unit === undefined ? Number.NaN : Math.round(Number(match[1]) * unit);
  const min = bounds.min ?? 1;
  const max = bounds.max ?? Number.MAX_SAFE_INTEGER;
  if (!Number.isFinite(bytes) || bytes < min || bytes > max) {
    throw new ProctorError(
      "ERR_INPUT_SIZE",
      `${field}: "${cut(text)}" is not a size that can be used. Accepted: a number of bytes with an optional K, M, G or T ` +
        `(powers of 1024), from ${sizeLiteral(min)}${bounds.max === undefined ? "" : ` to ${sizeLiteral(max)}`}.`,
      { details: { field, value: cut(text) } },
    );
  }
  return bytes;
}

/**
 * Reads a whole number within bounds.
 *
 * @throws ProctorError `ERR_INPUT_NUMBER`, naming `field` and the value.
 */
export function parseCount(text: string, field: string, bounds: { min: number; max: number }): number {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!(value >= bounds.min && value <= bounds.max)) {
    throw new ProctorError(
      "ERR_INPUT_NUMBER",
      `${field}: "${cut(text)}" can't be used. Accepted: a whole number from ${bounds.min} to ${bounds.max}.`,
      { details: { field, value: cut(text) } },
    );
  }
  return value;
}

/** A size in the syntax that `parseSize` reads, so that what a message names as accepted can be typed. */
function sizeLiteral(bytes: number): string {
  for (const unit of ["T", "G", "M", "K"]) {
    const factor = SIZE_UNITS[unit];
    if (factor !== undefined && bytes >= factor && bytes % factor === 0) return `${bytes / factor}${unit}`;
  }
  return String(bytes);
}

const MAX_SHOWN_VALUE = 80;

/** What the caller wrote, short enough for a message. */
function cut(text: string): string {
  return text.length <= MAX_SHOWN_VALUE ? text : `${text.slice(0, MAX_SHOWN_VALUE).toWellFormed()}…`;
}

/** A size for people: `21 B`, `4.0 KiB`, `600.3 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes;
  for (const unit of ["KiB", "MiB", "GiB"]) {
    value /= 1024;
    // Rounded first: 1,048,575 bytes are 1.0 MiB, not 1024.0 KiB.
    if (Math.round(value * 10) < 10_240) return `${value.toFixed(1)} ${unit}`;
  }
  return `${(value / 1024).toFixed(1)} TiB`;
}

/** A duration for people: `820 ms`, `4.2 s`, `3 min 5 s`, `2 h 0 min`. */
export function formatDuration(ms: number): string {
  // Rounded first, so that 999.6 ms is a second and 59.96 s is a minute.
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  if (Math.round(ms / 100) < 600) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
