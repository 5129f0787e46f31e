/** The seam for time. Intervals are monotonic; the wall clock is for people only. */

/** A timer that can be cancelled any number of times. */
export interface Timer {
  cancel(): void;
}

/** Time, so that it can be a test's. */
export interface Clock {
  /** Milliseconds on a clock that never jumps (CLOCK_MONOTONIC). */
  mono(): number;
  /** Milliseconds since the epoch, as people read time. */
  wall(): number;
  /** Milliseconds since the system was started, sleep included (CLOCK_BOOTTIME): the same for every process. */
  boot(): number;
  /** Calls `fire` once, `ms` from now, however large `ms` is (setTimeout(3) wraps at 2^31 - 1). */
  after(ms: number, fire: () => void): Timer;
}
