/**
 * The one stop protocol: SIGTERM and SIGCONT to every member, a grace period, SIGKILL, and a look again
 * until nobody is left. SIGTERM comes first because SIGKILL leaves lock files behind; SIGCONT because a
 * suspended process acts on SIGTERM only when it is continued.
 *
 * Members that appear after the first SIGTERM are not asked again: they are a trap's clean-up at work.
 * The grace period ends for them as for all.
 */
import type { PoliteStop, ProcessView, SignalName } from "../model/index.ts";
import { sameProcess } from "../model/index.ts";
import type { Clock, ProcessEntry, ProcessTable, RunCgroup } from "../ports/index.ts";
import type { Membership } from "./membership.ts";

/** What a sweep came to. */
export interface SweepReport {
  readonly signals: readonly SignalName[];
  readonly survivors: readonly ProcessView[];
}

/** How often known members are looked at during the grace period, in milliseconds. */
const LOOK_MS = 20;
/** The same where the launcher tells that nobody is left: only in case that it is killed meanwhile. */
const TOLD_LOOK_MS = 500;
/** How long members may take to die of SIGKILL before they are named as survivors, in milliseconds. */
const KILL_BOUND_MS = 3000;

/** What is special about a run's stop. */
export interface SweepManner {
  /** The signal by which the program likes to be asked first. */
  readonly polite: PoliteStop | null;
  /**
   * The command is a sandbox's own process: whatever is inside dies with it at once, so it is left out until
   * SIGKILL, and the processes inside are asked one by one.
   */
  readonly isWrapped: boolean;
}

/** One stop of one run's members; further requests can only shorten its grace period. */
export class MemberSweep {
  readonly #members: Membership;
  readonly #table: ProcessTable;
  readonly #clock: Clock;
  readonly #cgroup: RunCgroup | null;
  readonly #isEmptied: () => boolean;
  readonly #signals: SignalName[] = [];
  #deadline: number;
  #wake: (() => void) | null = null;

  readonly #manner: SweepManner;

  /** `isEmptied` tells whether the launcher said that nobody is left. */
  constructor(
    members: Membership,
    table: ProcessTable,
    clock: Clock,
    cgroup: RunCgroup | null,
    isEmptied: () => boolean,
    graceMs: number,
    manner: SweepManner = { polite: null, isWrapped: false },
  ) {
    this.#manner = manner;
    this.#members = members;
    this.#table = table;
    this.#clock = clock;
    this.#cgroup = cgroup;
    this.#isEmptied = isEmptied;
    this.#deadline = clock.mono() + graceMs;
  }

  /** Ends the grace period no later than `graceMs` from now. */
  hasten(graceMs: number): void {
    this.#deadline = Math.min(this.#deadline, this.#clock.mono() + graceMs);
    this.#wake?.();
  }

  /** Tells that something may have changed (the launcher said that it has no child left). */
  nudge(): void {
    this.#wake?.();
  }

  /** Carries the protocol out; resolves when nobody is left, or with who survived. */
  async run(): Promise<SweepReport> {
    let members = this.#members.find();
    if (members.length > 0 && this.#manner.polite !== null && this.#deadline > this.#clock.mono()) {
      members = await this.#askPolitely(this.#manner.polite, members);
    }
    if (members.length > 0 && this.#deadline > this.#clock.mono()) {
      this.#ask(members);
      members = await this.#awaitEnd();
    }
    if (members.length > 0) members = await this.#kill(members);
    return { signals: this.#signals, survivors: this.#members.describe(members) };
  }

  /** The program's own way first; the grace period of SIGTERM begins when it did not take it. */
  async #askPolitely(polite: PoliteStop, members: readonly ProcessEntry[]): Promise<readonly ProcessEntry[]> {
    const { processes } = this.#members;
    if (processes === null) return members;
    const began = this.#clock.mono();
    const graceMs = this.#deadline - began;
    if (this.#manner.isWrapped) this.#send(members, polite.signal);
    else if (polite.to === "process") this.#table.signal(processes.command, polite.signal);
    else this.#table.signalGroup(processes.command, processes.launcher.pid, polite.signal);
    this.#signals.push(polite.signal);
    const hastened = this.#deadline;
    const until = began + polite.waitMs;
    // Over when the program itself is gone: what it left behind will not act on the signal any more.
    while (this.#clock.mono() < until && this.#deadline === hastened && this.#table.isAlive(processes.command)) {
      await this.#pause(Math.min(LOOK_MS, until - this.#clock.mono()));
    }
    if (this.#deadline === hastened) this.#deadline = this.#clock.mono() + graceMs;
    return this.#members.find();
  }

  #ask(members: readonly ProcessEntry[]): void {
    this.#send(members, "SIGTERM");
    this.#signals.push("SIGTERM");
    // An interactive shell ignores SIGTERM; a terminal that goes away is what it ends for.
    if ((this.#members.processes?.terminal ?? null) !== null) {
      this.#send(members, "SIGHUP");
      this.#signals.push("SIGHUP");
    }
    this.#send(members, "SIGCONT");
  }

  /** The command's group at once, so that a loop can't take its next step; then each that is elsewhere. */
  #send(members: readonly ProcessEntry[], signal: SignalName): void {
    const processes = this.#members.processes;
    let group = -1;
    if (processes !== null && this.#manner.isWrapped && signal !== "SIGKILL") {
      for (const { identity } of members) {
        if (!sameProcess(identity, processes.command)) this.#table.signal(identity, signal);
      }
      return;
    }
    if (processes !== null) {
      const { command, leader } = processes;
      // Whoever is to be continued was stopped before, and is known: without its leader the group is not searched for more.
      const isLed = signal !== "SIGCONT" || this.#table.isAlive(command);
      if (isLed && members.some((m) => m.pgid === command.pid && m.sid === leader.pid)) {
        if (this.#table.signalGroup(command, leader.pid, signal) === "sent") group = command.pid;
      }
    }
    for (const { identity, pgid } of members) {
      if (pgid !== group) this.#table.signal(identity, signal);
    }
  }

  async #awaitEnd(): Promise<readonly ProcessEntry[]> {
    for (;;) {
      const isTold = this.#members.isComplete;
      await this.#pause(Math.min(isTold ? TOLD_LOOK_MS : LOOK_MS, this.#deadline - this.#clock.mono()));
      if (this.#isEmptied()) return [];
      // A launcher that has just left has said so: heard before anybody is looked for.
      if (isTold && !this.#members.isComplete) await this.#pause(1);
      if (this.#isEmptied()) return [];
      // The full look is costly: only when everyone who was seen is gone, or time is up.
      const isOver = this.#clock.mono() >= this.#deadline;
      if (!isOver && this.#members.anyKnownAlive()) continue;
      const members = this.#members.find();
      if (members.length === 0 || isOver) return members;
    }
  }

  async #kill(first: readonly ProcessEntry[]): Promise<readonly ProcessEntry[]> {
    let members = first;
    const until = this.#clock.mono() + KILL_BOUND_MS;
    this.#signals.push("SIGKILL");
    for (let pauseMs = 1; members.length > 0; pauseMs = Math.min(pauseMs * 2, 50)) {
      this.#cgroup?.kill();
      this.#send(members, "SIGKILL");
      if (this.#clock.mono() >= until) return this.#members.find();
      await this.#pause(pauseMs);
      members = this.#isEmptied() ? [] : this.#members.find();
    }
    return members;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        this.#wake = null;
        timer.cancel();
        resolve();
      };
      const timer = this.#clock.after(Math.max(0, ms), finish);
      this.#wake = finish;
    });
  }
}
