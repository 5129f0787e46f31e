/** The seam for what is kept on disk about the runs of one session. The disk is the truth. */
import type { RunRecord, RunStateRecord } from "../model/index.ts";

/** What was found on disk about one run. */
export interface StoredRun {
  readonly record: RunRecord;
  /** null: nothing was recorded after its start was asked for. */
  readonly state: RunStateRecord | null;
  /** What could not be read of it. */
  readonly damage: readonly CorruptRecord[];
  /** Its own record is among that: what stands in `record` was put together from the rest. */
  readonly isSalvaged: boolean;
}

/** A record that can't be read; the others can. */
export interface CorruptRecord {
  readonly path: string;
  readonly problem: string;
}

/** What may be noted beside a run: somebody waits for its completion; the completion was admitted. */
export type RunMark = "watched" | "acknowledged" | "log-expired";

/** The runs of one session directory. */
export interface RunStore {
  /** The directory of a run; exists once `create` returned. */
  runDir(id: string): string;
  /** The log of a run. */
  logPath(id: string): string;
  /**
   * Writes a run's record and its command's file, and reserves the room that recording its end needs.
   *
   * @throws ProctorError `ERR_HOST_DISK` when the disk is full, read-only or broken.
   */
  create(record: RunRecord, command: string | null): void;
  /** Does a part of what a coming start needs, while nobody waits for it. Returns whether there is more to do. */
  prepare(): boolean;
  /** Removes what a former host of the session prepared: for the host that takes it up, and for nobody else. */
  sweep(): void;
  /** Tells that no run is active: what comes next is counted anew. */
  pause(): void;
  /** Writes a run's state whole; on a full disk into the room reserved for it. Never throws for a full disk. */
  writeState(state: RunStateRecord): void;
  /** Marks a run, for good; works on a full disk. Never throws for a disk that fails: the mark is then lost with the host. */
  mark(id: string, mark: RunMark): void;
  hasMark(id: string, mark: RunMark): boolean;
  /** Notes that a caller was told where the log of a run is; null: of every run. */
  given(id: string | null): void;
  /** When that was last, for this run or for every run: milliseconds since the epoch; null: never. */
  givenAt(id: string): number | null;
  /**
   * Notes how far the wall clock is ahead of the system's start, in milliseconds, for the host that comes next. false:
   * it can't be noted yet.
   */
  noteClock(aheadMs: number): boolean;
  /** What a host noted last; null: nothing. */
  notedClock(): number | null;
  /** Removes a run's log for good; its record stays. */
  removeLog(id: string): void;
  /** The record of one run; null when there is none that can be read. */
  find(id: string): RunRecord | null;
  /** Every run of the session, oldest first. */
  load(): { readonly runs: readonly StoredRun[]; readonly corrupt: readonly CorruptRecord[] };
  /** The size of a run's log now; 0 when there is none. */
  logBytes(id: string): number;
  /** The size of the file of a run's standard error, where it is apart; 0 when there is none. */
  errorLogBytes(id: string): number;
  /** The file of a run's standard error, where it is apart from the log. */
  errorLogPath(id: string): string;
  /** Makes the private temporary directory of a sandboxed run; gives its path. */
  makeTmpDir(id: string): string;
  /** The lines of a run's log, an unterminated last one included. */
  countLines(id: string): Promise<number>;
  /** Whether the disk under the session is (nearly) full: explains a scribe's ENOSPC. */
  freeBytes(): number | null;
}
