/**
 * Control groups, where this user can write some. Version 2 is asked first, then the hierarchies of
 * version 1 (hybrid systems have both: then membership and cgroup.kill come from version 2 and the memory
 * limit from version 1). See cgroups(7).
 *
 * A run's group is made below the group that the host itself is in, so that what an administrator
 * allotted to the user's session stays what it was.
 */
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CgroupEvidence, Cgroups, RunCgroup } from "../ports/index.ts";

/** One hierarchy that runs can have groups in. */
interface Hierarchy {
  readonly version: 1 | 2;
  /** Version 1: its controller, such as "memory". */
  readonly controller: string | null;
  /** The directory below which groups are made. */
  readonly base: string;
  /** Version 2: controllers that groups below `base` have. */
  readonly controllers: readonly string[];
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // absent, or not ours to read: the same to us
  }
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Unescapes \040 and the like of /proc/self/mounts. */
function unescapeMount(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** The hierarchies in which this process may make groups below its own. */
function writableHierarchies(): Hierarchy[] {
  const own = new Map<string, string>(); // controller list ("" for version 2) → our path in it
  for (const line of (readText("/proc/self/cgroup") ?? "").split("\n")) {
    const match = /^\d+:([^:]*):(.*)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) own.set(match[1], match[2]);
  }
  const found: Hierarchy[] = [];
  for (const line of (readText("/proc/self/mounts") ?? "").split("\n")) {
    const [, mount = "", type = "", options = ""] = line.split(" ");
    if (type === "cgroup2") {
      const base = join(unescapeMount(mount), own.get("") ?? "/");
      if (!writable(base) || !writable(join(base, "cgroup.procs"))) continue;
      found.push({
        version: 2,
        controller: null,
        base,
        controllers: (readText(join(base, "cgroup.subtree_control")) ?? "").trim().split(" ").filter(Boolean),
      });
    } else if (type === "cgroup") {
      for (const controller of ["memory", "cpuacct", "pids"]) {
        if (!options.split(",").includes(controller)) continue;
        const key = [...own.keys()].find((names) => names.split(",").includes(controller));
        const base = join(unescapeMount(mount), key === undefined ? "/" : (own.get(key) ?? "/"));
        if (writable(base)) found.push({ version: 1, controller, base, controllers: [] });
      }
    }
  }
  return found;
}

function groupDir(hierarchy: Hierarchy, runId: string): string {
  return join(hierarchy.base, `proctor-${runId}`);
}

/** A number in a file of "key value" lines. */
function counter(path: string, key: string): number | null {
  const match = new RegExp(`^${key} (\\d+)$`, "m").exec(readText(path) ?? "");
  return match?.[1] === undefined ? null : Number(match[1]);
}

/** The pids in a group; 0 stands for one that this PID namespace can't see. */
function pidsIn(file: string): number[] {
  return (readText(file) ?? "")
    .split("\n")
    .filter((line) => line !== "" && line !== "0")
    .map(Number);
}

/** Removes a group; false while something lives in it. */
function removeGroup(dir: string): boolean {
  try {
    rmdirSync(dir);
    return true;
  } catch {
    return readText(join(dir, "cgroup.procs")) === null; // EBUSY while something lives; ENOENT is fine
  }
}

/** A run's groups in the hierarchies that it has one in. */
class Group implements RunCgroup {
  readonly mechanism: string;
  readonly limitsMemory: boolean;
  readonly limitsProcesses: boolean;
  readonly joinFiles: readonly string[];
  readonly #dirs: readonly { readonly hierarchy: Hierarchy; readonly dir: string }[];

  constructor(dirs: readonly { hierarchy: Hierarchy; dir: string }[], limits: { memory: boolean; processes: boolean }) {
    this.#dirs = dirs;
    this.limitsMemory = limits.memory;
    this.limitsProcesses = limits.processes;
    this.joinFiles = dirs.map(({ dir }) => join(dir, "cgroup.procs"));
    this.mechanism = dirs
      .map(({ hierarchy }) => (hierarchy.version === 2 ? "cgroup v2" : `cgroup v1 (${hierarchy.controller})`))
      .join(", ");
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
    for (const { hierarchy, dir } of this.#dirs) {
      if (hierarchy.version !== 2) continue;
      try {
        writeFileSync(join(dir, "cgroup.kill"), "1");
        return true;
      } catch {
        return false; // kernels before 5.14 have no such file
      }
    }
    return false;
  }

