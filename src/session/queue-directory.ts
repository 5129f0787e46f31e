/**
 * The queue on disk: a private directory of short symbolic links, which live in their inodes and so can be
 * made on a full disk.
 *
 *   N              a ticket with place N; names the host that stands for it: PID:SESSION:RUN:START
 *   N-RUN-PID      one more ticket with the same place: of a command inside the run that has N, or of a run
 *                  whose next host took its place up. The place is there as long as one of its tickets is
 *   TICKET.held    made by the run's launcher before it starts the command; names the launcher the same way
 *   TICKET.command made by the command's own process before it becomes the command; names itself
 *   TICKET.kept    made by the host once the ticket counts: from then on its session's keeper stands for it, too
 *   N.drawn        made before the ticket, so that a number is given once: the highest of them always stays
 *   SESSION.keeper names the guardian that brings the session's next host: PID:START
 *
 * A ticket is alive while its host, its launcher or its command is; one that counts and that no launcher holds also while
 * its session's keeper is, so that a run that waits keeps its place while one host follows another. It is removed by
 * whoever made it, or, once all of them are dead, by anybody. The two meet at one name: who removes a ticket
 * that is not held makes `TICKET.held` first, a tombstone, so a launcher whose host was killed finds the name
 * taken and starts nothing; and a launcher that made it looks whether its ticket is still there. The same with
 * `TICKET.command` for a launcher that is killed while its command is about to begin. So a slot is
 * neither lost nor given twice, whoever is killed between any two steps.
 *
 * A number whose ticket is gone is not given again, however long somebody slept between reading the numbers and
 * making one: it finds the mark of the number, or that of a higher one. So a link that is about to be removed
 * beside one ticket is never another ticket's.
 *
 * A place is joined in two steps as well: the new ticket is made, and counts if the ticket beside which it
 * was made is still there then. Whoever removed that one before looks again and sees the new one.
 *
 * Pids mean something only in one boot and one pid namespace: each has a directory of its own.
 */
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  lstatSync,
  lutimesSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { errnoOf } from "../model/index.ts";
import type { ProcessIdentity } from "../model/index.ts";
import { isInOrder, nextTicket } from "../machine/index.ts";
import type { QueueEntry } from "../machine/index.ts";
import { makePrivateDir } from "../os/private-files.ts";
import type { ProcessTable } from "../ports/index.ts";

const TICKET = /^(\d+)(?:-[\w-]+)?$/;
/** The links beside a ticket. */
const BESIDE = /^((\d+)(?:-[\w-]+)?)\.(held|command|kept)$/;
const DRAWN = /^(\d+)\.drawn$/;
const KEEPER = /^([\w-]+)\.keeper(?:\.new)?$/;
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
export interface Ticket {
  /** Its name in the directory. */
  readonly name: string;
  /** Its place. */
  readonly number: number;
  /** null when its link was removed since the listing. */
  readonly claim: Claim | null;
  /** The launcher that holds it. */
  readonly holder: Claim | null;
  /** Its command was begun. */
  readonly isBegun: boolean;
  /** It was drawn in order, or made beside one that was there: not on its way, or given up on it. */
  readonly counts: boolean;
  readonly isLive: boolean;
}

