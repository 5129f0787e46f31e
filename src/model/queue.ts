/** The queue of heavy commands as callers see it (contract §3). */

/** One that runs. */
export interface QueueRunning {
  /** The run's id. */
  readonly id: string;
  /** The session's id. */
  readonly session: string;
  readonly command: string;
  /** When it took its ticket: ISO 8601. */
  readonly since: string;
}

/** One that waits. */
export interface QueueWaiting extends QueueRunning {
  /** From 1. */
  readonly position: number;
}

/** Who runs and who waits, on this machine, for this user. */
export interface QueueView {
  readonly limit: number;
  readonly running: readonly QueueRunning[];
  readonly waiting: readonly QueueWaiting[];
  /** Why admission is paused, or why there is no queue; null when it is open. */
  readonly paused: string | null;
}

/** The queue changed. */
export interface QueueEvent {
  /** The host that tells. */
  readonly pid: number;
  readonly running: number;
  readonly queued: number;
  readonly limit: number;
}
