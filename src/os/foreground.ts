/**
 * What the foreground of a run's terminal is doing, as far as Linux tells: the processes of the terminal's foreground
 * process group (proc(5), field 8 of stat), and the system call that each waits in.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../model/index.ts";
import type { WaitingView } from "../model/index.ts";
import { STATUS, statusLines } from "./launch-status.ts";
import { processTable } from "./process-table.ts";

/** The number of read(2): x86-64, and the table that newer architectures share (syscall(2)). */
const READ_CALL = process.arch === "x64" ? "0" : "63";
/** Where a process is that waits for several things, the terminal maybe among them. */
const WAITS_FOR_MANY = /poll|select|epoll/;
/** A shell that waits for its command says nothing. */
const WAITS_FOR_CHILD = /^do_wait/;

function readProc(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    // Gone, or not ours to look at.
    if (errnoOf(error) === null) throw error;
    return "";
  }
}

/** The fields behind the name in a process's stat: [0] is the state. */
function statFields(pid: number): readonly string[] {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The command's pid, from the launcher's own report. */
function commandOf(runDir: string): number | null {
  const line = statusLines(readProc(join(runDir, STATUS))).find((one) => one.startsWith("command "));
  const [, pid, start] = line?.split(" ") ?? [];
  if (pid === undefined || statFields(Number(pid))[19] !== start) return null;
  return Number(pid);
}

/** Whether the process is blocked in read(2) of a terminal. */
function readsTerminal(pid: number): boolean {
  const [call, fd] = readProc(`/proc/${pid}/syscall`).split(" ");
  if (call !== READ_CALL || fd === undefined) return false;
  try {
    return /^\/dev\/(pts\/|tty)/.test(readlinkSync(`/proc/${pid}/fd/${Number(fd)}`));
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return false;
  }
}

/** What the foreground process of a run's terminal does now. */
export function foregroundOf(runDir: string): WaitingView {
  const unknown: WaitingView = { reads: null, evidence: [] };
  if (process.platform !== "linux") return unknown;
  const command = commandOf(runDir);
  if (command === null) return unknown;
  const group = Number(statFields(command)[5] ?? -1);
  const evidence: string[] = [];
  let reads: boolean | null = false;
  for (const { identity } of processTable()
    .snapshot()
    .filter((one) => one.pgid === group)) {
    const { pid } = identity;
    const name = `${readProc(`/proc/${pid}/comm`).trim()} (${pid})`;
    const state = statFields(pid)[0] ?? "";
    const place = readProc(`/proc/${pid}/wchan`);
    if (WAITS_FOR_CHILD.test(place)) continue;
    if (readsTerminal(pid)) {
      evidence.push(`${name}, in the foreground, is blocked reading the terminal`);
      reads = true;
    } else if (state === "S" && WAITS_FOR_MANY.test(place)) {
      evidence.push(
        `${name}, in the foreground, waits for events (${place.replace(/\..*/, "")}), the terminal may be among them`,
      );
      if (reads !== true) reads = null;
    } else if (state === "T") evidence.push(`${name}, in the foreground, is suspended`);
    else
      evidence.push(
        `${name}, in the foreground, ${state === "R" || state === "D" ? "is running" : `sleeps (${place === "0" ? state : place})`}`,
      );
  }
  return evidence.length === 0 ? unknown : { reads, evidence };
}
