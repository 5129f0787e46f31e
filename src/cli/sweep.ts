/**
 * What dead sessions left is cleaned up by whoever calls next, without waiting for it: a look at the
 * registry, and only when something was abandoned a process of its own that does the work.
 */
import { abandonedSessions } from "../session/access.ts";

/** Starts the clean-up where there is something to clean up; never fails the call that it is a part of. */
export async function sweepInBackground(): Promise<void> {
  try {
    if (abandonedSessions().length === 0) return;
    const { startSweep } = await import("./sweep-start.ts");
    startSweep();
  } catch {
    // A registry that can't be read or a process that can't be started: the next call tries again.
  }
}
