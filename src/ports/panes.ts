/**
 * The seam for terminal multiplexers: an interactive run is shown in a pane of one, so that a person who knows
 * it finds the run there. A pane is a window on the run: terminal, log and exit status are the launcher's, and
 * nothing of them depends on the multiplexer's speed. Its server is where the person's session lives, so a run
 * whose server is killed is ended; a pane that is closed, or a client that leaves, ends nothing.
 */

/** Who shows panes; `built-in` shows none, `proctor attach` works all the same. */
export type PaneBackend = "rmux" | "tmux" | "built-in";

/** Takes that the server of a run's pane was killed, with a sentence that says so; called once at most. */
export type PaneLost = (message: string) => void;

/** Shows the interactive runs of one session. */
export interface Panes {
  /** A sentence about a setting that could not be followed; null when there is none. */
  readonly rejected: string | null;
  /** Which multiplexer it is; found out by trying when it is first asked for. */
  backend(): Promise<PaneBackend>;
  /** Shows a run that has started. */
  show(runId: string, lost: PaneLost): Promise<void>;
  /** Takes up the pane of a run that a former host has shown, if there is one. */
  adopt(runId: string, lost: PaneLost): Promise<void>;
  /** The run has ended: its pane closes by itself, and its server with the last one. */
  ended(runId: string): void;
  /** What a person types to get there; null where there is no pane. */
  invitation(runId: string): string | null;
  /** Takes every pane away, those of a former host too. */
  close(): void;
}
