/**
 * The completions of one session that are still to be handed over. What was asked and what was admitted
 * stand on disk as marks beside each run, so that the next host tells what this one had not.
 */
import { INITIAL_HANDOFF, isOpenWork, stepHandoff } from "../machine/index.ts";
import type { HandoffInput, HandoffState } from "../machine/index.ts";
import type { RunStore } from "../ports/index.ts";

/** Hand-overs by the id of a run or sequence. */
export class Handoffs {
  readonly #store: RunStore;
  readonly #states = new Map<string, HandoffState>();
  /** Runs that their watcher is ending. */
  readonly #ownStops = new Set<string>();

  constructor(store: RunStore) {
    this.#store = store;
  }

  /** Takes up what is on disk about a run. */
  recover(id: string, hasEnded: boolean): void {
    if (!this.#store.hasMark(id, "watched")) return;
    const isSettled = this.#store.hasMark(id, "acknowledged");
    this.#states.set(id, { isWatched: true, hasEnded, isSettled });
  }

  /** Somebody wants to be told of the run's end. */
  watch(id: string, hasEnded: boolean): void {
    this.#store.mark(id, "watched");
    this.#step(id, { kind: "watched" });
    if (hasEnded) this.#step(id, { kind: "ended", isOwn: this.#ownStops.has(id) });
  }

  /** The watcher asks for the run's end: its completion will be no news. */
  stoppedByWatcher(id: string): void {
    if (this.#states.get(id)?.hasEnded === true) return;
    this.#ownStops.add(id);
  }

  ended(id: string): void {
    const isOwn = this.#ownStops.has(id);
    if (isOwn) this.#store.mark(id, "acknowledged");
    this.#step(id, { kind: "ended", isOwn });
  }

  /** Admits a completion; gives whether that closed it now. */
  acknowledge(id: string): boolean {
    const before = this.#states.get(id) ?? INITIAL_HANDOFF;
    if (!isOpenWork(before) || !before.hasEnded) return false;
    this.#store.mark(id, "acknowledged");
    this.#step(id, { kind: "acknowledged" });
    return true;
  }

  isOpen(id: string): boolean {
    return isOpenWork(this.#states.get(id) ?? INITIAL_HANDOFF);
  }

  #step(id: string, input: HandoffInput): void {
    this.#states.set(id, stepHandoff(this.#states.get(id) ?? INITIAL_HANDOFF, input));
  }
}
