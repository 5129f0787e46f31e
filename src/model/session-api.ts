/**
 * What a session can be asked. The engine in the session host implements it, the client over the
 * socket implements it, and one contract suite holds both to the same behaviour.
 */
import type { QueueEvent } from "./queue.ts";
import type { StartRequest, StopRequest } from "./request.ts";
import type { InputRequest, ResizeRequest } from "./terminal.ts";
import type { InputAnswer, RunView, SessionEndReport, StopReport } from "./view.ts";

/** How long a wait goes on, and what for. */
export interface WaitRequest {
  readonly id: string;
  /** null waits for as long as it takes. */
  readonly timeoutMs: number | null;
}

/** Why a wait returned. */
export interface WaitAnswer {
  readonly outcome: "ended" | "timeout";
  readonly run: RunView;
}

/** Something that happened to a run: the run as it is now. */
export interface RunEvent {
  readonly kind: "started" | "changed" | "ended" | "acknowledged";
  readonly run: RunView;
}

/** A log of an ended run that is given up, and why: its age, or the size of all logs of the session. */
export interface ExpiredLogView {
  readonly id: string;
  readonly bytes: number;
  readonly why: "age" | "size";
}

/** One session's runs. Every method rejects with a `ProctorError`. */
export interface SessionApi {
  readonly id: string;
  readonly dir: string;
  /** Records the run and starts it; resolves as soon as it is on record. */
  start(request: StartRequest): Promise<RunView>;
  /** Runs and sequences in start order; a sequence's stages stand inside it. */
  list(): Promise<readonly RunView[]>;
  /** One run, sequence or stage, by id or unique prefix. */
  status(id: string): Promise<RunView>;
  /** Resolves when the run has ended or the time is over; dropping it cancels nothing. */
  wait(request: WaitRequest): Promise<WaitAnswer>;
  /** Resolves when every process of the run is gone, or what survived is known. */
  stop(id: string, request: StopRequest): Promise<StopReport>;
  /** Stops every run of the session, in reverse start order. */
  stopAll(request: StopRequest): Promise<readonly StopReport[]>;
  /** Sends SIGINT to the command's process group, as a terminal's Ctrl-C would. */
  interrupt(id: string): Promise<RunView>;
  /** Types into an interactive run; resolves when its terminal has taken everything, or takes no more. */
  input(request: InputRequest): Promise<InputAnswer>;
  /** Gives an interactive run's terminal another size; without effect on a run that has ended. */
  resize(request: ResizeRequest): Promise<RunView>;
  /** Calls back with everything that happens from now on; returns the unsubscription. */
  onChange(listener: (event: RunEvent) => void): () => void;
  /** Calls back when the number of heavy commands that run or wait on this machine changed; returns the unsubscription. */
  onQueueChange(listener: (event: QueueEvent) => void): () => void;
  /** The run becomes open work: it stays so until its completion was acknowledged. */
  watch(id: string): Promise<RunView>;
  /** What a workflow step waits for: watched runs that go on, or have ended and were not acknowledged. */
  openWork(): Promise<readonly RunView[]>;
  /** Says that completions were admitted; gives the ids that this closed. Any number of times, in any order. */
  acknowledge(ids: readonly string[]): Promise<readonly string[]>;
  /** Gives up the logs of ended runs that are kept no longer; with `dryRun` only tells which. */
  collect(dryRun: boolean): Promise<readonly ExpiredLogView[]>;
  /** Stops everything, removes the session's directory. */
  end(request: StopRequest): Promise<SessionEndReport>;
}
