/**
 * Who serves a session: at most one living host. The lock is the link `host.N` with the highest N; it
 * names its holder by pid, start time and boot. A lock whose holder is dead is never removed by the next
 * holder but outnumbered: `host.N+1` is made by exactly one of those who try at once.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity } from "../model/index.ts";
import type { ProcessTable } from "../ports/index.ts";
import { nameProcess, namedProcess } from "./identity-link.ts";

const LOCK = /^host\.(\d+)$/;
/** How many outnumbered locks are removed at a time: more never pile up unless removing fails. */
const OLD_LOCKS = 8;

function newest(dir: string): number {
  let highest = 0;
  for (const name of readdirSync(dir)) highest = Math.max(highest, Number(LOCK.exec(name)?.[1] ?? 0));
  return highest;
}

function lockPath(dir: string, generation: number): string {
  return join(dir, `host.${generation}`);
}

/** The living host of a session, or null. */
export function currentHost(dir: string, table: ProcessTable): ProcessIdentity | null {
  const generation = newest(dir);
  const holder = generation === 0 ? null : namedProcess(lockPath(dir, generation));
  return holder !== null && table.isAlive(holder) ? holder : null;
}

/** Becomes the host; false when another process is, and lives. */
export function becomeHost(dir: string, self: ProcessIdentity, table: ProcessTable): boolean {
  for (;;) {
    const generation = newest(dir);
    const holder = generation === 0 ? null : namedProcess(lockPath(dir, generation));
    if (holder !== null && table.isAlive(holder)) return false;
    if (!nameProcess(lockPath(dir, generation + 1), self)) continue; // another was faster: look who it is
    // One that slept between looking and naming may have taken a number that was long outnumbered.
    if (newest(dir) !== generation + 1) {
      rmSync(lockPath(dir, generation + 1), { force: true });
      continue;
    }
    for (let old = generation; old > 0 && old > generation - OLD_LOCKS; old--)
      rmSync(lockPath(dir, old), { force: true });
    return true;
  }
}
