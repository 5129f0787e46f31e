/** A process table of invented processes: pids that are taken again, members that ignore signals, looks that miss. */
import type { ProcessIdentity, SignalName } from "../model/index.ts";
import type { ProcessEntry, ProcessTable, SignalOutcome } from "../ports/index.ts";

/** How an invented process takes a signal: whether it dies of it. */
export type DiesOf = (signal: SignalName) => boolean;

interface Invented {
  readonly entry: ProcessEntry;
  readonly environment: readonly string[];
  readonly diesOf: DiesOf;
}

/** What is told about an invented process; the rest follows. */
export interface Invention {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid?: number;
  readonly sid?: number;
  readonly environment?: readonly string[];
  readonly diesOf?: DiesOf;
}

/** Processes in a test's hands. */
export class FakeProcessTable implements ProcessTable {
  readonly boot = "fake-boot";
  /** Every signal that was sent, in order. */
  readonly sent: { readonly pid: number; readonly signal: SignalName }[] = [];
  readonly #processes = new Map<number, Invented>();
  #start = 0;

  /** Invents a process; one that has the pid already is replaced by a stranger. */
  invent(given: Invention): ProcessIdentity {
    const identity: ProcessIdentity = { pid: given.pid, start: String(++this.#start), boot: this.boot };
    this.#processes.set(given.pid, {
      entry: { identity, ppid: given.ppid, pgid: given.pgid ?? given.pid, sid: given.sid ?? given.pid, stopped: false },
      environment: given.environment ?? [],
      diesOf: given.diesOf ?? ((signal) => signal === "SIGKILL" || signal === "SIGTERM"),
    });
    return identity;
  }

  /** Ends a process; its children become the children of `heir`. */
  end(pid: number, heir = 1): void {
    this.#processes.delete(pid);
    for (const [child, process] of this.#processes) {
      if (process.entry.ppid === pid)
        this.#processes.set(child, { ...process, entry: { ...process.entry, ppid: heir } });
    }
  }

  entry(pid: number): ProcessEntry | null {
    return this.#processes.get(pid)?.entry ?? null;
  }

  identify(pid: number): ProcessIdentity | null {
    return this.entry(pid)?.identity ?? null;
  }

  isAlive(identity: ProcessIdentity): boolean {
    return this.identify(identity.pid)?.start === identity.start && identity.boot === this.boot;
  }

  snapshot(): readonly ProcessEntry[] {
    return [...this.#processes.values()].map((p) => p.entry);
  }

  children(pid: number): readonly number[] | null {
    if (!this.#processes.has(pid)) return null;
    return this.snapshot()
      .filter((p) => p.ppid === pid)
      .map((p) => p.identity.pid);
  }

  environmentHas(pid: number, entry: string): boolean {
    return this.#processes.get(pid)?.environment.includes(entry) ?? false;
  }

  commandLine(pid: number): string | null {
    return this.#processes.has(pid) ? `invented ${pid}` : null;
  }

  usage(pid: number): { rssBytes: number; cpuMs: number } | null {
    return this.#processes.has(pid) ? { rssBytes: 0, cpuMs: 0 } : null;
  }

  signal(identity: ProcessIdentity, signal: SignalName): SignalOutcome {
    if (!this.isAlive(identity)) return "gone";
    this.sent.push({ pid: identity.pid, signal });
    if (this.#processes.get(identity.pid)?.diesOf(signal) === true) this.end(identity.pid);
    return "sent";
  }

  signalGroup(leader: ProcessIdentity, session: number, signal: SignalName): SignalOutcome {
    const members = this.snapshot().filter((p) => p.pgid === leader.pid && (p.sid === session || this.isAlive(leader)));
    for (const { identity } of members) this.signal(identity, signal);
    return members.length === 0 ? "gone" : "sent";
  }
}
