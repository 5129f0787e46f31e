/** What a program may give to a session: the options of each call. What they may be is looked at in check-options.ts. */
import type { Limits } from "../model/index.ts";
import type { Lifetime } from "./detached.ts";

/** How a session is opened. */
export interface ConnectOptions {
  /** The session's directory; default: a fresh one below the user's state directory. */
  readonly dir?: string;
  /** Run the engine in this process instead of a host of its own. */
  readonly embedded?: boolean;
  /** Attach to a session without owning it: it goes on when this process ends. Default: this process owns it. */
  readonly own?: boolean;
}

/** One call of the shell. Times in milliseconds, sizes in bytes. */
export interface BashOptions {
  readonly name?: string;
  /** Default: this process's. */
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Pass on variables that look like secrets, too. Default false. */
  readonly envAll?: boolean;
  /** A file for standard input; default /dev/null. */
  readonly stdin?: string;
  /** For each command, over its whole life. Default: none. */
  readonly timeoutMs?: number;
  readonly background?: boolean;
  /** Whether a run that goes on in the background is open work until its completion was acknowledged. Default true. */
  readonly watch?: boolean;
  /**
   * "detached": the runs outlive this session, on purpose, until they are stopped or `timeoutMs` (24 h unless
   * given) is over. They are no open work of it; every session lists them and finds them by id. Default "session".
   */
  readonly lifetime?: Lifetime;
  /** The last command gets a terminal; the call answers as soon as that stage has started. */
  readonly interactive?: boolean;
  /** Foreground to background; null never. Default: the setting, 60,000. */
  readonly promoteAfterMs?: number | null;
  readonly limits?: Partial<Omit<Limits, "timeoutMs">>;
  /** Aborting stops the run while the call waits for it. */
  readonly signal?: AbortSignal;
}

/** Which part of a log is read. */
export interface LogsOptions {
  /** The last lines; with `fromLine` the first from there. */
  readonly lines?: number;
  /** From this byte. */
  readonly from?: number;
  /** From this line, counted from 1: the number that an excerpt names. Not both a byte and a line. */
  readonly fromLine?: number;
  /** A regular expression: only lines that match. */
  readonly grep?: string;
}

/** What is typed: text, then Enter, then keys, then the end of input. */
export interface TypedInput {
  readonly text?: string;
  readonly enter?: boolean;
  readonly keys?: readonly string[];
  readonly eof?: boolean;
}

/** How something is stopped. */
export interface StopOptions {
  /** Stands in the record. */
  readonly reason?: string;
  /** Between SIGTERM and SIGKILL, in milliseconds. Default 5,000. */
  readonly graceMs?: number;
}

/** How a session is ended. */
export type EndOptions = Pick<StopOptions, "graceMs">;

/** How completions are handed over. */
export interface CompletionsOptions {
  /** Ids that an earlier process admitted. */
  readonly admitted?: Iterable<string>;
}
