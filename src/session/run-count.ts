/** How many runs a session has on record, without asking its host: a list of sessions wakes none of them. */
import { runStore } from "../os/index.ts";
import type { SessionPlace } from "./session-dir.ts";

/** The number of runs and sequences of a session; stages stand inside their sequence. */
export function countRuns(place: SessionPlace): number {
  return runStore(place.dir)
    .load()
    .runs.filter(({ record }) => record.parent === null).length;
}
