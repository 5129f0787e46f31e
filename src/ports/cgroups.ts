/** The seam for control groups: limits that hold for a whole run, and evidence from the kernel. */

/** Counters of a run's group. */
export interface CgroupEvidence {
  /** How often the kernel's OOM killer struck inside the group. */
  readonly oomKills: number;
  /** CPU time of the whole group in milliseconds; null where it is not counted. */
  readonly cpuMs: number | null;
  /** How often a process could not be started because of the group's limit (pids.events). */
  readonly forkRefusals: number;
}

/** The group of one run. */
export interface RunCgroup {
  /** What enforces the memory limit, for people ("cgroup v1 (memory)"); null when the kernel does not. */
  readonly memoryBy: string | null;
  /** Whether that limit holds for swap as well. */
  readonly limitsSwap: boolean;
  /** What enforces the limit on processes for the group as a whole; null when nothing does. */
  readonly processesBy: string | null;
  /** What counts the CPU time of the group; null when nothing does. */
  readonly cpuBy: string | null;
  /** Files that a process joins by writing 0. */
  readonly joinFiles: readonly string[];
  /** The pids inside now. */
  pids(): readonly number[];
  evidence(): CgroupEvidence;
  /** Kills everything inside at once (cgroup.kill); false where the kernel has no such file. */
  kill(): boolean;
  /** Removes the group; false while something lives in it. */
  remove(): boolean;
}

/** The group that all launchers of a session are in, with all that they start. */
export interface SessionCgroup {
  /** A process joins by writing 0 to it. */
  readonly joinFile: string;
  /** The pids inside now, launchers and scribes included. */
  pids(): readonly number[];
  /** Removes the group; false while something lives in it. */
  remove(): boolean;
}

/** The limits that a group can enforce or count; null is off. */
export interface CgroupLimits {
  readonly memoryBytes: number | null;
  readonly cpuTimeMs: number | null;
  readonly processes: number | null;
}

/** Makes groups where this user can. */
export interface Cgroups {
  /** For people: what can be done here. */
  readonly description: string;
  /** Gets ready what a group for these limits needs where that takes time: a scope of the service manager's. */
  prepare(limits: CgroupLimits): Promise<void>;
  /** A group for a run, or null where none can be made. */
  create(runId: string, limits: CgroupLimits): RunCgroup | null;
  /** The group of a session, made if it is not there; null where none can be made. */
  ofSession(sessionId: string): SessionCgroup | null;
  /** The group of a run that a former host made, or null. */
  find(runId: string): RunCgroup | null;
}
