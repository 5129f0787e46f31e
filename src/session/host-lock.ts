/**
 * Who serves a session: at most one living host. The lock is the file `host.N` with the highest N; it
 * names its holder by pid, start time and boot. A lock whose holder is dead is never removed by the next
 * holder but outnumbered: link(2) gives `host.N+1` to exactly one of those who try at once.
 */
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";
import { writeNewFile } from "../os/index.ts";
import type { ProcessTable } from "../ports/index.ts";

const LOCK = /^host\.(\d+)$/;

function newest(dir: string): number {
  let highest = 0;
  for (const name of readdirSync(dir)) highest = Math.max(highest, Number(LOCK.exec(name)?.[1] ?? 0));
  return highest;
}

function readHolder(dir: string, generation: number): ProcessIdentity | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(dir, `host.${generation}`), "utf8"));
    if (typeof value === "object" && value !== null && "pid" in value && "start" in value && "boot" in value) return value as ProcessIdentity;
    return null;
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The living host of a session, or null. */
export function currentHost(dir: string, table: ProcessTable): ProcessIdentity | null {
  const generation = newest(dir);
  const holder = generation === 0 ? null : readHolder(dir, generation);
  return holder !== null && table.isAlive(holder) ? holder : null;
}

/** Becomes the host; gives null when another process is, and lives. */
export function becomeHost(dir: string, self: ProcessIdentity, table: ProcessTable): { generation: number } | null {
  const temporary = join(dir, `host.${process.pid}.${randomBytes(4).toString("hex")}.tmp`);
  try {
    writeNewFile(temporary, JSON.stringify(self));
    for (;;) {
      const generation = newest(dir);
      const holder = generation === 0 ? null : readHolder(dir, generation);
      if (holder !== null && table.isAlive(holder)) return null;
      try {
        linkSync(temporary, join(dir, `host.${generation + 1}`));
      } catch (error) {
        if (errnoOf(error) === "EEXIST") continue; // another was faster: look who it is
        throw error;
      }
      // One that slept between looking and linking may have taken a number that was long outnumbered.
      if (newest(dir) !== generation + 1) {
        rmSync(join(dir, `host.${generation + 1}`), { force: true });
        continue;
      }
      for (let old = generation; old > 0 && old > generation - 8; old--) rmSync(join(dir, `host.${old}`), { force: true });
      return { generation: generation + 1 };
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}
