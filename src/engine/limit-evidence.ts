/** What a run's end says about its limits: only what the kernel said, never a guess. */
import { formatDuration, formatSize } from "../model/index.ts";
import type { Limits, WaitStatus } from "../model/index.ts";
import type { Decision } from "../machine/index.ts";
import type { CgroupEvidence, RunCgroup } from "../ports/index.ts";

/** Whether the command ended as something that ran into a limit would. */
function isFailure(wait: WaitStatus): boolean {
  return wait.kind === "signaled" || wait.code !== 0;
}

/** Whether the wait status, or a shell's 128 + n for a child of its own, tells of this signal. */
function tellsOf(wait: WaitStatus, number: number): boolean {
  return wait.kind === "signaled" ? wait.number === number : wait.code === 128 + number;
}

/** The decision that the kernel's evidence allows at the exit of a command, or null. */
export function exitEvidence(limits: Limits, wait: WaitStatus, evidence: CgroupEvidence | null): Decision | null {
  if (evidence !== null && evidence.oomKills > 0 && isFailure(wait)) {
    return oomDecision(limits, evidence.oomKills);
  }
  if (limits.processes !== null && evidence !== null && evidence.forkRefusals > 0 && isFailure(wait)) {
    return {
      cause: "resource_limit",
      resource: "processes",
      message: `The run reached its limit of ${limits.processes} processes (--processes): the kernel refused to start another ${evidence.forkRefusals === 1 ? "once" : `${evidence.forkRefusals} times`}, and the command failed.`,
    };
  }
  const SIGXCPU = 24;
  const SIGXFSZ = 25;
  if (limits.cpuTimeMs !== null && tellsOf(wait, SIGXCPU)) return cpuDecision(limits.cpuTimeMs);
  if (limits.fileSizeBytes !== null && tellsOf(wait, SIGXFSZ)) {
    return {
      cause: "resource_limit",
      resource: "file_size",
      message: `A file grew past the limit of ${formatSize(limits.fileSizeBytes)} (--file-size) and the kernel sent SIGXFSZ.`,
    };
  }
  return null;
}

/** What enforces each limit that was asked for, for people: never silence about a limit that is soft. */
export function limitMechanisms(limits: Limits, cgroup: RunCgroup | null): readonly string[] {
  const found: string[] = [];
  if (limits.memoryBytes !== null) {
    found.push(
      typeof cgroup?.memoryBy === "string"
        ? `memory: ${cgroup.memoryBy}, ${cgroup.limitsSwap ? "swap included" : "swap not counted by this kernel"}`
        : "memory: watched every 250 ms (soft: no memory cgroup can be written here)",
    );
  }
  if (limits.cpuTimeMs !== null) {
    const whole =
      typeof cgroup?.cpuBy === "string"
        ? `${cgroup.cpuBy} counts all processes, looked at every 250 ms`
        : "watched every 250 ms for all processes";
    found.push(`cpu_time: ${whole}; RLIMIT_CPU for each process`);
  }
  if (limits.openFiles !== null) found.push("open_files: RLIMIT_NOFILE for each process");
  if (limits.processes !== null) {
    found.push(
      typeof cgroup?.processesBy === "string"
        ? `processes: ${cgroup.processesBy}`
        : "processes: RLIMIT_NPROC, which counts all of this user's processes and does not hold for root",
    );
  }
  if (limits.fileSizeBytes !== null)
    found.push("file_size: RLIMIT_FSIZE for each file that a process writes; the log is not concerned");
  return found;
}

/** The kernel's OOM killer struck inside the run's group. */
function oomDecision(limits: Limits, kills: number): Decision {
  const limit =
    limits.memoryBytes === null
      ? "the memory of the machine"
      : `its limit of ${formatSize(limits.memoryBytes)} (--memory)`;
  return {
    cause: "oom_kill",
    resource: "memory",
    message: `The run needed more memory than ${limit}: the kernel's OOM killer ended ${kills === 1 ? "one process" : `${kills} processes`}. Raise the limit or use less memory.`,
  };
}

/** A watcher found the run's memory above its limit where the kernel does not enforce one. */
export function memoryDecision(limitBytes: number, seenBytes: number): Decision {
  return {
    cause: "resource_limit",
    resource: "memory",
    message: `The run used ${formatSize(seenBytes)} of memory, more than its limit of ${formatSize(limitBytes)} (--memory; watched, since no memory cgroup can be written here).`,
  };
}

/** The CPU time of the run's processes, or of one of them, is used up. */
export function cpuDecision(limitMs: number): Decision {
  return {
    cause: "resource_limit",
    resource: "cpu_time",
    message: `The run used up its CPU time of ${formatDuration(limitMs)} (--cpu-time).`,
  };
}
