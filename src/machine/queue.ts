/**
 * The queue of heavy commands as pure functions over a listing of its tickets.
 *
 * There are no slots to take or to lose: the first `limit` living tickets, in the order of their numbers,
 * are the ones that may run. A ticket's number is never below one that existed before it, so the tickets in
 * front of another only become fewer, and what may run once may run until it leaves.
 */

/** One ticket as a listing shows it. */
export interface QueueEntry {
  /** Its place: lower numbers go first. */
  readonly number: number;
  /** A living process stands for it: the host that waits with it, or the launcher that runs with it. */
  readonly isLive: boolean;
  /** A launcher holds it: its command was started, or is about to be. */
  readonly isHeld: boolean;
}

/** Where a living ticket stands. */
export interface Standing {
  readonly number: number;
  readonly isRunning: boolean;
  /** 1-based among those that wait; null for those that run. */
  readonly position: number | null;
}

/** What the holder of a ticket is to do. */
export type Admission =
  /** Start. */
  | { readonly kind: "admitted" }
  /** Tickets of dead processes are in the way: remove them, then look again. */
  | { readonly kind: "reap"; readonly numbers: readonly number[] }
  | { readonly kind: "waiting"; readonly position: number }
  /** The ticket is not in the queue (any more). */
  | { readonly kind: "gone" };

/** The most that may wait; whoever comes next is refused at once. */
export const MAX_WAITING = 128;

function inOrder(entries: readonly QueueEntry[]): readonly QueueEntry[] {
  return entries.toSorted((a, b) => a.number - b.number);
}

/**
 * The living tickets in order: who runs, and who waits where. While admission is paused only those run that
 * a launcher holds already.
 */
export function standings(entries: readonly QueueEntry[], limit: number, isPaused: boolean): readonly Standing[] {
  let waiting = 0;
  return inOrder(entries)
    .filter((entry) => entry.isLive)
    .map(({ number, isHeld }, rank) => {
      const isRunning = isHeld || (rank < limit && !isPaused);
      return { number, isRunning, position: isRunning ? null : ++waiting };
    });
}

/**
 * What the holder of ticket `mine` is to do. Admission that is paused lets one through when nothing runs:
 * pressure that others cause must not stop the queue for good.
 */
export function admission(entries: readonly QueueEntry[], mine: number, limit: number, isPaused: boolean): Admission {
  if (!entries.some(({ number }) => number === mine)) return { kind: "gone" };
  const before = inOrder(entries).filter(({ number }) => number < mine);
  const living = before.filter((entry) => entry.isLive);
  const mayPass = living.length < limit && (!isPaused || living.length === 0);
  if (!mayPass) {
    const own = standings(entries, limit, isPaused).find(({ number }) => number === mine);
    return { kind: "waiting", position: own?.position ?? 1 };
  }
  // A dead ticket is not stepped over: only its removal decides that its launcher can't start any more.
  if (before.length > living.length && before.length >= limit) {
    return { kind: "reap", numbers: before.filter((entry) => !entry.isLive).map(({ number }) => number) };
  }
  return { kind: "admitted" };
}

/**
 * The number of the next ticket: above every one that is there. The clock is a floor, so that a number is
 * not used again after the queue was empty; nothing but readability depends on it.
 */
export function nextTicket(numbers: readonly number[], wallMs: number): number {
  return Math.max(0, Math.floor(wallMs), ...numbers.map((number) => number + 1));
}

/**
 * Whether a ticket that was just made counts: one that slept between looking and making may have taken a
 * number in front of others, and must draw again.
 */
export function isInOrder(numbers: readonly number[], mine: number): boolean {
  return numbers.every((number) => number <= mine);
}

/** Shares of the last ten seconds in which tasks stood still, in percent (kernel: Documentation/accounting/psi.rst). */
export interface PressureSample {
  /** At least one task waited for memory. */
  readonly memorySome: number;
  /** All tasks that could run waited for I/O. */
  readonly ioFull: number;
}

/** Why admission is paused. */
export interface Pause {
  readonly resource: "memory" | "io";
  readonly percent: number;
}

/** Admission pauses at the first number and goes on below the second: between them it stays as it is. */
const MEMORY_BAND = { high: 20, low: 10 } as const;
const IO_BAND = { high: 40, low: 20 } as const;

/** The next state of admission: null is open. A system without pressure files (no sample) never pauses. */
export function stepPressure(pause: Pause | null, sample: PressureSample | null): Pause | null {
  if (sample === null) return null;
  const isOver = (
    resource: Pause["resource"],
    percent: number,
    band: { readonly high: number; readonly low: number },
  ): boolean => percent >= (pause?.resource === resource ? band.low : band.high);
  if (isOver("memory", sample.memorySome, MEMORY_BAND)) return { resource: "memory", percent: sample.memorySome };
  if (isOver("io", sample.ioFull, IO_BAND)) return { resource: "io", percent: sample.ioFull };
  return null;
}
