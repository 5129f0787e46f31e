/** The queue as anybody of this user sees it: read from the directory, without asking a host. */
import { watch } from "node:fs";
import { errnoOf } from "../model/index.ts";
import type { QueueRunning, QueueView, QueueWaiting } from "../model/index.ts";
import { standings, stepPressure } from "../machine/index.ts";
import { processTable, readPressure, runStore } from "../os/index.ts";
import { pauseText } from "./heavy-queue.ts";
import { QueueDirectory } from "./queue-directory.ts";
import type { Claim } from "./queue-directory.ts";
import { maxHeavyJobs } from "./queue-limit.ts";
import { registeredSessions, stateHome } from "./session-dir.ts";

/** How often a queue that is watched is looked at besides its changes, in milliseconds. */
const LOOK_MS = 500;

/** The commands of runs, from their sessions' records. */
class CommandLookup {
  #dirs: ReadonlyMap<string, string> | null = null;

  of(claim: Claim): string {
    this.#dirs ??= new Map(registeredSessions().map(({ dir, record }) => [record.id, dir]));
    const dir = this.#dirs.get(claim.session);
    if (dir === undefined) return "";
    return runStore(dir).find(claim.run)?.commands[0] ?? "";
  }
}

/** Who runs and who waits now. `limit` is that of `env`. */
export function queueView(env: NodeJS.ProcessEnv = process.env): QueueView {
  const limit = maxHeavyJobs(env);
  const home = stateHome(env);
  const directory = new QueueDirectory(home, processTable());
  try {
    const off = directory.open(home);
    if (off !== null) return { limit, running: [], waiting: [], paused: `the queue is off: ${off}` };
    const places = directory.list();
    const pause = stepPressure(null, readPressure());
    const byNumber = new Map(places.map((place) => [place.number, place.tickets]));
    const commands = new CommandLookup();
    const running: QueueRunning[] = [];
    const waiting: QueueWaiting[] = [];
    for (const { number, position } of standings(places, limit, pause !== null)) {
      // A place is one slot, however many commands inside of one another share it.
      const tickets = byNumber.get(number) ?? [];
      const shown = tickets.find((ticket) => ticket.isLive) ?? tickets[0];
      const claim = shown?.claim ?? null;
      const takenAt = shown === undefined ? null : directory.takenAt(shown.name);
      if (claim === null || takenAt === null) continue;
      const one: QueueRunning = {
        id: claim.run,
        session: claim.session,
        command: commands.of(claim),
        since: new Date(takenAt).toISOString(),
      };
      if (position === null) running.push(one);
      else waiting.push({ ...one, position });
    }
    return { limit, running, waiting, paused: pauseText(pause) };
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    return { limit, running: [], waiting: [], paused: `the queue is off: ${directory.path} can't be used (${errno})` };
  }
}

/** The queue now, and again whenever it changed, until the signal fires. */
export async function* watchQueue(
  signal: AbortSignal,
  env: NodeJS.ProcessEnv = process.env,
): AsyncGenerator<QueueView> {
  let wake: () => void = () => undefined;
  const stop = (): void => wake();
  signal.addEventListener("abort", stop, { once: true });
  const home = stateHome(env);
  let last = "";
  const watcher = watchOf(new QueueDirectory(home, processTable()), () => wake());
  try {
    while (!signal.aborted) {
      const changed = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      const view = queueView(env);
      const text = JSON.stringify(view);
      if (text !== last) yield view;
      last = text;
      await changed;
    }
  } finally {
    watcher?.close();
    signal.removeEventListener("abort", stop);
  }
}

function watchOf(directory: QueueDirectory, changed: () => void): { close(): void } | null {
  try {
    const watcher = watch(directory.path, changed);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null; // not there yet, or no watches left: the look does
  }
}
