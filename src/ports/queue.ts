/** The seam for the queue of heavy commands, which all sessions of a user on a machine share. */
import type { ProcessIdentity, QueueEvent } from "../model/index.ts";

/** What a launcher needs to hold a ticket from the moment that it starts the command. */
export interface TicketClaim {
  /** The ticket's path; the launcher makes `PATH.held` before it starts anything. */
  readonly path: string;
  /** What stands in a claim besides the process: "SESSION:RUN". */
  readonly subject: string;
}

/** A place in the queue. */
export interface QueueTicket {
  readonly claim: TicketClaim;
  /** 1-based while it waits; null once it was admitted. */
  readonly position: number | null;
  /** Leaves the queue: cancelled, or the run has ended. Any number of times. */
  leave(): void;
}

/** What came of asking for a place. */
export type QueueJoin =
  | { readonly kind: "ticket"; readonly ticket: QueueTicket }
  /**
   * The caller runs inside a run that holds a slot: a second one could wait for the first for ever. It has a
   * ticket beside that run's, so that the slot lasts as long as the longer of the two.
   */
  | { readonly kind: "nested"; readonly under: string; readonly ticket: QueueTicket }
  /** There is no queue here: the run goes on without, and says why. */
  | { readonly kind: "off"; readonly why: string };

/** What a ticket's holder is told; never before `join` returned. */
export type TicketEvent =
  | { readonly kind: "admitted" }
  /** Its position changed, or admission was paused or resumed. */
  | { readonly kind: "moved"; readonly paused: string | null };

/** The queue, as the host of one session uses it. */
export interface HeavyQueue {
  /**
   * Takes a ticket for a run.
   *
   * @throws ProctorError `ERR_REFUSED_QUEUE_FULL` when as many wait as may wait.
   */
  join(runId: string, caller: ProcessIdentity | null, tell: (event: TicketEvent) => void): QueueJoin;
  /** Takes up the place that a former host of the session took for a run; as `join` when there is none any more. */
  rejoin(runId: string, caller: ProcessIdentity | null, tell: (event: TicketEvent) => void): QueueJoin;
  /** Removes what former hosts of the session left for runs that nobody took up. */
  sweep(): void;
  /** Refuses as `join` would, without taking a ticket. */
  refuseWhenFull(): void;
  /** Removes the ticket of a run that a former host started and that has ended. */
  leave(runId: string): void;
  /** Calls back when the number of those that run or wait changed; returns the unsubscription. */
  onChange(listener: (event: QueueEvent) => void): () => void;
  /** Stops watching, and takes back who brings the next host; tickets stay, and are dead once this process is. */
  close(): void;
}
