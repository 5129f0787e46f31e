/**
 * The hand-over of a run's completion as a pure function. A run that is watched stays open work until
 * whoever was told has said, by id, that it was admitted. Telling may be delayed, repeated, or lost; only
 * the acknowledgement closes it, and it closes it once.
 */

/** What is known about the hand-over of one run's completion. */
export interface HandoffState {
  /** Somebody wants to be told. */
  readonly isWatched: boolean;
  readonly hasEnded: boolean;
  /** It was admitted, or is no news. */
  readonly isSettled: boolean;
}

/** What can happen to it. */
export type HandoffInput =
  | { readonly kind: "watched" }
  /** `isOwn`: the watcher ended it itself, so its end is no news to it. */
  | { readonly kind: "ended"; readonly isOwn: boolean }
  | { readonly kind: "acknowledged" };

/** A run that nobody asked about yet. */
export const INITIAL_HANDOFF: HandoffState = { isWatched: false, hasEnded: false, isSettled: false };

/** The next state. An acknowledgement that comes before the end acknowledges nothing. */
export function stepHandoff(state: HandoffState, input: HandoffInput): HandoffState {
  switch (input.kind) {
    case "watched":
      return state.isWatched ? state : { ...state, isWatched: true };
    case "ended":
      return state.hasEnded ? state : { ...state, hasEnded: true, isSettled: state.isSettled || input.isOwn };
    case "acknowledged":
      return state.hasEnded && !state.isSettled ? { ...state, isSettled: true } : state;
  }
}

/** Whether a workflow step must wait for it. */
export function isOpenWork(state: HandoffState): boolean {
  return state.isWatched && !state.isSettled;
}
