/**
 * Which multiplexer shows the interactive runs of a session: the first that works of those that are wanted. Knows
 * which runs its server carries, and tells each of them when that server is gone.
 */
import { existsSync } from "node:fs";
import type { PaneBackend, PaneLost, Panes } from "../ports/index.ts";
import { findProgram } from "./launcher.ts";
import { Multiplexer } from "./multiplexer.ts";
import type { ServerWatch } from "./multiplexer.ts";

/** In order of preference. */
const MULTIPLEXERS: readonly PaneBackend[] = ["rmux", "tmux"];

/** What panes are made of. */
export interface PaneParts {
  /** PROCTOR_TERMINAL: `rmux`, `tmux` or `built-in`; anything else is the order of preference. */
  readonly wanted: string | undefined;
  readonly socket: string;
  readonly env: NodeJS.ProcessEnv;
  /** The program of a pane, with its arguments. */
  readonly command: (runId: string) => readonly string[];
  /** Takes what went wrong; a run is never held up by its pane. */
  readonly report: (error: unknown) => void;
}

/** The multiplexer that was chosen; null: none works, or none is wanted. */
interface Choice {
  readonly backend: PaneBackend;
  readonly multiplexer: Multiplexer | null;
}

function isMultiplexer(name: string | undefined): name is PaneBackend {
  return MULTIPLEXERS.some((one) => one === name);
}

/** The multiplexers that may be used, in order. */
function wantedOf(wanted: string | undefined): readonly PaneBackend[] {
  if (wanted === "built-in") return [];
  return isMultiplexer(wanted) ? [wanted] : MULTIPLEXERS;
}

/** The panes of one session. */
export function panes(parts: PaneParts): Panes {
  return new SessionPanes(parts);
}

class SessionPanes implements Panes {
  readonly rejected: string | null;
  readonly #parts: PaneParts;
  readonly #candidates: readonly { readonly backend: PaneBackend; readonly multiplexer: Multiplexer }[];
  /** Runs that have a pane on the server: whom to tell. */
  readonly #carried = new Map<string, PaneLost>();
  /** Runs that are about to have one. */
  readonly #opening = new Set<string>();
  #chosen: Promise<Choice> | null = null;
  #ready: Choice | null = null;
  #watch: ServerWatch | null = null;
  #isClosed = false;

  constructor(parts: PaneParts) {
    this.#parts = parts;
    const { wanted } = parts;
    const isKnown = wanted === undefined || wanted === "" || wanted === "built-in" || isMultiplexer(wanted);
    this.rejected = isKnown
      ? null
      : `PROCTOR_TERMINAL: ${JSON.stringify(wanted)} is none of ${MULTIPLEXERS.join(", ")} and built-in; the first that works is used.`;
    this.#candidates = wantedOf(parts.wanted).flatMap((backend) => {
      const program = findProgram(backend);
      return program === null ? [] : [{ backend, multiplexer: new Multiplexer(program, parts.socket, parts.env) }];
    });
  }

  async backend(): Promise<PaneBackend> {
    return (await this.#choice()).backend;
  }

  async show(runId: string, lost: PaneLost): Promise<void> {
    await this.#begin(runId, lost, async (multiplexer) => {
      await multiplexer.open(runId, this.#parts.command(runId));
      return true;
    });
  }

  async adopt(runId: string, lost: PaneLost): Promise<void> {
    if (!existsSync(this.#parts.socket)) return;
    await this.#begin(runId, lost, async (multiplexer) => (await multiplexer.sessions()).includes(runId));
  }

  ended(runId: string): void {
    this.#opening.delete(runId);
    this.#carried.delete(runId);
    this.#letGo();
  }

  invitation(runId: string): string | null {
    return this.#carried.has(runId) ? (this.#ready?.multiplexer?.invitation(runId) ?? null) : null;
  }

  close(): void {
    this.#isClosed = true;
    this.#carried.clear();
    this.#letGo();
    for (const { multiplexer } of this.#candidates) multiplexer.kill();
  }

  /** `isShown` opens the pane, or finds it. */
  async #begin(runId: string, lost: PaneLost, isShown: (multiplexer: Multiplexer) => Promise<boolean>): Promise<void> {
    this.#opening.add(runId);
    try {
      const { multiplexer } = await this.#choice();
      if (multiplexer === null || this.#isClosed || !this.#opening.has(runId)) return;
      if (!(await isShown(multiplexer))) return;
      if (this.#isClosed) {
        multiplexer.kill(); // it was opened while the session ended
        return;
      }
      if (!this.#opening.has(runId)) return;
      this.#carried.set(runId, lost);
      this.#watch ??= multiplexer.watch(() => this.#serverGone());
    } catch (error) {
      this.#parts.report(error);
    } finally {
      this.#opening.delete(runId);
    }
  }

  /** While it is watched the server does not end with its last pane, so its end is a death. */
  #serverGone(): void {
    this.#watch = null;
    const carried = [...this.#carried.values()];
    this.#carried.clear();
    const name = this.#ready?.backend ?? "multiplexer";
    for (const lost of carried)
      lost(`The ${name} server that carried this run's pane was killed, so the run was stopped.`);
  }

  #letGo(): void {
    if (this.#carried.size > 0) return;
    this.#watch?.release();
    this.#watch = null;
  }

  #choice(): Promise<Choice> {
    return (this.#chosen ??= this.#choose());
  }

  async #choose(): Promise<Choice> {
    for (const candidate of this.#candidates) {
      if (await candidate.multiplexer.works()) return (this.#ready = candidate);
    }
    return (this.#ready = { backend: "built-in", multiplexer: null });
  }
}
