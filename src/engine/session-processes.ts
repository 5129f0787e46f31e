/**
 * The processes of one session as a whole: who of them are proctor's own, and who belongs to a run whose
 * launcher was killed. Such an orphan has lost its ancestry and may have left group, session and
 * environment as well; what still tells is that it is in the session's control group and that none of the
 * living launchers is an ancestor of it.
 */
import { sameProcess } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";
import type { LaunchedProcesses, ProcessEntry, ProcessTable, SessionCgroup } from "../ports/index.ts";

/** Knows every launcher and scribe of a session. */
export class SessionProcesses {
  readonly #table: ProcessTable;
  readonly #group: SessionCgroup | null;
  readonly #isSpared: (identity: ProcessIdentity) => boolean;
  readonly #own = new Map<number, { readonly identity: ProcessIdentity; readonly isLauncher: boolean }>();

  /** `isSpared` names this host and its guardian: nobody whose ancestor they are is an orphan. */
  constructor(table: ProcessTable, group: SessionCgroup | null, isSpared: (identity: ProcessIdentity) => boolean) {
    this.#table = table;
    this.#group = group;
    this.#isSpared = isSpared;
  }

  /** Whether the session has a control group. */
  get hasGroup(): boolean {
    return this.#group !== null;
  }

  /** Takes a launcher and its scribe in. */
  launched({ launcher, scribe }: LaunchedProcesses): void {
    this.#own.set(launcher.pid, { identity: launcher, isLauncher: true });
    this.#own.set(scribe.pid, { identity: scribe, isLauncher: false });
  }

  /** Lets a launcher and its scribe go: nothing of their run lives any more. */
  emptied({ launcher, scribe }: LaunchedProcesses): void {
    for (const identity of [launcher, scribe]) {
      const own = this.#own.get(identity.pid);
      if (own !== undefined && sameProcess(own.identity, identity)) this.#own.delete(identity.pid);
    }
  }

  /** Whether this process is proctor's own and never a member of a run. */
  isOwn(identity: ProcessIdentity): boolean {
    const own = this.#own.get(identity.pid);
    return (own !== undefined && sameProcess(own.identity, identity)) || this.#isSpared(identity);
  }

  /** The living processes of the session that no living launcher is an ancestor of. */
  orphans(all: readonly ProcessEntry[]): readonly ProcessEntry[] {
    if (this.#group === null) return [];
    const byPid = new Map(all.map((one) => [one.identity.pid, one]));
    const isKept = (first: ProcessEntry): boolean => {
      const seen = new Set<number>();
      for (
        let one: ProcessEntry | undefined = first;
        one !== undefined && !seen.has(one.identity.pid);
        one = byPid.get(one.ppid)
      ) {
        seen.add(one.identity.pid);
        if (this.isOwn(one.identity)) return true;
      }
      return false;
    };
    const orphans: ProcessEntry[] = [];
    for (const pid of this.#group.pids()) {
      const one = byPid.get(pid);
      if (one !== undefined && !isKept(one)) orphans.push(one);
    }
    return orphans;
  }

  /** Every living descendant of a process, by its children's children; null where the system can't tell cheaply. */
  descendants(root: ProcessIdentity): readonly ProcessEntry[] | null {
    const found = new Map<number, ProcessEntry>();
    const waiting = [root.pid];
    for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
      const children = this.#table.children(pid);
      // A process that has just gone has no children any more: they are its subreaper's, seen in the next look.
      if (children === null) {
        if (pid === root.pid) return null;
        continue;
      }
      for (const child of children) {
        if (found.has(child)) continue;
        const one = this.#table.entry(child);
        if (one === null || this.isOwn(one.identity)) continue;
        found.set(child, one);
        waiting.push(child);
      }
    }
    return [...found.values()];
  }
}
