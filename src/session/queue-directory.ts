/**
 * The queue on disk: a private directory of short symbolic links, which live in their inodes and so can be
 * made on a full disk.
 *
 *   N          ticket N; names the host that stands for it: PID:SESSION:RUN:START
 *   N.held     made by the run's launcher before it starts the command; names the launcher the same way
 *
 * A ticket is alive while its host or its launcher is. It is removed by whoever made it, or, once both are
 * dead, by anybody. The two meet at one name: who removes a ticket that is not held makes `N.held` first, a
 * tombstone, so a launcher whose host was killed finds the name taken and starts nothing; and a launcher
 * that made it looks whether ticket N is still there. So a slot is neither lost nor given twice, whoever is
 * killed between any two steps.
 *
 * Pids mean something only in one boot and one pid namespace: each has a directory of its own.
 */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { errnoOf } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";
import { isInOrder, nextTicket } from "../machine/index.ts";
import type { QueueEntry } from "../machine/index.ts";
import { makePrivateDir } from "../os/private-files.ts";
import type { ProcessTable } from "../ports/index.ts";

const TICKET = /^(\d+)$/;
const HELD = /^(\d+)\.held$/;
/** What stands in a claim that nobody can hold any more. */
const TOMBSTONE = "dead";

/** Who stands for a ticket. */
export interface Claim {
  readonly pid: number;
  readonly session: string;
  readonly run: string;
  readonly start: string;
}

/** One ticket and who stands for it. */
export interface Ticket extends QueueEntry {
  /** null when its link was removed since the listing. */
  readonly claim: Claim | null;
  /** The launcher that holds it. */
  readonly holder: Claim | null;
}

