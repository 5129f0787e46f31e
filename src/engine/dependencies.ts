/** What the engine needs from the outside: every seam at one place. */
import type {
  Cgroups,
  Clock,
  HeavyQueue,
  Launcher,
  Panes,
  ProcessTable,
  QueryAnswers,
  RunStore,
  Terminals,
} from "../ports/index.ts";
import type { Heaviness, HeavyRules } from "../model/index.ts";
import type { RetentionLimits } from "../machine/index.ts";
import type { SessionProcesses } from "./session-processes.ts";

/** The ports, and the few facts about the session that runs need. */
export interface EngineDependencies {
  readonly sessionId: string;
  readonly sessionDir: string;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly launcher: Launcher;
  readonly store: RunStore;
  readonly cgroups: Cgroups;
  readonly queue: HeavyQueue;
  /** What is kept of the logs of ended runs. */
  readonly retention: RetentionLimits;
  /** Whether a command takes a slot of the queue, and for how long. */
  readonly heavinessOf: (command: string, rules: HeavyRules) => Promise<Heaviness>;
  readonly terminals: Terminals;
  /** What the terminal of a run answers, by the path of its log. */
  readonly answers: (logPath: string) => QueryAnswers;
  /** Where people see interactive runs, besides `attach`. */
  readonly panes: Panes;
  /** The shell that runs commands: an absolute path. */
  readonly shell: string;
  /** The perl that launchers run on: an absolute path. */
  readonly perl: string;
  /** The session's processes as a whole. */
  readonly processes: SessionProcesses;
  /** Directories that a sandboxed command must not see: where sessions' tokens are. */
  readonly hidden: readonly string[];
  /** Takes a fault that no caller waits for. */
  readonly report: (error: unknown) => void;
}
