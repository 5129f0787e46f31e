/**
 * The runs of one session on disk:
 *
 *   runs/ID/run.json        what was asked for; written once, whole
 *   runs/ID/command         the command's text, which bash reads
 *   runs/ID/state.json      where the run stands; rewritten in place inside blocks that were allocated at
 *                           the start, so that an end can be recorded on a full disk
 *   runs/ID/status          what the launcher reports (see launch-status.ts)
 *   runs/ID/output.log      the raw bytes
 *
 * One write(2) of less than a page is not torn by SIGKILL; a record torn by a power loss is reported as
 * corrupt and the others load.
 */
import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { errnoOf, messageOf } from "../model/index.ts";
import type { RunStateRecord } from "../model/index.ts";
import type { CorruptRecord, RunStore, StoredRun } from "../ports/index.ts";
import { STATUS_BYTES, STATUS_RESERVED } from "./launch-status.ts";
import { diskError, diskUnder, isDiskError, overwrite, writeAll, writeNewFile } from "./private-files.ts";
import { COMMAND_FILE, readRunRecord, readStateRecord, salvagedRecord } from "./run-records.ts";
import { SpareRuns, isSpareName } from "./spare-runs.ts";

/** Room for a state record; a sequence gets 32 bytes more for each stage. */
const STATE_BYTES = 4096;
/** Above this, counting lines is left to wc(1), which is several times as fast and not on our thread. */
const COUNT_HERE_BYTES = 1 << 20;

/** The record of what was asked for; its time tells when a caller was last told where the log is. */
const RECORD_FILE = "run.json";
/** A link whose time tells when a caller was last told of every run. */
const ALL_GIVEN = ".given";
/** A link whose target tells how far the wall clock was ahead of the system's start. */
const CLOCK = ".clock";

/** The file that holds a run's output. */
const LOG_FILE = "output.log";
/** Where the run stands. */
const STATE_FILE = "state.json";
/** The record before it is whole. */
const NEW_RECORD_FILE = "run.json.new";

function padded(text: string, room: number): Buffer {
  const body = Buffer.from(text, "utf8");
  if (body.length >= room) return Buffer.concat([body, Buffer.from("\n")]);
  const out = Buffer.alloc(room, " ");
  body.copy(out);
  out[room - 1] = 10;
  return out;
}

function stateRoom(stages: number): number {
  return STATE_BYTES + 32 * stages;
}

/** A record that says what must be said in the least room: notes and a long message go first. */
function shortened(state: RunStateRecord): RunStateRecord {
  return { ...state, notes: [], message: state.message === null ? null : state.message.slice(0, 300) };
}

/** Counts the lines of a file's first `to` bytes. */
function countHere(path: string, to: number): number {
  const fd = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(Math.min(to, 1 << 18) || 1);
    let lines = 0;
    let last = 10;
    for (let at = 0; at < to; ) {
      const n = readSync(fd, buffer, 0, Math.min(buffer.length, to - at), at);
      if (n === 0) break;
      for (let i = buffer.indexOf(10); i >= 0 && i < n; i = buffer.indexOf(10, i + 1)) lines++;
      last = buffer[n - 1] ?? 10;
      at += n;
    }
    return last === 10 ? lines : lines + 1;
  } finally {
    closeSync(fd);
  }
}

function lastByte(path: string, size: number): number {
  const fd = openSync(path, "r");
  try {
    const one = Buffer.alloc(1, 10);
    readSync(fd, one, 0, 1, size - 1);
    return one[0] ?? 10;
  } finally {
    closeSync(fd);
  }
}

function countByWc(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fd = openSync(path, "r");
    const child = spawn("wc", ["-l"], { stdio: [fd, "pipe", "ignore"] });
    closeSync(fd); // the child has its own
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    child.on("error", reject);
    child.on("close", (code) => {
      const lines = Number.parseInt(text.trim(), 10);
      if (code === 0 && Number.isFinite(lines)) resolve(lines);
      else reject(new Error(`wc ended with ${code}`));
    });
  });
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return 0;
    throw error;
  }
}