  remove(): boolean {
    return this.#dirs.map(({ dir }) => removeGroup(dir)).every(Boolean);
  }
}

function put(file: string, value: string): boolean {
  try {
    writeFileSync(file, value);
    return true;
  } catch {
    return false; // the file is absent where the kernel has no such accounting (swap)
  }
}

function setMemoryLimit(hierarchy: Hierarchy, dir: string, bytes: number): boolean {
  if (hierarchy.version === 2) {
    if (!put(join(dir, "memory.max"), String(bytes))) return false;
    put(join(dir, "memory.swap.max"), "0");
    put(join(dir, "memory.oom.group"), "1");
    return true;
  }
  if (!put(join(dir, "memory.limit_in_bytes"), String(bytes))) return false;
  put(join(dir, "memory.memsw.limit_in_bytes"), String(bytes));
  put(join(dir, "memory.swappiness"), "0");
  return true;
}

/** The control groups of this machine as far as this user may use them; looked up once. */
export function systemCgroups(): Cgroups {
  const all = process.platform === "linux" ? writableHierarchies() : [];
  const v2 = all.find((h) => h.version === 2) ?? null;
  const memory =
    v2?.controllers.includes("memory") === true ? v2 : (all.find((h) => h.controller === "memory") ?? null);
  const pids = v2?.controllers.includes("pids") === true ? v2 : (all.find((h) => h.controller === "pids") ?? null);
  const cpu = v2 ?? all.find((h) => h.controller === "cpuacct") ?? null;
  const description =
    all.length === 0
      ? "none can be written: members are found by ancestry, session and marker; memory limits are watched, not enforced"
      : `${v2 === null ? "" : "version 2 (membership, kill, CPU time) "}${memory === null ? "no memory controller: memory limits are watched, not enforced" : `memory limits by version ${memory.version}`}`.trim();

  return {
    description,
    ofSession(sessionId) {
      if (v2 === null) return null;
      const dir = join(v2.base, `proctor-session-${sessionId}`);
      const joinFile = join(dir, "cgroup.procs");
      try {
        mkdirSync(dir);
      } catch {
        if (readText(joinFile) === null) return null; // not there, and not to be made: not delegated after all
      }
      return { joinFile, pids: () => pidsIn(joinFile), remove: () => removeGroup(dir) };
    },
    create(runId, limits) {
      // Joining a group takes the command a millisecond at its start: only a limit is worth that here, since
      // every launcher is in the session's group already.
      if (limits.memoryBytes === null && limits.cpuTimeMs === null && limits.processes === null) return null;
      const wanted = new Set<Hierarchy>();
      if (v2 !== null) wanted.add(v2);
      if (limits.memoryBytes !== null && memory !== null) wanted.add(memory);
      if (limits.cpuTimeMs !== null && cpu !== null) wanted.add(cpu);
      if (limits.processes !== null && pids !== null) wanted.add(pids);
      const made: { hierarchy: Hierarchy; dir: string }[] = [];
      let limitsMemory = false;
      let limitsProcesses = false;
      for (const hierarchy of wanted) {
        const dir = groupDir(hierarchy, runId);
        try {
          mkdirSync(dir);
        } catch {
          continue; // not delegated after all: the run goes on with the means that are left
        }
        made.push({ hierarchy, dir });
        if (hierarchy === memory && limits.memoryBytes !== null) {
          limitsMemory = setMemoryLimit(hierarchy, dir, limits.memoryBytes);
        }
        if (hierarchy === pids && limits.processes !== null)
          limitsProcesses = put(join(dir, "pids.max"), String(limits.processes));
      }
      return made.length === 0 ? null : new Group(made, { memory: limitsMemory, processes: limitsProcesses });
    },
    find(runId) {
      const dirs = all
        .map((hierarchy) => ({ hierarchy, dir: groupDir(hierarchy, runId) }))
        .filter(({ dir }) => readText(join(dir, "cgroup.procs")) !== null);
      return dirs.length === 0
        ? null
        : new Group(dirs, {
            memory: dirs.some(({ hierarchy }) => hierarchy === memory),
            processes: dirs.some(({ hierarchy }) => hierarchy === pids),
          });
    },
  };
}