function parseClaim(target: string | null): Claim | null {
  const [, pid, session, run, start] = /^(\d+):([^:]*):([^:]*):(.+)$/s.exec(target ?? "") ?? [];
  if (pid === undefined || session === undefined || run === undefined || start === undefined) return null;
  return { pid: Number(pid), session, run, start };
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

/** Makes a link; false when the name is taken. */
function makeLink(target: string, path: string): boolean {
  try {
    symlinkSync(target, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** The directory's name for this boot and this pid namespace. */
function placeOf(table: ProcessTable): string {
  const boot = createHash("sha256").update(table.boot).digest("hex").slice(0, 8);
  let namespace = "";
  try {
    namespace = /\[(\d+)\]/.exec(readlinkSync("/proc/self/ns/pid"))?.[1] ?? "";
  } catch (error) {
    if (errnoOf(error) === null) throw error; // no /proc here: one namespace
  }
  return namespace === "" ? boot : `${boot}-${namespace}`;
}

/** The queue's links in one directory. Every method throws the system's error when the directory can't be used. */
export class QueueDirectory {
  readonly path: string;
  readonly #table: ProcessTable;
  /** A listing asks for each process once. */
  #lives = new Map<string, boolean>();

  constructor(home: string, table: ProcessTable) {
    this.path = join(home, "queue", placeOf(table));
    this.#table = table;
  }

  /** Makes the directory; gives why it can't be shared, or null. */
  open(home: string): string | null {
    makePrivateDir(this.path);
    for (const dir of [join(home, "queue"), this.path]) {
      const stat = lstatSync(dir);
      if (!stat.isDirectory()) return `${dir} is not a directory`;
      if (stat.uid !== userInfo().uid) return `${dir} belongs to another user`;
      if ((stat.mode & 0o077) !== 0) return `${dir} is open to other users`;
    }
    this.#removeOtherBoots(join(home, "queue"));
    return null;
  }

  /** Tickets of an earlier boot name nobody any more. */
  #removeOtherBoots(parent: string): void {
    const boot = placeOf(this.#table).slice(0, 8);
    for (const name of readdirSync(parent)) {
      if (/^[0-9a-f]{8}(-\d+)?$/.test(name) && !name.startsWith(boot))
        rmSync(join(parent, name), { recursive: true, force: true });
    }
  }

  /** Every ticket, in order, and whether somebody stands for it. */
  list(): readonly Ticket[] {
    this.#lives = new Map();
    const names = readdirSync(this.path);
    const held = new Set(names.flatMap((name) => HELD.exec(name)?.[1] ?? []));
    const tickets: Ticket[] = [];
    for (const name of names) {
      if (!TICKET.test(name)) continue;
      const claim = parseClaim(readLink(this.ticketPath(Number(name))));
      const hold = held.delete(name) ? readLink(this.heldPath(Number(name))) : null;
      const holder = parseClaim(hold);
      const isLive =
        (claim !== null && this.#isAlive(claim, this.ticketPath(Number(name)))) ||
        (holder !== null && this.#isAlive(holder, this.heldPath(Number(name))));
      tickets.push({ number: Number(name), claim, holder, isHeld: holder !== null, isLive });
    }
    // A hold without its ticket: whoever removed the ticket was killed before it removed this.
    for (const number of held) {
      const holder = parseClaim(readLink(this.heldPath(Number(number))));
      if (holder === null || !this.#isAlive(holder, this.heldPath(Number(number))))
        remove(this.heldPath(Number(number)));
    }
    return tickets.toSorted((a, b) => a.number - b.number);
  }

  /**
   * The last number in front of which there is no room for another: as many living tickets as the limit are
   * at or below it. null when there is room. Looks at a few tickets instead of all of them.
   */
  frontier(limit: number): number | null {
    this.#lives = new Map();
    let living = 0;
    for (const number of this.#tickets().toSorted((a, b) => a - b)) {
      const path = this.ticketPath(number);
      const claim = parseClaim(readLink(path));
      const isLive = (claim !== null && this.#isAlive(claim, path)) || this.#isHeldAlive(number);
      if (isLive) living += 1;
      if (living >= limit) return number;
    }
    return null;
  }

  #isHeldAlive(number: number): boolean {
    const path = this.heldPath(number);
    const holder = parseClaim(readLink(path));
    return holder !== null && this.#isAlive(holder, path);
  }

  #tickets(): readonly number[] {
    return readdirSync(this.path)
      .filter((name) => TICKET.test(name))
      .map(Number);
  }

  /** Takes the next ticket. */
  take(self: ProcessIdentity, subject: string): number {
    for (;;) {
      const mine = nextTicket(this.#numbers(), Date.now());
      const path = this.ticketPath(mine);
      if (!makeLink(`${self.pid}:${subject}:${self.start}`, path)) continue;
      if (isInOrder(this.#numbers(), mine)) return mine;
      remove(path);
    }
  }

  /** Removes a ticket whose processes are dead; whoever is about to start its command finds that it can't. */
  reap(number: number): void {
    const held = this.heldPath(number);
    if (!makeLink(TOMBSTONE, held)) {
      const holder = parseClaim(readLink(held));
      this.#lives = new Map();
      if (holder !== null && this.#isAlive(holder, held)) return;
    }
    this.leave(number);
  }

  /** Removes a ticket: first the ticket, which frees its place, then what was made beside it. */
  leave(number: number): void {
    remove(this.ticketPath(number));
    remove(this.heldPath(number));
  }

  ticketPath(number: number): string {
    return join(this.path, String(number));
  }

  heldPath(number: number): string {
    return join(this.path, `${number}.held`);
  }

  /** When a ticket was taken, in milliseconds since the epoch; null when it is gone. */
  takenAt(number: number): number | null {
    try {
      return lstatSync(this.ticketPath(number)).mtimeMs;
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return null;
      throw error;
    }
  }

  #numbers(): readonly number[] {
    return readdirSync(this.path).flatMap((name) => {
      const number = (TICKET.exec(name) ?? HELD.exec(name))?.[1];
      return number === undefined ? [] : [Number(number)];
    });
  }

  #isAlive(claim: Claim, link: string): boolean {
    const key = `${claim.pid}:${claim.start}`;
    let isAlive = this.#lives.get(key);
    if (isAlive === undefined) {
      isAlive =
        claim.start === "-"
          ? this.#isOlder(claim.pid, link)
          : this.#table.isAlive({ pid: claim.pid, start: claim.start, boot: this.#table.boot });
      this.#lives.set(key, isAlive);
    }
    return isAlive;
  }

  /** macOS: a launcher can't tell its own start time cheaply; it was there when it made the link, a later process of its pid was not. */
  #isOlder(pid: number, link: string): boolean {
    const started = Date.parse(this.#table.identify(pid)?.start ?? "");
    try {
      return Number.isFinite(started) && started <= lstatSync(link).mtimeMs;
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return false;
      throw error;
    }
  }
}