/** One place in the queue: alive while one of its tickets is. */
export interface Place extends QueueEntry {
  /** The one that was there first comes first. */
  readonly tickets: readonly Ticket[];
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
    for (const dir of [join(home, "queue"), this.path]) {
      makePrivateDir(dir);
      const stat = lstatSync(dir);
      if (!stat.isDirectory()) return `${dir} is not a directory`;
      if (stat.uid !== userInfo().uid) return `${dir} belongs to another user`;
      if ((stat.mode & 0o077) !== 0) return `${dir} is open to other users`;
    }
    this.#removeOtherBoots(join(home, "queue"));
    this.#removeDeadKeepers();
    return null;
  }

  /** Throws when nothing can be changed here any more: who is done could not leave, and who waits would wait for ever. */
  checkWritable(): void {
    accessSync(this.path, constants.W_OK);
  }

  #removeDeadKeepers(): void {
    this.#lives = new Map();
    for (const name of readdirSync(this.path)) {
      const session = KEEPER.exec(name)?.[1];
      if (session !== undefined && !this.#isKept(session)) this.letGo(session);
    }
  }

  /** Tickets of an earlier boot name nobody any more. */
  #removeOtherBoots(parent: string): void {
    const boot = placeOf(this.#table).slice(0, 8);
    for (const name of readdirSync(parent)) {
      if (/^[0-9a-f]{8}(-\d+)?$/.test(name) && !name.startsWith(boot))
        rmSync(join(parent, name), { recursive: true, force: true });
    }
  }

  /** Every place, in order, and whether somebody stands for it. */
  list(): readonly Place[] {
    this.#lives = new Map();
    const names = readdirSync(this.path);
    const beside = new Set(names.filter((name) => BESIDE.test(name)));
    const places = new Map<number, Ticket[]>();
    for (const name of names) {
      const number = TICKET.exec(name)?.[1];
      if (number === undefined) continue;
      const ticket = this.#ticket(name, Number(number), beside);
      const others = places.get(ticket.number);
      if (others === undefined) places.set(ticket.number, [ticket]);
      else others.push(ticket);
    }
    // A link without its ticket: whoever removed the ticket was killed before it removed this.
    for (const name of beside) {
      const ticket = BESIDE.exec(name)?.[1] ?? "";
      if (!names.includes(ticket) && this.#holderOf(join(this.path, name)) === null) remove(join(this.path, name));
    }
    return [...places]
      .toSorted(([a], [b]) => a - b)
      .map(([number, tickets]) => ({
        number,
        tickets: tickets.toSorted((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1)),
        isLive: tickets.some((ticket) => ticket.isLive),
        isHeld: tickets.some(({ holder, isBegun }) => holder !== null || isBegun),
      }));
  }

  /** `beside` are the links that are there; null: not listed. */
  #ticket(name: string, number: number, beside: ReadonlySet<string> | null): Ticket {
    const path = this.ticketPath(name);
    const claim = parseClaim(readLink(path));
    const [held, command] = [`${path}.held`, `${path}.command`];
    const counts = beside === null ? readLink(`${path}.kept`) !== null : beside.has(`${name}.kept`);
    const hold = beside?.has(`${name}.held`) === false ? null : readLink(held);
    const begun = beside?.has(`${name}.command`) === false ? null : readLink(command);
    const holder = parseClaim(hold);
    const isLive =
      (claim !== null && this.#isAlive(claim, path)) ||
      (holder !== null && this.#isAlive(holder, held)) ||
      this.#isClaimed(begun, command) ||
      (claim !== null && counts && hold === null && begun === null && this.#isKept(claim.session));
    return { name, number, claim, holder, isBegun: parseClaim(begun) !== null, counts, isLive };
  }

  #isClaimed(target: string | null, path: string): boolean {
    const claim = parseClaim(target);
    return claim !== null && this.#isAlive(claim, path);
  }

  /** Who stands behind a link beside a ticket; null when nobody that lives does. */
  #holderOf(path: string): Claim | null {
    const claim = parseClaim(readLink(path));
    return claim !== null && this.#isAlive(claim, path) ? claim : null;
  }

  /**
   * The last place in front of which there is no room for another: as many living ones as the limit are at
   * or below it. null when there is room. Looks at a few tickets instead of all of them.
   */
  frontier(limit: number): number | null {
    this.#lives = new Map();
    const places = new Map<number, string[]>();
    for (const name of readdirSync(this.path)) {
      const number = TICKET.exec(name)?.[1];
      if (number === undefined) continue;
      const others = places.get(Number(number));
      if (others === undefined) places.set(Number(number), [name]);
      else others.push(name);
    }
    let living = 0;
    for (const [number, names] of [...places].toSorted(([a], [b]) => a - b)) {
      if (names.some((name) => this.#ticket(name, number, null).isLive)) living += 1;
      if (living >= limit) return number;
    }
    return null;
  }

  /** Takes the next place. */
  take(self: ProcessIdentity, subject: string): number {
    for (;;) {
      const mine = nextTicket(this.#numbers(), Date.now());
      const path = this.ticketPath(String(mine));
      if (!makeLink("drawn", `${path}.drawn`)) continue;
      if (!makeLink(`${self.pid}:${subject}:${self.start}`, path)) continue;
      if (isInOrder(this.#numbers(), mine)) {
        this.#count(String(mine));
        this.#forgetBelow(mine);
        return mine;
      }
      remove(path);
    }
  }

  /** Removes the marks of numbers below one that is marked itself. */
  #forgetBelow(mine: number): void {
    for (const name of readdirSync(this.path)) {
      const drawn = DRAWN.exec(name)?.[1];
      if (drawn !== undefined && Number(drawn) < mine) remove(this.ticketPath(name));
    }
  }

  /** Takes a ticket beside another one, with the same place; gives its name, or null when that one is gone. */
  join(beside: Ticket, run: string, self: ProcessIdentity, subject: string): string | null {
    const name = `${beside.number}-${run}-${self.pid}`;
    const path = this.ticketPath(name);
    if (!makeLink(`${self.pid}:${subject}:${self.start}`, path)) return null;
    if (readLink(this.ticketPath(beside.name)) !== null) {
      this.#count(name);
      return name;
    }
    remove(path);
    return null;
  }

  #count(name: string): void {
    try {
      makeLink("kept", `${this.ticketPath(name)}.kept`);
    } catch (error) {
      // A disk without inodes: the run that waits goes to the end when its host is killed.
      if (errnoOf(error) === null) throw error;
    }
  }

  /** Removes what former hosts of a session left for runs that nobody knows; a launcher that lives keeps its ticket. */
  sweep(session: string, self: ProcessIdentity): void {
    for (const { name, claim } of this.list().flatMap(({ tickets }) => tickets)) {
      if (claim?.session !== session || (claim.pid === self.pid && claim.start === self.start)) continue;
      if (this.#seal(name)) this.leave(name);
    }
  }

  /**
   * Takes up the place that a former host of a session took for a run; gives the new ticket, or null when
   * the place is gone, or a launcher of the former host has it.
   */
  takeUp(
    session: string,
    run: string,
    self: ProcessIdentity,
  ): { readonly name: string; readonly number: number } | null {
    const former = this.list().flatMap(({ tickets }) =>
      tickets.filter(({ claim, counts }) => counts && claim?.session === session && claim.run === run),
    );
    const [first] = former;
    if (first === undefined) return null;
    const since = this.takenAt(first.name);
    const name = this.join(first, run, self, `${session}:${run}`);
    if (name === null) return null;
    for (const ticket of former) {
      if (!this.#seal(ticket.name)) {
        this.leave(name);
        return null;
      }
      this.leave(ticket.name);
    }
    if (since !== null) lutimesSync(this.ticketPath(name), since / 1000, since / 1000);
    return { name, number: first.number };
  }

  /** Removes a place whose processes are dead; whoever is about to start its command finds that it can't. */
  reap(place: Place): void {
    for (const { name } of place.tickets) if (this.#seal(name)) this.leave(name);
  }

  /** Makes sure that no launcher and no command comes to hold a ticket any more; false when one does. */
  #seal(name: string): boolean {
    return [`${name}.held`, `${name}.command`].every((beside) => {
      const path = join(this.path, beside);
      if (makeLink(TOMBSTONE, path)) return true;
      this.#lives = new Map();
      return this.#holderOf(path) === null;
    });
  }

  /** Removes a ticket: first the ticket, which frees its place, then what was made beside it. */
  leave(name: string): void {
    const path = this.ticketPath(name);
    for (const one of [path, `${path}.kept`, `${path}.held`, `${path}.command`]) remove(one);
  }

  /** Says who brings the session's next host; what waits lives on with it. */
  keep(session: string, keeper: ProcessIdentity): void {
    const path = this.#keeperPath(session);
    const target = `${keeper.pid}:${keeper.start}`;
    if (readLink(path) === target) return;
    const temporary = `${path}.new`; // a session has one host
    remove(temporary);
    symlinkSync(target, temporary);
    renameSync(temporary, path);
  }

  /** Takes back what `keep` said. */
  letGo(session: string): void {
    remove(this.#keeperPath(session));
    remove(`${this.#keeperPath(session)}.new`);
  }

  #keeperPath(session: string): string {
    return join(this.path, `${session}.keeper`);
  }

  #isKept(session: string): boolean {
    const [, pid, start] = /^(\d+):(.+)$/.exec(readLink(this.#keeperPath(session)) ?? "") ?? [];
    if (pid === undefined || start === undefined) return false;
    return this.#isAlive({ pid: Number(pid), start, session, run: "" }, this.#keeperPath(session));
  }

  ticketPath(name: string): string {
    return join(this.path, name);
  }

  /** When a ticket was taken, in milliseconds since the epoch; null when it is gone. */
  takenAt(name: string): number | null {
    try {
      return lstatSync(this.ticketPath(name)).mtimeMs;
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return null;
      throw error;
    }
  }

  #numbers(): readonly number[] {
    return readdirSync(this.path).flatMap((name) => {
      const number = TICKET.exec(name)?.[1] ?? DRAWN.exec(name)?.[1];
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
