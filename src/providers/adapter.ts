/**
 * What proctor needs to know about an agent CLI. The built-in ones are in this folder, one file each; one of
 * your own is an object of this shape, and `checkAdapter` (proctor/agent) tells whether it keeps to it.
 */
import type { PoliteStop } from "../model/index.ts";
import type { JsonObject, ProviderFact } from "./vocabulary.ts";

/** How the agent's own process ended, for a parser whose stream has no last word. */
export interface StreamEnd {
  readonly exitCode: number | null;
  /** A signal killed it. */
  readonly isSignaled: boolean;
  /** The last line was cut off. */
  readonly isTorn: boolean;
}

/** Reads one attempt's stream; made anew for each. It may keep state, and must not throw. */
export interface ProviderParser {
  /** What one object of JSON means. An empty answer passes it through as `unknown`. */
  json(value: JsonObject): readonly ProviderFact[];
  /** What a line of text means; absent: it is noise. */
  text?(line: string): readonly ProviderFact[];
  /** What the end means, when no `done` was told: the fallback for streams without one. */
  end?(end: StreamEnd): readonly ProviderFact[];
}

/** What the convenience of building arguments is given. */
export interface PromptOptions {
  readonly prompt: string;
  readonly model?: string;
  /** Resume this session of the agent's. */
  readonly sessionId?: string;
  /** Text as it streams, where that has to be asked for. */
  readonly partial?: boolean;
}

/** One agent CLI. */
export interface ProviderAdapter {
  readonly name: string;
  /** The program's name on PATH, or its absolute path. */
  readonly binary: string;
  /** Arguments that print the version; default `--version`. */
  readonly versionArgs?: readonly string[];
  /** Arguments for one prompt, machine-readable; absent where there is no such thing. */
  readonly buildArgs?: (options: PromptOptions) => readonly string[];
  /** How it likes to be stopped, before SIGTERM goes to everything; absent: SIGTERM at once. */
  readonly polite?: PoliteStop;
  readonly parser: () => ProviderParser;
}

/** How long an agent may take to act on the signal that it likes, in milliseconds: the slowest seen took 1.6 s. */
const POLITE_MS = 3000;

/** SIGINT to the process group: for a launcher with a worker, and for programs that end their tools on it. */
export const GROUP_INTERRUPT: PoliteStop = { signal: "SIGINT", to: "group", waitMs: POLITE_MS };
/** SIGTERM to the agent's own process, so that it can end its tools itself. */
export const OWN_TERMINATE: PoliteStop = { signal: "SIGTERM", to: "process", waitMs: POLITE_MS };
