/**
 * Control groups, where this user can have some: below the own group in version 2, or in the hierarchies of
 * version 1 (hybrid systems have both: then membership and cgroup.kill come from version 2 and the memory
 * limit from version 1), or in a scope that the user's service manager gives.
 *
 * A run's group is made below the group that the host itself is in, so that what an administrator
 * allotted to the user's session stays what it was; a scope is below what was allotted to the user.
 */
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CgroupEvidence, CgroupLimits, Cgroups, RunCgroup } from "../ports/index.ts";
import {
  counter,
  enableControllers,
  pidsIn,
  put,
  readText,
  removeGroup,
  unifiedHierarchy,
  writableHierarchies,
} from "./cgroup-hierarchies.ts";
import type { Hierarchy } from "./cgroup-hierarchies.ts";

/** Where a scope of the service manager's comes from (see systemd-scope.ts). */
export interface ScopeSource {
  /** For people. */
  readonly name: string;
  /** Scopes of this session that were opened, the newest first. */
  readonly bases: readonly string[];
  /** Opens one where there is none; false where the manager gives none. */
  open(): Promise<boolean>;
}

/** How a group's own limits came out: what enforces each, by name. */
interface Enforced {
  readonly memory: string | null;
  readonly swap: boolean;
  readonly processes: string | null;
}

/** A run's groups in the hierarchies that it has one in. */
class Group implements RunCgroup {
  readonly memoryBy: string | null;
  readonly limitsSwap: boolean;
  readonly processesBy: string | null;
  readonly cpuBy: string | null;
  readonly joinFiles: readonly string[];
  readonly #dirs: readonly { readonly hierarchy: Hierarchy; readonly dir: string }[];

  constructor(dirs: readonly { hierarchy: Hierarchy; dir: string }[], enforced: Enforced) {
    this.#dirs = dirs;
    this.memoryBy = enforced.memory;
    this.limitsSwap = enforced.swap;
    this.processesBy = enforced.processes;
    const counting = ({ version, controller }: Hierarchy): boolean => version === 2 || controller === "cpuacct";
    this.cpuBy = dirs.find(({ hierarchy }) => counting(hierarchy))?.hierarchy.name ?? null;
    this.joinFiles = dirs.map(({ dir }) => join(dir, "cgroup.procs"));
  }

  pids(): readonly number[] {
    return [...new Set(this.joinFiles.flatMap(pidsIn))];
  }

  evidence(): CgroupEvidence {
    let oomKills = 0;
    let cpuMs: number | null = null;
    let forkRefusals = 0;
    for (const { hierarchy, dir } of this.#dirs) {
      forkRefusals += counter(join(dir, "pids.events"), "max") ?? 0;
      if (hierarchy.version === 2) {
        oomKills += counter(join(dir, "memory.events"), "oom_kill") ?? 0;
        const usage = counter(join(dir, "cpu.stat"), "usage_usec");
        if (usage !== null) cpuMs = usage / 1000;
      } else if (hierarchy.controller === "memory") {
        oomKills += counter(join(dir, "memory.oom_control"), "oom_kill") ?? 0;
      } else if (hierarchy.controller === "cpuacct") {
        const usage = Number(readText(join(dir, "cpuacct.usage")) ?? Number.NaN);
        if (Number.isFinite(usage)) cpuMs ??= usage / 1e6;
      }
    }
    return { oomKills, cpuMs, forkRefusals };
  }

  kill(): boolean {
    // Kernels before 5.14 have no such file.
    return this.#dirs.some(({ hierarchy, dir }) => hierarchy.version === 2 && put(join(dir, "cgroup.kill"), "1"));
  }

  remove(): boolean {
    return this.#dirs.map(({ dir }) => removeGroup(dir)).every(Boolean);
  }
}

/** Sets the memory limit of a group; tells whether it holds, and whether it holds for swap as well. */
function limitMemory({ version }: Hierarchy, dir: string, bytes: number): { memory: boolean; swap: boolean } {
  const files =
    version === 2
      ? { memory: "memory.max", swap: "memory.swap.max", swapLimit: "0" }
      : { memory: "memory.limit_in_bytes", swap: "memory.memsw.limit_in_bytes", swapLimit: String(bytes) };
  if (!put(join(dir, files.memory), String(bytes))) return { memory: false, swap: false };
  const swap = put(join(dir, files.swap), files.swapLimit);
  if (version === 2) put(join(dir, "memory.oom.group"), "1");
  else put(join(dir, "memory.swappiness"), "0");
  return { memory: true, swap };
}

/** What the file of a limit holds where there is none, or is when there is no such file; version 1 says LONG_MAX. */
const UNLIMITED: readonly (string | undefined)[] = [undefined, "max", "9223372036854771712"];

function groupDir(hierarchy: Hierarchy, runId: string): string {
  return join(hierarchy.base, `proctor-${runId}`);
}

/** Which hierarchy does what. */
interface Roles {
  readonly v2: Hierarchy | null;
  readonly memory: Hierarchy | null;
  readonly pids: Hierarchy | null;
  readonly cpu: Hierarchy | null;
}

function rolesOf(all: readonly Hierarchy[]): Roles {
  const v2 = all.find((h) => h.version === 2) ?? null;
  const by = (controller: string): Hierarchy | null =>
    v2?.controllers.includes(controller) === true ? v2 : (all.find((h) => h.controller === controller) ?? null);
  return { v2, memory: by("memory"), pids: by("pids"), cpu: v2 ?? all.find((h) => h.controller === "cpuacct") ?? null };
}

