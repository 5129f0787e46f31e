/**
 * Starts launchers and listens to them. The plan goes in and the status lines come out through one
 * socket; the status file has the same lines and is the truth when the socket ends.
 */
import { accessSync, constants, existsSync, readFileSync, renameSync } from "node:fs";
import type { Socket } from "node:net";
import { constants as osConstants } from "node:os";
import { basename, delimiter, join } from "node:path";
import { errnoOf, messageOf } from "../model/index.ts";
import type { LaunchEvent, Launcher, LaunchPlan, LaunchSubscription, ProcessTable, Rlimit } from "../ports/index.ts";
import { STATUS, STATUS_CANCELLED, STATUS_RESERVED, StatusReader, statusLines } from "./launch-status.ts";
import { ATTEMPTS, Nursery } from "./nursery.ts";
import type { NurseryListener, NurseryPlace } from "./nursery.ts";

/** How often the status file of an adopted run is read, in milliseconds. */
const ADOPTED_POLL_MS = 50;

/** What a launcher says whose place in the queue was gone. */
const SLOT_LOST = "slot-lost";
/** What a launcher says that has carried its plan out and waits for another. */
const READY = "ready";

/** Resource numbers of setrlimit(2) on Linux. */
const RLIMITS: Readonly<Record<Rlimit["resource"], number>> = { cpu: 0, fsize: 1, nproc: 6, nofile: 7 };

/** Finds a program on PATH, or null. */
export function findProgram(name: string, path: string = process.env["PATH"] ?? ""): string | null {
  for (const dir of [...path.split(delimiter), "/usr/bin", "/bin", "/usr/local/bin"]) {
    if (!dir.startsWith("/")) continue;
    const file = join(dir, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not here: the next folder.
    }
  }
  return null;
}

function counted(items: readonly string[]): string[] {
  return [String(items.length), ...items];
}

/** The letters of `ulimit` and its units (sh(1)): file sizes are in blocks of 512 bytes. */
const ULIMITS: Readonly<Record<Rlimit["resource"], readonly [letter: string, unit: number]>> = {
  cpu: ["t", 1],
  fsize: ["f", 512],
  nproc: ["u", 1],
  nofile: ["n", 1],
};

/**
 * A command whose limits a shell sets, for a system whose system call numbers are not ours to know (macOS).
 * A limit that is refused is no start: the shell says why and leaves with 126.
 */
export function withUlimits(argv: readonly string[], rlimits: readonly Rlimit[]): readonly string[] {
  if (rlimits.length === 0) return argv;
  const set = rlimits.flatMap(({ resource, soft, hard }) => {
    const [letter, unit] = ULIMITS[resource];
    // The soft one first: a hard limit below the soft one is refused (setrlimit(2), EINVAL).
    return [`ulimit -S -${letter} ${Math.ceil(soft / unit)}`, `ulimit -H -${letter} ${Math.ceil(hard / unit)}`];
  });
  return ["/bin/sh", "-c", `{ ${set.join(" && ")}; } || exit 126; exec "$@"`, "sh", ...argv];
}

/** The plan as the launcher reads it: NUL-separated fields behind their length in bytes. */
function encodePlan(plan: LaunchPlan): Buffer {
  const isDarwin = process.platform === "darwin";
  const argv = isDarwin ? withUlimits(plan.argv, plan.rlimits) : plan.argv;
  const rlimits = isDarwin ? [] : plan.rlimits;
  const fields = [
    plan.dir,
    plan.cwd,
    plan.umask.toString(8),
    plan.stdin,
    String(plan.logMaxBytes),
    String(plan.terminal?.rows ?? 0),
    String(plan.terminal?.columns ?? 0),
    plan.ticket?.path ?? "",
    plan.ticket?.subject ?? "",
    plan.output ?? "merged",
    ...counted(rlimits.map((l) => `${RLIMITS[l.resource]} ${l.soft} ${l.hard}`)),
    ...counted(plan.cgroupFiles),
    ...counted(argv),
    ...counted(Object.entries(plan.env).map(([name, value]) => `${name}=${value}`)),
  ];
  const body = Buffer.from(fields.map((f) => `${f}\0`).join(""), "utf8");
  return Buffer.concat([Buffer.from(`${body.length}\n`), body]);
}

/** What a spawn error of Node's means as an errno; 0 when it has none. */
function errnoNumber(error: unknown): number | string {
  const name = errnoOf(error);
  if (name === null) return messageOf(error);
  return (osConstants.errno as Readonly<Record<string, number>>)[name] ?? name;
}

