/**
 * The hierarchies of control groups in which this process may make groups, and how their files are read and
 * written. See cgroups(7).
 *
 * In version 2 a group below which memory is limited may hold no process itself, save the root of all: so the
 * group that a program finds itself in can hardly ever have such groups below it, whoever owns it.
 */
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, rmdirSync, writeSync } from "node:fs";
import { join } from "node:path";

/** One hierarchy that runs can have groups in. */
export interface Hierarchy {
  readonly version: 1 | 2;
  /** Version 1: its controller, such as "memory". */
  readonly controller: string | null;
  /** The directory below which groups are made. */
  readonly base: string;
  /** Version 2: controllers that groups below `base` have, or can be given. */
  readonly controllers: readonly string[];
  /** For people: "cgroup v2", "cgroup v1 (memory)". */
  readonly name: string;
}

/** The controllers that a run's limits need. */
const WANTED: readonly string[] = ["memory", "pids"];

/** The content of a file; null when it is absent, or not ours to read: the same to us. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** Writes a file of the kernel's; false where it refuses, or has no such file. */
export function put(file: string, value: string): boolean {
  let fd: number | null = null;
  try {
    fd = openSync(file, constants.O_WRONLY); // never made, and some can't be read
    writeSync(fd, value);
    return true;
  } catch {
    return false;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/** A number in a file of "key value" lines; null when it is not there. */
export function counter(path: string, key: string): number | null {
  const match = new RegExp(`^${key} (\\d+)$`, "m").exec(readText(path) ?? "");
  return match?.[1] === undefined ? null : Number(match[1]);
}

/** The pids in a group; 0, which stands for one that this PID namespace can't see, left out. */
export function pidsIn(file: string): number[] {
  return (readText(file) ?? "")
    .split("\n")
    .filter((line) => line !== "" && line !== "0")
    .map(Number);
}

/** Removes a group; false while something lives in it. */
export function removeGroup(dir: string): boolean {
  try {
    rmdirSync(dir);
    return true;
  } catch {
    return readText(join(dir, "cgroup.procs")) === null; // EBUSY while something lives; ENOENT is fine
  }
}

/** Version 2: has groups below `base` get the controllers that limits need; gives those that they have. */
export function enableControllers(base: string): readonly string[] {
  const listed = (name: string): readonly string[] =>
    (readText(join(base, name)) ?? "").trim().split(/\s+/).filter(Boolean);
  const enabled = listed("cgroup.subtree_control");
  for (const one of listed("cgroup.controllers")) {
    // One at a time: of several, one that is refused would be the refusal of all.
    if (WANTED.includes(one) && !enabled.includes(one)) put(join(base, "cgroup.subtree_control"), `+${one}`);
  }
  return listed("cgroup.subtree_control");
}

/** A version 2 hierarchy whose groups are made below `base`. */
export function unifiedHierarchy(base: string, name: string): Hierarchy {
  const read = (file: string): readonly string[] =>
    (readText(join(base, file)) ?? "").trim().split(/\s+/).filter(Boolean);
  const enabled = read("cgroup.subtree_control");
  // Only the root has no type, and only the root may hold processes and have such groups below it all the same.
  const isRoot = !existsSync(join(base, "cgroup.type"));
  const possible = isRoot ? read("cgroup.controllers").filter((one) => WANTED.includes(one)) : [];
  return { version: 2, controller: null, base, controllers: [...new Set([...enabled, ...possible])], name };
}

/** Where the version 2 hierarchy is mounted; null where it is not. */
export function unifiedMount(proc: string = "/proc/self"): string | null {
  for (const [mount, type] of mounts(proc)) if (type === "cgroup2") return mount;
  return null;
}

/** The hierarchies in which this process may make groups below its own; `proc` is its directory in proc(5). */
export function writableHierarchies(proc: string = "/proc/self"): readonly Hierarchy[] {
  const own = new Map<string, string>(); // controller list ("" for version 2) → our path in it
  for (const line of (readText(join(proc, "cgroup")) ?? "").split("\n")) {
    const match = /^\d+:([^:]*):(.*)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) own.set(match[1], match[2]);
  }
  const found: Hierarchy[] = [];
  for (const [mount, type, options] of mounts(proc)) {
    if (type === "cgroup2") {
      const base = join(mount, own.get("") ?? "/");
      if (writable(base) && writable(join(base, "cgroup.procs"))) found.push(unifiedHierarchy(base, "cgroup v2"));
    } else if (type === "cgroup") {
      for (const controller of ["memory", "cpuacct", "pids"]) {
        if (!options.includes(controller)) continue;
        const key = [...own.keys()].find((names) => names.split(",").includes(controller));
        const base = join(mount, key === undefined ? "/" : (own.get(key) ?? "/"));
        if (!writable(base)) continue;
        found.push({ version: 1, controller, base, controllers: [], name: `cgroup v1 (${controller})` });
      }
    }
  }
  return found;
}

function mounts(proc: string): readonly (readonly [path: string, type: string, options: readonly string[]])[] {
  return (readText(join(proc, "mounts")) ?? "").split("\n").map((line) => {
    const [, path = "", type = "", options = ""] = line.split(" ");
    return [unescapeMount(path), type, options.split(",")] as const;
  });
}

/** Unescapes \040 and the like of /proc/self/mounts. */
function unescapeMount(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
