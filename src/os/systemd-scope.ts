/**
 * A scope of the user's service manager (systemd-run(1), `--scope`), for systems on which this is the only way
 * to a control group with a memory limit. The manager delegates the scope (`Delegate=yes`): each run has a
 * group of its own inside, as anywhere else.
 *
 * The scope holds the nursery of launchers, since a process can be moved between groups only by who may
 * write their common ancestor: what is to be limited is born in the scope. One scope serves a whole session; a
 * scope for each run would lose what counts, for the manager removes a scope's group, its counters
 * included, with the last process in it.
 */
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { readText, unifiedMount } from "./cgroup-hierarchies.ts";
import { findProgram } from "./launcher.ts";

/** How long the manager may take to give a scope, in milliseconds. */
const OPEN_MS = 15_000;
/** How often is asked whether it has, in milliseconds. */
const ASK_MS = 3;
/** The group inside a scope that holds what is not a run's: a group with limited ones below it holds no process. */
const LEAF = "supervisor";

/**
 * Moves itself into the leaf, lets the groups beside it have the controllers that there are, and becomes the
 * command. "$1" is where the hierarchy is mounted.
 */
const ARRANGE = `
mount=$1; leaf=$2; shift 2
while IFS=: read -r number controllers path; do [ "$number" = 0 ] && scope=$mount$path; done < /proc/self/cgroup
mkdir "$scope/$leaf" && echo $$ > "$scope/$leaf/cgroup.procs" || exit 71
for one in memory pids; do echo "+$one" 2> /dev/null > "$scope/cgroup.subtree_control"; done
exec "$@"`;

/** Prints the controllers that groups in the own scope have; "$0" is where the hierarchy is mounted. */
const TELL = `
while IFS=: read -r number controllers path; do
  [ "$number" = 0 ] && cat "$0\${path%/*}/cgroup.subtree_control"
done < /proc/self/cgroup`;

/** Scopes that this process asked for: no two of its units have one name. */
let opened = 0;

/** What makes a scope. */
export interface ScopeOptions {
  /** The beginning of the names of its units. */
  readonly name: string;
  /** A file that tells later hosts of the session where its scopes are. */
  readonly recordPath: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The scopes of one session. */
export class SystemdScope {
  readonly #options: ScopeOptions;
  #starter: (() => Promise<number | null>) | null = null;
  #opening: Promise<boolean> | null = null;
  #isRefused = false;

  /** Looks for nothing yet: most sessions never need a scope. */
  constructor(options: ScopeOptions) {
    this.#options = options;
  }

  /**
   * Which manager is asked. Root has one of its own only after a login; otherwise it asks the system's, for a scope
   * beside the caller's own, so that what was allotted there still holds.
   */
  get #manager(): readonly string[] {
    const isSystem = process.getuid?.() === 0 && this.#options.env["XDG_RUNTIME_DIR"] === undefined;
    return isSystem ? ["--scope", "--slice-inherit"] : ["--user", "--scope"];
  }

  /** For people: how such a scope is come by. */
  get name(): string {
    return `systemd-run ${this.#manager.join(" ")}`;
  }

  /** The directories of the scopes that are still there, the newest first. */
  get bases(): readonly string[] {
    const lines = (readText(this.#options.recordPath) ?? "").split("\n");
    return lines.filter((line) => line !== "" && existsSync(join(line, "cgroup.procs"))).toReversed();
  }

  /** What `systemd-run` needs to find the manager. */
  get env(): Readonly<Record<string, string>> {
    const dir = this.#options.env["XDG_RUNTIME_DIR"];
    return dir === undefined ? {} : { XDG_RUNTIME_DIR: dir };
  }

  /** The arguments that start `command` in a new scope; its process is the one that is started. */
  wrap(command: readonly string[]): readonly string[] {
    opened += 1;
    return [
      this.#program ?? "systemd-run",
      ...this.#manager,
      "--quiet",
      "--collect",
      `--unit=${this.#unit}`,
      "-p",
      "Delegate=yes",
      "--",
      "/bin/sh",
      "-c",
      ARRANGE,
      "sh",
      unifiedMount() ?? "",
      LEAF,
      ...command,
    ];
  }

  /** The arguments that open a scope only to print which controllers groups in it have. */
  get trial(): readonly string[] {
    return this.wrap(["/bin/sh", "-c", TELL, unifiedMount() ?? ""]);
  }

  get #program(): string | null {
    return findProgram("systemd-run", this.#options.env["PATH"] ?? "");
  }

  get #unit(): string {
    return `${this.#options.name}-${process.pid}-${opened}.scope`;
  }

  /** Tells how the process that keeps the scope is started; it gives its pid, null when it could not be. */
  startedBy(starter: () => Promise<number | null>): void {
    this.#starter = starter;
  }

  /** Opens a scope if there is none; false where the manager gives none, which is asked once. */
  open(): Promise<boolean> {
    if (this.#isRefused) return Promise.resolve(false);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #open(): Promise<boolean> {
    const mount = unifiedMount();
    const pid = this.#program === null || mount === null ? null : await this.#starter?.();
    const base = typeof pid === "number" && mount !== null ? await this.#baseOf(pid, mount) : null;
    // A manager that is only slow is asked again by the next run.
    this.#isRefused = base === null && (typeof pid !== "number" || readText(`/proc/${pid}/cgroup`) === null);
    if (base !== null && !this.bases.includes(base)) appendFileSync(this.#options.recordPath, `${base}\n`);
    return base !== null;
  }

  /** Where the scope of this process is, once the process has arranged itself in it; null when it is gone before. */
  async #baseOf(pid: number, mount: string): Promise<string | null> {
    for (const until = performance.now() + OPEN_MS; performance.now() < until; ) {
      const text = readText(`/proc/${pid}/cgroup`);
      if (text === null || text === "") return null;
      const path = /^0::(.*)$/m.exec(text)?.[1] ?? "";
      if (path.endsWith(`.scope/${LEAF}`)) return join(mount, path.slice(0, -LEAF.length - 1));
      await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    }
    return null;
  }
}
