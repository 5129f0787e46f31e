/**
 * Which logs of ended runs go, as a pure function. Records stay as long as their session; only the bytes of
 * logs are given up, the oldest first, and never those of a run whose path a caller was given lately.
 */

/** The log of one ended run. Times are milliseconds on one clock. */
export interface KeptLog {
  readonly id: string;
  readonly bytes: number;
  readonly endedAt: number;
  /** When a caller was last told of it; null: never. */
  readonly givenAt: number | null;
  /** Something still needs it: processes that may write to it, a completion that was not admitted. */
  readonly isNeeded: boolean;
}

/** What is kept. */
export interface RetentionLimits {
  readonly ttlMs: number;
  readonly totalBytes: number;
}

/** A log that goes, and why. */
export interface ExpiredLog {
  readonly id: string;
  readonly bytes: number;
  readonly why: "age" | "size";
}

/** A path that a caller was given stays good for this long, in milliseconds. */
export const GIVEN_MS: number = 60 * 60_000;

/** The logs that go now, oldest first. */
export function expiredLogs(logs: readonly KeptLog[], now: number, limits: RetentionLimits): readonly ExpiredLog[] {
  const expired: ExpiredLog[] = [];
  let total = logs.reduce((sum, log) => sum + log.bytes, 0);
  for (const log of logs.toSorted((a, b) => a.endedAt - b.endedAt)) {
    if (log.bytes === 0 || log.isNeeded || (log.givenAt !== null && now - log.givenAt < GIVEN_MS)) continue;
    const isOld = now - log.endedAt >= limits.ttlMs;
    if (!isOld && total <= limits.totalBytes) continue;
    expired.push({ id: log.id, bytes: log.bytes, why: isOld ? "age" : "size" });
    total -= log.bytes;
  }
  return expired;
}