/** The launcher that runs on perl, which Debian's base system and macOS have. */
export function perlLauncher(table: ProcessTable, perl: string, place: NurseryPlace): Launcher {
  const drained = new Map<string, () => void>();
  const asked = new Map<string, (event: LaunchEvent) => void>();
  const hear: NurseryListener = {
    drained: (runId) => drained.get(runId)?.(),
    asked: (runId, from) => asked.get(runId)?.({ kind: "asked", from }),
  };
  const nursery = new Nursery(perl, place, hear);
  const scope = place.scope ?? null;
  const scopedPlace = {
    socketPath: () => place.socketPath().replace(/\.launch$/, ".scope"),
    cgroupFile: null,
    scope,
  };
  const scoped = scope === null ? null : new Nursery(perl, scopedPlace, hear, true);
  scope?.startedBy(async () => {
    await scoped?.prepare();
    return scoped?.pid ?? null;
  });
  /** Only what is born in a scope can join a group in it. */
  const nurseryFor = ({ cgroupFiles }: LaunchPlan): Nursery =>
    scoped !== null && scope?.bases.some((base) => cgroupFiles.some((file) => file.startsWith(`${base}/`))) === true
      ? scoped
      : nursery;
  const readStatus = (dir: string, reader: StatusReader): void => {
    let content: string;
    try {
      content = readFileSync(join(dir, STATUS), "latin1");
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return;
      throw error;
    }
    for (const line of statusLines(content)) reader.take(line);
  };

  const follow = (dir: string, tell: (event: LaunchEvent) => void): LaunchSubscription => {
    let isReleased = false;
    const reader = new StatusReader(
      table.boot,
      (pid) => table.identify(pid),
      (event) => {
        if (!isReleased) tell(event);
      },
    );
    let timer: NodeJS.Timeout | null = null;
    const look = (): void => {
      if (reader.launcher === null) readStatus(dir, reader);
      const alive = reader.launcher !== null && table.isAlive(reader.launcher);
      // Read after the look at the process: what a dying launcher wrote is there by now.
      readStatus(dir, reader);
      if (reader.done || isReleased) return;
      const isLost = reader.launcher === null ? performance.now() > giveUpAt : !alive;
      if (isLost) {
        tell({ kind: "launcher-lost" });
        return;
      }
      timer = setTimeout(look, ADOPTED_POLL_MS);
    };
    // A launcher that took the plan up and was killed before its first line leaves no name behind.
    const giveUpAt = performance.now() + 2000;
    look();
    asked.set(basename(dir), tell);
    return {
      release() {
        isReleased = true;
        asked.delete(basename(dir));
        if (timer !== null) clearTimeout(timer);
        timer = null;
      },
    };
  };
  const launch = (plan: LaunchPlan, tell: (event: LaunchEvent) => void): LaunchSubscription => {
    let released = false;
    let socket: Socket | null = null;
    let follower: LaunchSubscription | null = null;
    const say = (event: LaunchEvent): void => {
      if (!released) tell(event);
    };
    const reader = new StatusReader(table.boot, (pid) => table.identify(pid), say);
    const failed = (error: unknown): void => {
      say({ kind: "failed", stage: "launcher", errno: errnoNumber(error) });
      say({ kind: "emptied" });
    };
    let attempts = 0;
    const request = (): void => nurseryFor(plan).request({ plan, failed, taken });
    const taken = (connection: Socket, free: () => void): void => {
      attempts += 1;
      if (released) {
        connection.destroy();
        return;
      }
      socket = connection;
      drained.set(plan.runId, () => reader.take("drained"));
      if (plan.terminal !== null) asked.set(plan.runId, say);
      let rest = "";
      let isSlotLost = false;
      connection.setEncoding("latin1");
      const read = (text: string): void => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (line === SLOT_LOST) isSlotLost = true;
          else if (line === READY) giveBack();
          else reader.take(line);
        }
      };
      const giveBack = (): void => {
        connection.off("data", read);
        connection.off("close", closed);
        socket = null;
        drained.delete(plan.runId);
        if (released) connection.destroy();
        else free();
      };
      // The launcher may be killed at any moment: its end is told here, with the file as the truth.
      const closed = (): void => {
        drained.delete(plan.runId);
        asked.delete(plan.runId);
        if (released) return;
        if (isSlotLost) {
          say({ kind: "slot-lost" });
          return;
        }
        readStatus(plan.dir, reader);
        if (reader.done) return;
        // Another host's launcher had taken the run up: what it does is told from the file.
        if (reader.launcher === null && existsSync(join(plan.dir, STATUS))) follower = follow(plan.dir, say);
        else if (reader.launcher === null && attempts < ATTEMPTS && existsSync(join(plan.dir, STATUS_RESERVED)))
          request(); // killed while it waited for a plan: nothing has begun
        else if (reader.launcher === null)
          failed(Object.assign(new Error("the launcher ended at once"), { code: "ECHILD" }));
        else if (wasTakenUpByAnother()) follower = follow(plan.dir, say);
        else say({ kind: "launcher-lost" });
      };
      connection.on("data", read);
      connection.on("close", closed);
      connection.write(encodePlan(plan));
    };
    /** Lines of a launcher that lives on although ours has closed its connection. */
    const wasTakenUpByAnother = (): boolean => reader.launcher !== null && table.isAlive(reader.launcher);
    request();
    return {
      release() {
        released = true;
        follower?.release();
        drained.delete(plan.runId);
        asked.delete(plan.runId);
        socket?.destroy();
      },
    };
  };

  return {
    prepare: () => void nursery.prepare().catch(() => undefined), // the first launch meets the same obstacle and reports it
    launch,
    adopt: (dir, tell) => (existsSync(join(dir, STATUS_RESERVED)) ? null : follow(dir, tell)),
    cancel(dir) {
      try {
        renameSync(join(dir, STATUS_RESERVED), join(dir, STATUS_CANCELLED));
        return true;
      } catch (error) {
        if (errnoOf(error) === "ENOENT") return false;
        throw error;
      }
    },
    close() {
      nursery.close();
      scoped?.close();
    },
  };
}
