/**
 * Serves one session: the engine inside, the socket outside, the lease of the owner, the guardian for the
 * worst case. Holds nothing that is not also on disk. Ends when the session ends, or when nothing runs
 * and nobody is attached.
 */
import { chmodSync, existsSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { join } from "node:path";
import { DEFAULT_GRACE_MS, ProctorError, resolveSettings, sameProcess } from "../model/index.ts";
import type { ProcessIdentity, RunEvent } from "../model/index.ts";
import { SessionEngine, SessionProcesses } from "../engine/index.ts";
import type { EngineDependencies } from "../engine/index.ts";
import {
  diskError,
  findProgram,
  isDiskError,
  panes,
  perlLauncher,
  processTable,
  readPressure,
  runStore,
  SystemdScope,
  systemCgroups,
  systemClock,
  terminals,
} from "../os/index.ts";
import type { ProcessTable, SessionCgroup } from "../ports/index.ts";
import { PROTOCOL_VERSION, Peer, RawJson } from "../protocol/index.ts";
import type { HelloAnswer } from "../protocol/index.ts";
import {
  parseCollect,
  parseHello,
  parseId,
  parseIds,
  parseInput,
  parseResize,
  parseStart,
  parseStop,
  parseStopOne,
  parseWait,
} from "../protocol/messages.ts";
import { CLI_PROGRAM, Guardian } from "./guardian.ts";
import { heavyQueue } from "./heavy-queue.ts";
import { heavinessOf } from "./heavy-commands.ts";
import { hostEnvironment } from "./host-environment.ts";
import { becomeHost } from "./host-lock.ts";
import { tryConnect } from "./host-start.ts";
import { launchSocketPath, panesSocketPath, placeSocket, socketPath } from "./host-socket.ts";
import { thisProcess } from "./owner.ts";
import { recordOwnerSession } from "./owner-session.ts";
import type { OwnerSession } from "./owner-session.ts";
import { queryAnswers } from "./query-answers.ts";
import { maxHeavyJobs } from "./queue-limit.ts";
import { isStillThere, recordOwner, removeSession, stateHome } from "./session-dir.ts";
import type { SessionPlace } from "./session-dir.ts";

/** How long a lost lease may be taken up again while its owner lives, in milliseconds (contract §3). */
const LEASE_GRACE_MS = 3000;
/** How many bytes the logs of a session's ended runs may have together. */
const LOGS_TOTAL_BYTES = 8 * 1024 ** 3;
/** How often logs are looked at that are kept no longer, in milliseconds. */
const COLLECT_MS = 60_000;
/** How often the owner, the directory and idleness are looked at, in milliseconds. */
const TICK_MS = 1000;
/** How long a host without work and without company stays for the next caller, in milliseconds. */
const LINGER_MS = 3000;

/** How often a host that follows looks whether another that was faster serves, in milliseconds. */
const FOLLOW_MS = 20;

/** Why a host could not start: another serves already, or nothing. */
export type HostStart =
  | { readonly kind: "serving"; readonly host: SessionHost }
  | { readonly kind: "served-by-another" };

/** What the host is told about how it runs. */
export interface HostOptions {
  /** Embedded in a caller's process: it ends with its session, not by being idle, and never exits the process. */
  readonly embedded: boolean;
  /** Started by a guardian, which is this process's parent. */
  readonly guarded: boolean;
  /** Started by a guardian whose host was killed. */
  readonly follows: boolean;
  /** Takes a fault that no caller waits for. */
  readonly report: (error: unknown) => void;
}

/**
 * Becomes the session's host; false when another is. One that follows a killed host leaves only when the other
 * serves: with it goes its guardian, who until then stands in the queue for what waited under the killed one.
 */
async function takeOffice(
  place: SessionPlace,
  self: ProcessIdentity,
  table: ProcessTable,
  follows: boolean,
): Promise<boolean> {
  while (!becomeHost(place.dir, self, table)) {
    if (!follows) return false;
    const other = await tryConnect(socketPath(place.dir));
    other?.destroy();
    if (other !== null) return false;
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
  }
  return true;
}

/** One host of one session. */
export class SessionHost {
  readonly engine: SessionEngine;
  /** The session that this one was started from. */
  readonly ownerSession: OwnerSession | null;
  readonly #place: SessionPlace;
  readonly #table: ProcessTable;
  readonly #options: HostOptions;
  readonly #guardian: Guardian;
  readonly #group: SessionCgroup | null;
  readonly #peers = new Set<Peer>();
  readonly #whenOver: Promise<void>;
  #resolveOver: () => void = () => undefined;
  #server: Server | null = null;
  /** Where it listens; empty while a new place is being made. */
  #socket = "";
  #tick: NodeJS.Timeout | null = null;
  #owner: ProcessIdentity | null;
  #lease: Peer | null = null;
  #leaseTimer: NodeJS.Timeout | null = null;
  #idleSince: number | null = null;
  #isOver = false;
  /** Not at once: a host that starts has a caller to answer. */
  #collectedAt = performance.now() - COLLECT_MS + 5000;

  private constructor(place: SessionPlace, table: ProcessTable, options: HostOptions) {
    this.#place = place;
    this.#table = table;
    this.#options = options;
    this.#owner = place.record.owner;
    this.#guardian = new Guardian(place.dir, table, hostEnvironment(process.env));
    const self = thisProcess();
    this.ownerSession = recordOwnerSession(place, table, self);
    const shell = process.env["PROCTOR_SHELL"] ?? findProgram("bash");
    if (shell === null)
      throw new ProctorError(
        "ERR_HOST_SHELL",
        "bash was not found on PATH; proctor runs commands with it. Install it, or name it in PROCTOR_SHELL.",
      );
    const perl = findProgram("perl");
    if (perl === null)
      throw new ProctorError(
        "ERR_HOST_SHELL",
        "perl was not found on PATH; the launcher of every run needs it. Install it.",
      );
    const scope = new SystemdScope({
      name: `proctor-${place.record.id}`,
      recordPath: join(place.dir, "scopes"),
      env: process.env,
    });
    const cgroups = systemCgroups(scope);
    const group = cgroups.ofSession(place.record.id);
    this.#group = group;
    const environment = hostEnvironment(process.env);
    const shown = panes({
      wanted: process.env["PROCTOR_TERMINAL"],
      socket: panesSocketPath(placeSocket(place.dir)),
      env: { LANG: "C.UTF-8", ...environment, TERM: "xterm-256color" },
      command: (runId) => [process.execPath, CLI_PROGRAM, "attach", runId, "--keep-attached", "--session", place.dir],
      report: options.report,
    });
    const deps: EngineDependencies = {
      sessionId: place.record.id,
      sessionDir: place.dir,
      clock: systemClock,
      table,
      launcher: perlLauncher(table, perl, {
        socketPath: () => launchSocketPath(placeSocket(place.dir)),
        cgroupFile: group?.joinFile ?? null,
        scope,
      }),
      store: runStore(place.dir),
      cgroups,
      queue: heavyQueue({
        home: stateHome(),
        sessionId: place.record.id,
        self,
        table,
        limit: maxHeavyJobs(process.env),
        keeper: () => this.#guardian.identity,
        pressure: readPressure,
        report: options.report,
      }),
      retention: { ttlMs: resolveSettings({ env: process.env }).settings.logTtlMs, totalBytes: LOGS_TOTAL_BYTES },
      heavinessOf,
      terminals,
      answers: queryAnswers,
      panes: shown,
      shell,
      perl,
      hidden: [...new Set([place.dir, stateHome()])],
      processes: new SessionProcesses(
        table,
        group,
        (identity) =>
          sameProcess(identity, self) ||
          (this.#guardian.identity !== null && sameProcess(identity, this.#guardian.identity)),
      ),
      report: options.report,
    };
    this.engine = new SessionEngine(deps, {
      removeDirectory: () => {
        shown.close();
        removeSession(place);
        if (group !== null) removeWhenEmpty(group);
      },
    });
    this.#whenOver = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
  }

  /**
   * Becomes the session's host, takes up what a former one left, and serves.
   *
   * @throws ProctorError when the directory can't be written or a program is missing.
   */
  static async start(place: SessionPlace, options: HostOptions): Promise<HostStart> {
    const table = processTable();
    const self = table.identify(process.pid);
    if (self === null) throw new ProctorError("ERR_BUG", "This process could not find itself in the process table.");
    let host: SessionHost;
    try {
      if (!(await takeOffice(place, self, table, options.follows))) return { kind: "served-by-another" };
      host = new SessionHost(place, table, options);
      if (options.guarded) host.#guardian.adoptParent(); // known to the queue with the first place that is taken up
      host.engine.recover();
      await host.#listen();
    } catch (error) {
      throw isDiskError(error) ? diskError(place.dir, error) : error;
    }
    if (!options.guarded) host.#guardian.start();
    host.engine.prepare();
    host.#tick = setInterval(() => host.#look(), TICK_MS);
    if (options.embedded) host.#tick.unref();
    if (host.#owner !== null && !host.#ownerLives()) host.#ownerLost();
    return { kind: "serving", host };
  }

  /** Resolves when this host has nothing more to do. */
  get whenOver(): Promise<void> {
    return this.#whenOver;
  }

  /** Takes the lease for the process that the host is embedded in. */
  own(owner: ProcessIdentity): void {
    this.#owner = owner;
    recordOwner(this.#place, owner);
  }

  /** Stops serving; the runs go on, for the next host to take up. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#tick !== null) clearInterval(this.#tick);
    if (this.#leaseTimer !== null) clearTimeout(this.#leaseTimer);
    this.engine.release();
    this.#guardian.dismiss();
    this.#server?.close();
    for (const peer of this.#peers) peer.close();
    if (this.#group !== null && !this.engine.isBusy) removeWhenEmpty(this.#group);
    this.#resolveOver();
  }

  async #listen(): Promise<void> {
    const path = placeSocket(this.#place.dir);
    this.#socket = path;
    // The lock is ours: a socket file that is there is a dead host's.
    rmSync(path, { force: true });
    const server = createServer({ allowHalfOpen: false }, (socket) => this.#accept(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, () => {
        server.off("error", reject);
        server.on("error", this.#options.report);
        resolve();
      });
    });
    chmodSync(path, 0o600);
    if (this.#options.embedded) server.unref();
  }

  /** Something tidied the socket away (a cleaner of temporary files, the end of a login): callers find a new one. */
  #listenAgain(): void {
    if (this.#socket === "" || existsSync(this.#socket)) return;
    this.#socket = "";
    // Closed first: closing removes whatever has its name. Those who are connected stay so.
    this.#server?.close();
    void this.#listen().catch((error: unknown) => {
      this.#options.report(error);
      this.#socket = socketPath(this.#place.dir); // tried again at the next look
    });
  }

  #accept(socket: Socket): void {
    if (this.#options.embedded) socket.unref();
    let greeted = false;
    let unsubscribe: (() => void) | null = null;
    let unsubscribeQueue: (() => void) | null = null;
    const peer: Peer = new Peer(socket, async (method, params) => {
      if (method === "hello") {
        const answer = this.#hello(peer, params);
        greeted = true;
        return answer;
      }
      if (!greeted) throw new ProctorError("ERR_HOST_PROTOCOL", `The first message must be "hello", not "${method}".`);
      if (method === "subscribe") {
        unsubscribe ??= this.engine.onChange((event: RunEvent) => peer.notify("event", event));
        return {};
      }
      if (method === "subscribeQueue") {
        unsubscribeQueue ??= this.engine.onQueueChange((event) => peer.notify("queue", event));
        return {};
      }
      return this.#answer(method, params, this.#lease === peer);
    });
    this.#peers.add(peer);
    this.#idleSince = null;
    void peer.whenClosed.then(() => {
      unsubscribe?.();
      unsubscribeQueue?.();
      this.#peers.delete(peer);
      if (this.#lease === peer) this.#leaseLost();
    });
  }

  #hello(peer: Peer, params: unknown): HelloAnswer {
    const hello = parseHello(params);
    if (hello.protocol !== PROTOCOL_VERSION) {
      throw new ProctorError(
        "ERR_HOST_PROTOCOL",
        `The session's host (pid ${process.pid}) speaks protocol ${PROTOCOL_VERSION}, the caller ${hello.protocol}: they are of different versions of proctor. ` +
          `Use the version that started the session, or end the session (proctor session end ${this.#place.dir}) and start it anew.`,
        { details: { host: PROTOCOL_VERSION, caller: hello.protocol } },
      );
    }
    if (hello.token !== this.#place.record.token) {
      throw new ProctorError(
        "ERR_SESSION_OWNER",
        "The caller did not show the session's token, which only the session's user can read.",
      );
    }
    const lease = hello.lease ?? null;
    if (lease !== null && (this.#owner === null || sameProcess(this.#owner, lease) || !this.#ownerLives())) {
      if (this.#owner === null || !sameProcess(this.#owner, lease)) this.own(lease);
      this.#lease = peer;
      if (this.#leaseTimer !== null) clearTimeout(this.#leaseTimer);
      this.#leaseTimer = null;
    }
    return {
      protocol: PROTOCOL_VERSION,
      session: this.engine.id,
      dir: this.engine.dir,
      pid: process.pid,
      leased: this.#lease === peer,
    };
  }

  async #answer(method: string, params: unknown, isOwn: boolean): Promise<unknown> {
    switch (method) {
      case "start":
        return this.engine.start(parseStart(params));
      case "list":
        return new RawJson(await this.engine.listJson());
      case "status":
        return this.engine.status(parseId(method, params));
      case "wait":
        return this.engine.wait(parseWait(params));
      case "stop": {
        const { id, ...request } = parseStopOne(params);
        return this.engine.stop(id, { ...request, isOwn });
      }
      case "stopAll":
        return this.engine.stopAll({ ...parseStop(method, params), isOwn });
      case "interrupt":
        return this.engine.interrupt(parseId(method, params));
      case "ownerSession":
        return this.ownerSession;
      case "collect":
        return this.engine.collect(parseCollect(params));
      case "watch":
        return this.engine.watch(parseId(method, params));
      case "openWork":
        return this.engine.openWork();
      case "acknowledge":
        return this.engine.acknowledge(parseIds(method, params));
      case "input":
        return this.engine.input(parseInput(params));
      case "resize":
        return this.engine.resize(parseResize(params));
      case "end": {
        const report = await this.engine.end(parseStop(method, params));
        // The answer goes out first.
        setImmediate(() => this.leave());
        return report;
      }
      default:
        throw new ProctorError(
          "ERR_HOST_PROTOCOL",
          `The session's host does not know the request "${method}"; it may be of an older version of proctor.`,
        );
    }
  }

  #ownerLives(): boolean {
    return this.#owner !== null && this.#table.isAlive(this.#owner);
  }

  #leaseLost(): void {
    this.#lease = null;
    if (this.#isOver) return;
    if (!this.#ownerLives()) {
      this.#ownerLost();
      return;
    }
    // A process that is being killed closes its sockets a moment before it is gone.
    this.#leaseTimer = setTimeout(() => this.#ownerLost(), LEASE_GRACE_MS);
    const look = setInterval(() => {
      if (this.#lease !== null || this.#isOver) clearInterval(look);
      else if (!this.#ownerLives()) {
        clearInterval(look);
        this.#ownerLost();
      }
    }, 50);
  }

  #ownerLost(): void {
    if (this.#leaseTimer !== null) clearTimeout(this.#leaseTimer);
    this.#leaseTimer = null;
    void this.engine
      .endFor(
        {
          cause: "owner_lost",
          resource: null,
          message: `The session's owner (pid ${this.#owner?.pid ?? 0}) is gone, so its runs were stopped.`,
        },
        { reason: null, graceMs: DEFAULT_GRACE_MS },
      )
      .then(
        () => this.leave(),
        (error: unknown) => this.#options.report(error),
      );
  }

  #look(): void {
    if (this.#isOver) return;
    if (performance.now() - this.#collectedAt >= COLLECT_MS) {
      this.#collectedAt = performance.now();
      void this.engine.collect(false).catch(this.#options.report);
    }
    this.#guardian.look();
    if (!isStillThere(this.#place)) {
      void this.engine
        .endFor(
          { cause: "stopped", resource: null, message: "The session's directory was removed, which ends the session." },
          { reason: null, graceMs: DEFAULT_GRACE_MS },
        )
        .then(
          () => this.leave(),
          (error: unknown) => this.#options.report(error),
        );
      return;
    }
    this.#listenAgain();
    this.engine.loseOwners((owner) => this.#table.isAlive(owner));
    if (this.#owner !== null && this.#lease === null && this.#leaseTimer === null && !this.#ownerLives()) {
      this.#ownerLost();
      return;
    }
    if (this.#options.embedded || this.#owner !== null || this.#peers.size > 0 || this.engine.isBusy) {
      this.#idleSince = null;
      return;
    }
    const now = performance.now();
    this.#idleSince ??= now;
    if (now - this.#idleSince >= lingerMs()) this.leave();
  }
}

/** Removes a session's control group; the nursery in it leaves a moment after it was told to. */
function removeWhenEmpty(group: SessionCgroup, waitMs: number = 5): void {
  if (group.remove() || waitMs > 1000) return;
  setTimeout(() => removeWhenEmpty(group, waitMs * 2), waitMs);
}

function lingerMs(): number {
  const given = Number(process.env["PROCTOR_HOST_LINGER_MS"] ?? "");
  return Number.isFinite(given) && given > 0 ? given : LINGER_MS;
}