/** Reads a record; null when it is not there, or when it is damaged, which is noted. */
function attempt<T>(path: string, read: (path: string) => T, damage: CorruptRecord[]): T | null {
  try {
    return read(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") damage.push({ path, problem: messageOf(error) });
    return null;
  }
}

/** Removes what a former host made in advance: nobody else will take it. */
function sweepSpare(dir: string): void {
  try {
    rmSync(dir, { recursive: true, force: true });
  } catch (error) {
    if (!isDiskError(error)) throw error; // a disk that can't be written keeps it until the session ends
  }
}

/** The store of one session directory. */
export function runStore(sessionDir: string): RunStore {
  const runs = join(sessionDir, "runs");
  const runDir = (id: string): string => join(runs, id);
  const logPath = (id: string): string => join(runDir(id), LOG_FILE);
  const statePath = (id: string): string => join(runDir(id), STATE_FILE);

  const errorLogPath = (id: string): string => join(runDir(id), "stderr.log");
  const spares = new SpareRuns(runs, {
    [COMMAND_FILE]: new Uint8Array(0),
    [STATUS_RESERVED]: new Uint8Array(STATUS_BYTES),
    [STATE_FILE]: padded("", stateRoom(1)),
    [NEW_RECORD_FILE]: new Uint8Array(0),
    [LOG_FILE]: new Uint8Array(0),
  });

  const runNames = (): readonly string[] => {
    try {
      return readdirSync(runs);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return [];
      throw error;
    }
  };

  /** Makes a run's directory. Returns whether its files are there already. */
  const makeRunDir = (dir: string, maySpare: boolean): boolean => {
    // Without a record, what lies there is a start that was cut off when a host was killed: asked for again, it
    // begins anew. Nothing was launched for it.
    if (existsSync(dir) && !existsSync(join(dir, RECORD_FILE))) rmSync(dir, { recursive: true, force: true });
    if (maySpare && spares.take(dir)) return true;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return false;
  };

  return {
    runDir,
    logPath,
    logBytes: (id) => sizeOf(logPath(id)),
    errorLogPath,
    errorLogBytes: (id) => sizeOf(errorLogPath(id)),
    makeTmpDir(id) {
      const dir = join(runDir(id), "tmp");
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      return dir;
    },
    create(record, command) {
      const dir = runDir(record.id);
      try {
        const isPrepared = makeRunDir(dir, record.kind === "run");
        const put = isPrepared ? overwrite : writeNewFile;
        if (command !== null) put(join(dir, COMMAND_FILE), command.endsWith("\n") ? command : `${command}\n`);
        if (record.kind === "run" && !isPrepared) writeNewFile(join(dir, STATUS_RESERVED), Buffer.alloc(STATUS_BYTES));
        const state: RunStateRecord = {
          v: 1,
          id: record.id,
          goal: "up",
          phase: "starting",
          startedAt: null,
          endedAt: null,
          wait: null,
          cause: null,
          resource: null,
          message: null,
          notes: [],
          logBytes: null,
          logLines: null,
          stages: [],
        };
        put(statePath(record.id), padded(JSON.stringify(state), stateRoom(record.commands.length)));
        // Last: a run exists from the moment its record does.
        put(join(dir, NEW_RECORD_FILE), JSON.stringify(record));
        renameSync(join(dir, NEW_RECORD_FILE), join(dir, RECORD_FILE));
      } catch (error) {
        rmSync(dir, { recursive: true, force: true });
        throw isDiskError(error) ? diskError(dir, error) : error;
      }
    },
    prepare: () => spares.step(),
    pause: () => spares.pause(),
    sweep() {
      for (const name of runNames()) if (isSpareName(name)) sweepSpare(join(runs, name));
    },
    writeState(state) {
      const room = stateRoom(state.stages.length);
      let text = JSON.stringify(state);
      if (Buffer.byteLength(text) >= room) text = JSON.stringify(shortened(state));
      let fd: number;
      try {
        fd = openSync(statePath(state.id), "r+");
      } catch (error) {
        if (errnoOf(error) === "ENOENT") return; // the session's directory was removed: there is nothing to keep a record in
        throw error;
      }
      try {
        writeAll(fd, padded(text, room), 0);
      } catch (error) {
        // Only growing needs room, and a record grows past what was reserved only with hundreds of stages.
        if (!isDiskError(error)) throw error;
      } finally {
        closeSync(fd);
      }
    },
    mark(id, mark) {
      try {
        symlinkSync(mark, join(runDir(id), mark)); // lives in its inode
      } catch (error) {
        const errno = errnoOf(error);
        if (errno !== "EEXIST" && errno !== "ENOENT" && !isDiskError(error)) throw error;
      }
    },
    hasMark(id, mark) {
      try {
        return lstatSync(join(runDir(id), mark)).isSymbolicLink();
      } catch (error) {
        if (errnoOf(error) === "ENOENT") return false;
        throw error;
      }
    },
    given(id) {
      const now = new Date();
      try {
        if (id !== null) {
          utimesSync(join(runDir(id), RECORD_FILE), now, now);
          return;
        }
        const path = join(runs, ALL_GIVEN);
        try {
          lutimesSync(path, now, now);
        } catch (error) {
          if (errnoOf(error) !== "ENOENT") throw error;
          symlinkSync("given", path); // lives in its inode
        }
      } catch (error) {
        const errno = errnoOf(error);
        if (errno !== "EEXIST" && errno !== "ENOENT" && !isDiskError(error)) throw error;
      }
    },
    givenAt(id) {
      const times = [join(runDir(id), RECORD_FILE), join(runs, ALL_GIVEN)].flatMap((path) => {
        try {
          return lstatSync(path).mtimeMs;
        } catch (error) {
          if (errnoOf(error) === "ENOENT") return [];
          throw error;
        }
      });
      return times.length === 0 ? null : Math.max(...times);
    },
    noteClock(aheadMs) {
      const path = join(runs, CLOCK);
      try {
        rmSync(path, { force: true });
        symlinkSync(String(Math.round(aheadMs)), path);
        return true;
      } catch (error) {
        if (errnoOf(error) !== "ENOENT" && !isDiskError(error)) throw error;
        return false;
      }
    },
    notedClock() {
      try {
        const aheadMs = Number(readlinkSync(join(runs, CLOCK)));
        return Number.isFinite(aheadMs) ? aheadMs : null;
      } catch (error) {
        if (errnoOf(error) === null) throw error;
        return null; // none was noted, or what stands there is none
      }
    },
    removeLog(id) {
      this.mark(id, "log-expired");
      rmSync(logPath(id), { force: true });
    },
    find(id) {
      try {
        return readRunRecord(join(runDir(id), RECORD_FILE), id);
      } catch {
        return null; // not there, not whole, or not ours to read: for whoever asks it is all the same
      }
    },
    load() {
      const found: StoredRun[] = [];
      const corrupt: CorruptRecord[] = [];
      for (const id of runNames()) {
        if (id.startsWith(".")) continue;
        const damage: CorruptRecord[] = [];
        const record = attempt(join(runDir(id), RECORD_FILE), (path) => readRunRecord(path, id), damage);
        // Without a record nothing was ever started: a start that was cut off, or damage.
        if (record === null && damage.length === 0) continue;
        const state = attempt(statePath(id), (path) => readStateRecord(path, id), damage);
        corrupt.push(...damage);
        const known = record ?? salvagedRecord(runDir(id), id);
        if (known !== null) found.push({ record: known, state, damage, isSalvaged: record === null });
      }
      found.sort((a, b) => a.record.serial - b.record.serial);
      return { runs: found, corrupt };
    },
    async countLines(id) {
      const path = logPath(id);
      const size = sizeOf(path);
      if (size === 0) return 0;
      if (size <= COUNT_HERE_BYTES) return countHere(path, size);
      const newlines = await countByWc(path);
      return lastByte(path, size) === 10 ? newlines : newlines + 1;
    },
    freeBytes: () => diskUnder(sessionDir)?.freeBytes ?? null,
  };
}
