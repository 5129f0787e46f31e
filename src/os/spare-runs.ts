/**
 * Run directories made before anybody asks for them: `runs/.spare-PID-N`, with every file that a start writes
 * into, empty or with its room allocated.
 *
 * Theory: making a file costs a journaling file system far more than writing into one that is there (measured on
 * ext4: 140 µs against 5), and a start needs six. A start takes a spare by one rename(2) and finds the work done.
 * As many are kept as the largest number of starts that came without a pause, within bounds.
 */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../model/index.ts";
import { isDiskError, writeNewFile } from "./private-files.ts";

/** How many spares a session keeps at least, and at most. */
const FEWEST = 2;
const MOST = 64;

const PREFIX = ".spare-";

/** Whether a name in the directory of runs is that of a spare. */
export function isSpareName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** A spare that is being made. */
interface Begun {
  readonly dir: string;
  readonly missing: [name: string, content: Uint8Array][];
}

/** The spares of one session directory. */
export class SpareRuns {
  readonly #runs: string;
  readonly #files: Readonly<Record<string, Uint8Array>>;
  readonly #spares: string[] = [];
  #making: Begun | null = null;
  #serial = 0;
  /** Starts since the last pause. */
  #starts = 0;
  #wanted = FEWEST;

  /** `files`: what a spare holds, by name; the content only allocates room. */
  constructor(runs: string, files: Readonly<Record<string, Uint8Array>>) {
    this.#runs = runs;
    this.#files = files;
  }

  /**
   * Turns a spare into the directory `dir`. false: there is none, and `dir` is as it was.
   *
   * @throws the error of rename(2) when `dir` is there already and is not empty.
   */
  take(dir: string): boolean {
    this.#starts += 1;
    this.#wanted = Math.min(MOST, Math.max(this.#wanted, this.#starts));
    for (let spare = this.#spares.pop(); spare !== undefined; spare = this.#spares.pop()) {
      try {
        renameSync(spare, dir);
        return true;
      } catch (error) {
        // Swept away by another host of the session, which took this one for dead: the next, or none.
        if (errnoOf(error) === "ENOENT") continue;
        this.#spares.push(spare);
        throw error;
      }
    }
    return false;
  }

  /**
   * Makes one file of a spare if there are fewer than wanted. Returns whether there is more to make. Never throws for
   * a disk that refuses.
   */
  step(): boolean {
    if (this.#spares.length >= this.#wanted) return false;
    try {
      const { dir, missing } = this.#begun();
      const next = missing.shift();
      if (next !== undefined) writeNewFile(join(dir, next[0]), next[1]);
      if (missing.length === 0) {
        this.#spares.push(dir);
        this.#making = null;
      }
      return this.#making !== null || this.#spares.length < this.#wanted;
    } catch (error) {
      const begun = this.#making;
      this.#making = null;
      // Nobody asked for it: who starts a run meets the same refusal, and is told.
      if (!isDiskError(error) && errnoOf(error) !== "ENOENT") throw error;
      if (begun !== null) rmSync(begun.dir, { recursive: true, force: true });
      return false;
    }
  }

  #begun(): Begun {
    if (this.#making !== null) return this.#making;
    this.#serial += 1;
    const dir = join(this.#runs, `${PREFIX}${process.pid}-${this.#serial}`);
    mkdirSync(dir, { mode: 0o700 });
    this.#making = { dir, missing: Object.entries(this.#files) };
    return this.#making;
  }

  /** A pause: the next start begins a new count. */
  pause(): void {
    this.#starts = 0;
  }
}
