/**
 * Who a process is. A pid alone names nobody: pids wrap (at 32,768 on many systems) and a recorded
 * pid may be a stranger's by the time it is read. Pid, start time and boot id together are unique.
 */

/** A process, identified beyond pid reuse and reboot. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Linux: field 22 of /proc/PID/stat (clock ticks since boot, `proc(5)`); macOS: the start time that ps prints. */
  readonly start: string;
  /** Linux: /proc/sys/kernel/random/boot_id; macOS: kern.bootsessionuuid or the boot time. */
  readonly boot: string;
}

/** Whether two identities name the same process. */
export function sameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.start === b.start && a.boot === b.boot;
}