/** Whether these roles leave a limit without a control group that could enforce it. */
function isShort(roles: Roles, limits: CgroupLimits): boolean {
  return (
    (limits.memoryBytes !== null && roles.memory === null) ||
    (limits.processes !== null && roles.pids === null) ||
    (limits.cpuTimeMs !== null && roles.cpu === null)
  );
}

function describe({ v2, memory }: Roles, isEmpty: boolean): string {
  if (isEmpty)
    return "none can be written: members are found by ancestry, session and marker; memory limits are watched, not enforced";
  const limits =
    memory === null
      ? "no memory controller: memory limits are watched, not enforced"
      : `memory limits by version ${memory.version}`;
  return `${v2 === null ? "" : "version 2 (membership, kill, CPU time) "}${limits}`;
}

/**
 * The control groups of this machine as far as this user may use them; looked up once. A `scope` is opened only
 * when a limit needs one. `proc` is this process's directory in proc(5).
 */
export function systemCgroups(scope: ScopeSource | null = null, proc: string = "/proc/self"): Cgroups {
  const all = process.platform === "linux" ? writableHierarchies(proc) : [];
  const own = rolesOf(all);
  const scoped = (): readonly Hierarchy[] =>
    (scope?.bases ?? []).map((base) => unifiedHierarchy(base, `cgroup v2 (${scope?.name ?? ""})`));

  return {
    description: describe(own, all.length === 0),
    ofSession(sessionId) {
      if (own.v2 === null) return null;
      const dir = join(own.v2.base, `proctor-session-${sessionId}`);
      const joinFile = join(dir, "cgroup.procs");
      try {
        mkdirSync(dir);
      } catch {
        if (readText(joinFile) === null) return null; // not there, and not to be made: not delegated after all
      }
      return { joinFile, pids: () => pidsIn(joinFile), remove: () => removeGroup(dir) };
    },
    async prepare(limits) {
      if (scope !== null && isShort(own, limits)) await scope.open();
    },
    create(runId, limits) {
      // Joining a group takes the command a millisecond at its start: only a limit is worth that here, since
      // every launcher is in the session's group already.
      if (limits.memoryBytes === null && limits.cpuTimeMs === null && limits.processes === null) return null;
      // A process is in one group of version 2 at a time: a scope takes the place of our own.
      const [newest] = isShort(own, limits) ? scoped() : [];
      const roles = newest === undefined ? own : rolesOf([newest, ...all.filter((h) => h.version === 1)]);
      const wanted = new Set<Hierarchy>();
      if (roles.v2 !== null) wanted.add(roles.v2);
      if (limits.memoryBytes !== null && roles.memory !== null) wanted.add(roles.memory);
      if (limits.cpuTimeMs !== null && roles.cpu !== null) wanted.add(roles.cpu);
      if (limits.processes !== null && roles.pids !== null) wanted.add(roles.pids);
      const made: { hierarchy: Hierarchy; dir: string }[] = [];
      const enforced: { memory: string | null; swap: boolean; processes: string | null } = {
        memory: null,
        swap: false,
        processes: null,
      };
      for (const hierarchy of wanted) {
        const dir = groupDir(hierarchy, runId);
        if (hierarchy.version === 2) enableControllers(hierarchy.base);
        try {
          mkdirSync(dir);
        } catch {
          continue; // not delegated after all: the run goes on with the means that are left
        }
        made.push({ hierarchy, dir });
        if (hierarchy === roles.memory && limits.memoryBytes !== null) {
          const { memory, swap } = limitMemory(hierarchy, dir, limits.memoryBytes);
          if (memory) Object.assign(enforced, { memory: hierarchy.name, swap });
        }
        if (hierarchy === roles.pids && limits.processes !== null) {
          if (put(join(dir, "pids.max"), String(limits.processes))) enforced.processes = hierarchy.name;
        }
      }
      return made.length === 0 ? null : new Group(made, enforced);
    },
    find(runId) {
      const dirs = [...scoped(), ...all]
        .map((hierarchy) => ({ hierarchy, dir: groupDir(hierarchy, runId) }))
        .filter(({ dir }) => readText(join(dir, "cgroup.procs")) !== null);
      if (dirs.length === 0) return null;
      const by = (file: string): string | null =>
        dirs.find(({ dir }) => !UNLIMITED.includes(readText(join(dir, file))?.trim()))?.hierarchy.name ?? null;
      return new Group(dirs, {
        memory: by("memory.max") ?? by("memory.limit_in_bytes"),
        swap: by("memory.swap.max") !== null || by("memory.memsw.limit_in_bytes") !== null,
        processes: by("pids.max"),
      });
    },
  };
}

/** How old an empty group must be to be nobody's, in milliseconds: one that was just made waits for its first process. */
const SETTLED_MS = 60_000;

/**
 * Removes the empty groups that dead hosts left. A group with a process in it can't be removed (cgroups(7)), so
 * nothing that lives loses its group. Returns how many were removed.
 */
export function sweepCgroups(proc: string = "/proc/self"): number {
  if (process.platform !== "linux") return 0;
  let removed = 0;
  for (const { base } of writableHierarchies(proc)) {
    for (const entry of readdirSync(base, { withFileTypes: true })) {
      if (!entry.isDirectory() || !entry.name.startsWith("proctor-")) continue;
      const dir = join(base, entry.name);
      const since = statSync(dir, { throwIfNoEntry: false })?.mtimeMs;
      if (since !== undefined && Date.now() - since > SETTLED_MS && removeGroup(dir)) removed++;
    }
  }
  return removed;
}
