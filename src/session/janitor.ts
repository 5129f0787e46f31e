/**
 * What dead sessions left: after a power loss, or when owner, host and guardian were all killed, the next
 * proctor that starts finds it in the registry, stops what lives and removes what lies there.
 */
import { sweepCgroups } from "../os/cgroups.ts";
import { processTable } from "../os/process-table.ts";
import { currentHost } from "./host-lock.ts";
import { SessionClient } from "./session-client.ts";
import { registeredSessions } from "./session-dir.ts";
import type { SessionPlace } from "./session-dir.ts";

/** Registered sessions whose owner is dead and that nobody serves. */
export function abandonedSessions(): SessionPlace[] {
  const table = processTable();
  return registeredSessions().filter(({ dir, record }) => {
    if (record.owner === null || table.isAlive(record.owner)) return false;
    return currentHost(dir, table) === null;
  });
}

/**
 * Starts a host for each abandoned session: finding the owner dead, it ends the session. Removes the control groups
 * of those that had no host left to do it.
 */
export async function sweepAbandoned(report: (error: unknown) => void): Promise<number> {
  const places = abandonedSessions();
  for (const place of places) {
    const client = new SessionClient(place, { lease: null, start: true });
    try {
      await client.open();
    } catch (error) {
      report(error);
    } finally {
      client.close();
    }
  }
  sweepCgroups();
  return places.length;
}
