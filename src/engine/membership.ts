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
import type { LaunchedProcesses, LauncherCgroup, ProcessEntry, ProcessTable, RunCgroup } from "../ports/index.ts";

/** The environment variable that marks every process of a run. */
export const RUN_MARKER = "PROCTOR_RUN_ID";

/** The members of one run. */
export class Membership {
  readonly #table: ProcessTable;
  readonly #runId: string;
  readonly #isSpared: (identity: ProcessIdentity) => boolean;
  readonly #known = new Map<string, ProcessIdentity>();
  #processes: LaunchedProcesses | null = null;
  #cgroup: RunCgroup | null = null;
  #launcherGroup: LauncherCgroup | null = null;

  /** `isSpared` names processes that are proctor's own: they and what they started are never members. */
  constructor(table: ProcessTable, runId: string, isSpared: (identity: ProcessIdentity) => boolean) {
    this.#table = table;
    this.#runId = runId;
    this.#isSpared = isSpared;
  }

  /** Tells who was launched. */
  launched(processes: LaunchedProcesses, group: LauncherCgroup | null): void {
    this.#processes = processes;
    this.#launcherGroup = group;
    this.#remember(processes.command);
  }

  /** Tells which control group the run is in. */
  joined(cgroup: RunCgroup): void {
    this.#cgroup = cgroup;
  }

  /** The launched processes, once known. */
  get processes(): LaunchedProcesses | null {
    return this.#processes;
  }

  /** The means by which members are found, for people. */
  get means(): readonly string[] {
    const means = ["process group", "session", "marker"];
    if (this.#launcherGroup !== null || this.#cgroup !== null) means.unshift("control group");
    means.unshift(this.#processes?.subreaper === true ? "ancestry under a subreaper" : "ancestry from snapshots");
    return means;
  }

  /** Whether the kernel keeps every orphan below the launcher, so that ancestry alone is complete. */
  get isComplete(): boolean {
    return this.#processes?.subreaper === true && this.#table.isAlive(this.#processes.launcher);
  }

  /** Whether a member that was seen before still lives. Cheap: looks only at those. */
  anyKnownAlive(): boolean {
    for (const [known, identity] of this.#known) {
      if (this.#table.isAlive(identity)) return true;
      this.#known.delete(known);
    }
    return false;
  }

  /** Every living member, found by all means at hand. */
  find(): readonly ProcessEntry[] {
    const all = this.#table.snapshot();
    const byParent = new Map<number, ProcessEntry[]>();
    for (const one of all) {
      const siblings = byParent.get(one.ppid);
      if (siblings === undefined) byParent.set(one.ppid, [one]);
      else siblings.push(one);
    }
    const found = new Map<number, ProcessEntry>();
    const take = (one: ProcessEntry): void => {
      if (found.has(one.identity.pid) || this.#isOwn(one.identity) || this.#isSpared(one.identity)) return;
      found.set(one.identity.pid, one);
      for (const child of byParent.get(one.identity.pid) ?? []) take(child);
    };

    const launcher = this.#processes?.launcher ?? null;
    const command = this.#processes?.command ?? null;
    const inGroup = new Set([...(this.#launcherGroup?.pids() ?? []), ...(this.#cgroup?.pids() ?? [])]);
    for (const one of all) {
      const { pid } = one.identity;
      if (launcher !== null && pid === launcher.pid && sameProcess(one.identity, launcher)) {
        for (const child of byParent.get(pid) ?? []) take(child);
      }
      // The session's id is the launcher's pid: nobody can join a session, so its members are the run's
      // as long as no stranger leads a session of that number, which the launcher's start time tells.
      if (launcher !== null && one.sid === launcher.pid && !this.#strangerLeads(launcher, all)) take(one);
      if (command !== null && one.identity.pid === command.pid && sameProcess(one.identity, command)) take(one);
      if (inGroup.has(pid)) take(one);
      const known = this.#known.get(key(one.identity));
      if (known !== undefined) take(one);
    }
    const marker = `${RUN_MARKER}=${this.#runId}`;
    for (const one of all) {
      if (!found.has(one.identity.pid) && this.#table.environmentHas(one.identity.pid, marker)) take(one);
    }
    for (const one of found.values()) this.#remember(one.identity);
    return [...found.values()];
  }

  /** Members that live on after the command has ended; cheap where ancestry is complete. */
  leftovers(): readonly ProcessView[] {
    const processes = this.#processes;
    if (processes === null) return [];
    if (this.isComplete) {
      const children = this.#table.children(processes.launcher.pid);
      if (children !== null && children.every((pid) => pid === processes.scribe.pid)) return [];
    }
    return this.describe(this.find());
  }

  /** Removes the launcher's control group, if nothing lives in it any more. */
  dismiss(): void {
    if (this.#launcherGroup?.remove() === true) this.#launcherGroup = null;
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

  #strangerLeads(launcher: ProcessIdentity, all: readonly ProcessEntry[]): boolean {
    const leader = all.find((p) => p.identity.pid === launcher.pid);
    return leader !== undefined && !sameProcess(leader.identity, launcher);
  }

  #isOwn(identity: ProcessIdentity): boolean {
    const own = this.#processes;
    return own !== null && (sameProcess(identity, own.launcher) || sameProcess(identity, own.scribe));
  }

  #remember(identity: ProcessIdentity): void {
    this.#known.set(key(identity), identity);
  }
}

function key(identity: ProcessIdentity): string {
  return `${identity.pid}:${identity.start}`;
}
