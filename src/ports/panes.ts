/**
 * The seam for terminal multiplexers: an interactive run is shown in a pane of one, so that a person who knows
 * it finds the run there. A pane is a window on the run and no more: terminal, log and exit status are the
 * launcher's, and nothing of them depends on the multiplexer's speed or life.
 */

/** Who shows panes; `built-in` shows none, `proctor attach` works all the same. */
export type PaneBackend = "rmux" | "tmux" | "built-in";

/** Shows the interactive runs of one session. */
export interface Panes {
  /** Which multiplexer it is; found out by trying when it is first asked for. */
  backend(): Promise<PaneBackend>;
  /** Shows a run that has started. */
  show(runId: string): Promise<void>;
  /** What a person types to get there; null where there is no pane. */
  invitation(runId: string): string | null;
  /** Takes every pane away, those of a former host too. */
  close(): void;
}
