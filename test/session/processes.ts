/** What the machine looks like from outside: used by tests to see that nothing is left. */
import { readFileSync, readdirSync, readlinkSync } from "node:fs";

export interface SeenProcess {
  readonly pid: number;
  readonly ppid: number;
  readonly start: string;
  readonly state: string;
  readonly command: string;
}

/** A duration for sleep(1) that nobody else on the machine has, another run of the same tests included. */
export function uniqueSleep(): string {
  return `${400 + Math.floor(Math.random() * 99)}.${String(Math.floor(Math.random() * 1e9)).padStart(9, "0")}`;
}

/** Every living process of this machine. */
export function livingProcesses(): SeenProcess[] {
  const found: SeenProcess[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const state = fields[0] ?? "X";
      if (state === "Z" || state === "X") continue;
      const command = readFileSync(`/proc/${name}/cmdline`, "latin1").replaceAll("\0", " ").trim();
      found.push({ pid: Number(name), ppid: Number(fields[1]), start: fields[19] ?? "", state, command });
    } catch {
      // Gone between the listing and the look.
    }
  }
  return found;
}

/** Processes that have `text` in their command line, or a file open below `dir`. */
export function processesOf(dir: string, text: string | null = null): SeenProcess[] {
  return livingProcesses().filter((p) => {
    if (p.pid === process.pid) return false;
    if (p.command.includes(dir) || (text !== null && p.command.includes(text))) return true;
    try {
      return readdirSync(`/proc/${p.pid}/fd`).some((fd) => {
        try {
          return readlinkSync(`/proc/${p.pid}/fd/${fd}`).startsWith(dir);
        } catch {
          return false;
        }
      });
    } catch {
      return false;
    }
  });
}

/** Polls until `probe` gives something truthy; throws with `what` after `ms`. */
export async function eventually<T>(what: string, probe: () => T | Promise<T>, ms = 20_000): Promise<NonNullable<T>> {
  const until = Date.now() + ms;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > until) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Kills exactly the process that was seen. */
export function killSeen(seen: SeenProcess, signal: NodeJS.Signals = "SIGKILL"): boolean {
  const now = livingProcesses().find((p) => p.pid === seen.pid);
  if (now === undefined || now.start !== seen.start) return false;
  try {
    process.kill(seen.pid, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false; // it went by itself
    throw error;
  }
}
