/**
 * Who belongs to a run: every process that its command started, whatever it did with process groups,
 * sessions or its environment. Found by ancestry (complete under a subreaper), process group, session,
 * control group and the run-id marker, and remembered by identity, so that a member that cut every tie
 * after it was first seen is still one.
 *
 * The launcher and the scribe are no members: they are never signalled, so that the end record and the
 * bytes in the pipe survive every stop.
 */
import { sameProcess } from "../model/index.ts";
import type { ProcessIdentity, ProcessView } from "../model/index.ts";
import type { LaunchedProcesses, ProcessEntry, ProcessTable, RunCgroup } from "../ports/index.ts";
import type { SessionProcesses } from "./session-processes.ts";

/** The environment variable that marks every process of a run. */
export const RUN_MARKER = "PROCTOR_RUN_ID";

/** The members of one run. */
export class Membership {
  readonly #table: ProcessTable;
  readonly #runId: string;
  readonly #session: SessionProcesses;
  readonly #known = new Map<string, ProcessIdentity>();
  #processes: LaunchedProcesses | null = null;
  #cgroup: RunCgroup | null = null;

  constructor(table: ProcessTable, runId: string, session: SessionProcesses) {
    this.#table = table;
    this.#runId = runId;
    this.#session = session;
  }

  /** Tells who was launched. */
  launched(processes: LaunchedProcesses): void {
    this.#processes = processes;
    this.#session.launched(processes);
    this.#remember(processes.command);
  }

  /** Tells which control group of its own the run is in. */
  joined(cgroup: RunCgroup): void {
    this.#cgroup = cgroup;
  }

  /** Tells that nothing of the run lives any more. */
  emptied(): void {
    if (this.#processes !== null) this.#session.emptied(this.#processes);
    this.#known.clear();
  }

  /** The launched processes, once known. */
  get processes(): LaunchedProcesses | null {
    return this.#processes;
  }

  /** The means by which members are found, for people. */
  get means(): readonly string[] {
    const means = ["process group", "session", "marker"];
    if (this.#session.hasGroup || this.#cgroup !== null) means.unshift("control group");
    means.unshift(this.#processes?.subreaper === true ? "ancestry under a subreaper" : "ancestry from snapshots");
    return means;
  }

  /** Whether the kernel keeps every orphan below the launcher, so that ancestry alone is complete. */
  get isComplete(): boolean {
    return this.#processes?.subreaper === true && this.#table.isAlive(this.#processes.launcher);
  }

  /** Whether a member that was seen before still lives. Cheap: looks only at those. */
  anyKnownAlive(): boolean {
    for (const [name, identity] of this.#known) {
      if (this.#table.isAlive(identity)) return true;
      this.#known.delete(name);
    }
    return false;
  }

  /** Every living member. Where ancestry is complete it is all that is looked at; otherwise every means is. */
  find(): readonly ProcessEntry[] {
    const found = this.#byAncestry() ?? this.#byAllMeans();
    for (const { identity } of found) this.#remember(identity);
    return found;
  }

  #byAncestry(): readonly ProcessEntry[] | null {
    if (this.#processes === null || !this.isComplete) return null;
    const found = this.#session.descendants(this.#processes.launcher);
    // A launcher that was killed during the look has told only a part.
    return this.isComplete ? found : null;
  }

  #byAllMeans(): readonly ProcessEntry[] {
    const all = this.#table.snapshot();
    const byParent = new Map<number, ProcessEntry[]>();
    for (const one of all) {
      const siblings = byParent.get(one.ppid);
      if (siblings === undefined) byParent.set(one.ppid, [one]);
      else siblings.push(one);
    }
    const found = new Map<number, ProcessEntry>();
    const take = (one: ProcessEntry): void => {
      if (found.has(one.identity.pid) || this.#session.isOwn(one.identity)) return;
      found.set(one.identity.pid, one);
      for (const child of byParent.get(one.identity.pid) ?? []) take(child);
    };

    const launcher = this.#processes?.launcher ?? null;
    const parent = launcher === null ? undefined : all.find((p) => p.identity.pid === launcher.pid);
    const inGroup = new Set(this.#cgroup?.pids() ?? []);
    if (launcher !== null && parent !== undefined && sameProcess(parent.identity, launcher)) {
      for (const child of byParent.get(launcher.pid) ?? []) take(child);
    }
    // A session's id is its leader's pid: nobody can join a session, so its members are the run's as long as no
    // stranger leads a session of that number, which the leader's start time tells.
    const leader = this.#processes?.leader ?? null;
    const now = leader === null ? undefined : all.find((p) => p.identity.pid === leader.pid);
    const isStranger = leader !== null && now !== undefined && !sameProcess(now.identity, leader);
    for (const one of all) {
      const inSession = leader !== null && one.sid === leader.pid && !isStranger;
      if (inSession || inGroup.has(one.identity.pid) || this.#known.has(key(one.identity))) take(one);
    }
    const marker = `${RUN_MARKER}=${this.#runId}`;
    for (const one of all) {
      if (!found.has(one.identity.pid) && this.#table.environmentHas(one.identity.pid, marker)) take(one);
    }
    // With several launchers killed at once nobody can tell whose an orphan is: the first who looks has it.
    if (launcher !== null) for (const one of this.#session.orphans(all)) take(one);
    return [...found.values()];
  }

  /** Members that live on after the command has ended. */
  leftovers(): readonly ProcessView[] {
    return this.#processes === null ? [] : this.describe(this.find());
  }

  /** Members for people. */
  describe(entries: readonly ProcessEntry[]): readonly ProcessView[] {
    const views: ProcessView[] = [];
    for (const { identity } of entries) {
      const command = this.#table.commandLine(identity.pid);
      if (command !== null) views.push({ pid: identity.pid, command });
    }
    return views;
  }

  #remember(identity: ProcessIdentity): void {
    this.#known.set(key(identity), identity);
  }
}

function key(identity: ProcessIdentity): string {
  return `${identity.pid}:${identity.start}`;
}
