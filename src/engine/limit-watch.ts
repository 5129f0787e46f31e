/**
 * The limits that no kernel enforces for a whole run: its life, its silence, its CPU time, and its memory
 * where no memory cgroup can be written. Looks only while a limit asks for it.
 */
import { formatDuration, formatSize } from "../model/index.ts";
import type { RunRecord } from "../model/index.ts";
import type { Decision } from "../machine/index.ts";
import type { RunCgroup, Timer } from "../ports/index.ts";
import type { EngineDependencies } from "./dependencies.ts";
import { cpuDecision, memoryDecision } from "./limit-evidence.ts";
import type { Membership } from "./membership.ts";

/** How often output, CPU time and memory are looked at, in milliseconds. */
const LOOK_MS = 250;

/** Watches one running run; calls `decide` at most once. */
export class LimitWatch {
  readonly #record: RunRecord;
  readonly #deps: EngineDependencies;
  readonly #members: Membership;
  readonly #cgroup: RunCgroup | null;
  readonly #decide: (decision: Decision) => void;
  readonly #timers = new Map<"life" | "look", Timer>();
  readonly #watchesLog: boolean;
  #stopped = false;
  #bytes = 0;
  #lastOutputMono: number;

  constructor(
    record: RunRecord,
    deps: EngineDependencies,
    members: Membership,
    cgroup: RunCgroup | null,
    startedMono: number,
    decide: (decision: Decision) => void,
  ) {
    this.#record = record;
    this.#deps = deps;
    this.#members = members;
    this.#cgroup = cgroup;
    this.#decide = decide;
    this.#lastOutputMono = deps.clock.mono();
    const { timeoutMs, idleTimeoutMs, cpuTimeMs, memoryBytes } = record.limits;
    if (timeoutMs !== null) {
      const left = startedMono + timeoutMs - deps.clock.mono();
      this.#timers.set(
        "life",
        deps.clock.after(Math.max(0, left), () => this.#over(timeoutOf(timeoutMs))),
      );
    }
    const memoryIsWatched = memoryBytes !== null && typeof cgroup?.memoryBy !== "string";
    // A command that writes its log itself is held to the cap by looking.
    this.#watchesLog = record.output === "split" && record.limits.fileSizeBytes === null;
    if (idleTimeoutMs !== null || cpuTimeMs !== null || memoryIsWatched || this.#watchesLog) this.#arm();
  }

  /** Ends the watch; no timer is left. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #arm(): void {
    const { idleTimeoutMs } = this.#record.limits;
    const wait = idleTimeoutMs === null ? LOOK_MS : Math.max(10, Math.min(LOOK_MS, idleTimeoutMs / 4));
    this.#timers.set(
      "look",
      this.#deps.clock.after(wait, () => this.#look()),
    );
  }

  #look(): void {
    if (this.#stopped) return;
    const decision = this.#idle() ?? this.#usage() ?? this.#logSize();
    if (decision !== null) this.#over(decision);
    else this.#arm();
  }

  #idle(): Decision | null {
    const { idleTimeoutMs } = this.#record.limits;
    if (idleTimeoutMs === null) return null;
    const bytes = this.#deps.store.logBytes(this.#record.id);
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#lastOutputMono = this.#deps.clock.mono();
      return null;
    }
    if (this.#deps.clock.mono() - this.#lastOutputMono < idleTimeoutMs) return null;
    return {
      cause: "idle_timeout",
      resource: null,
      message: `The command printed nothing for ${formatDuration(idleTimeoutMs)} (--idle-timeout) and was stopped.`,
    };
  }

  #usage(): Decision | null {
    const { cpuTimeMs, memoryBytes } = this.#record.limits;
    const memoryIsWatched = memoryBytes !== null && typeof this.#cgroup?.memoryBy !== "string";
    const groupCpuMs = cpuTimeMs === null ? null : (this.#cgroup?.evidence().cpuMs ?? null);
    if (cpuTimeMs !== null && groupCpuMs !== null && groupCpuMs >= cpuTimeMs) return cpuDecision(cpuTimeMs);
    const cpuIsWatched = cpuTimeMs !== null && groupCpuMs === null;
    if (!memoryIsWatched && !cpuIsWatched) return null;
    let rssBytes = 0;
    let cpuMs = 0;
    for (const { identity } of this.#members.find()) {
      const usage = this.#deps.table.usage(identity.pid);
      rssBytes += usage?.rssBytes ?? 0;
      cpuMs += usage?.cpuMs ?? 0;
    }
    if (memoryIsWatched && rssBytes > memoryBytes) return memoryDecision(memoryBytes, rssBytes);
    return cpuIsWatched && cpuMs >= cpuTimeMs ? cpuDecision(cpuTimeMs) : null;
  }

  #logSize(): Decision | null {
    if (!this.#watchesLog) return null;
    const { logMaxBytes } = this.#record.limits;
    const bytes = Math.max(this.#deps.store.logBytes(this.#record.id), this.#deps.store.errorLogBytes(this.#record.id));
    if (bytes <= logMaxBytes) return null;
    return {
      cause: "log_limit",
      resource: null,
      message: `The output reached the log's limit of ${formatSize(logMaxBytes)} and the run was stopped. Raise it with --log-max.`,
    };
  }

  #over(decision: Decision): void {
    if (this.#stopped) return;
    this.stop();
    this.#decide(decision);
  }
}

function timeoutOf(timeoutMs: number): Decision {
  return {
    cause: "timeout",
    resource: null,
    message: `The command was still running at its time limit of ${formatDuration(timeoutMs)} (--timeout) and was stopped.`,
  };
}
