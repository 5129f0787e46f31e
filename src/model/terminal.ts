/** Terminals of interactive runs: their size, what is typed into them, what they show. */

/** A terminal's size in character cells. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The size of a terminal that nobody has resized. */
export const DEFAULT_TERMINAL_SIZE: TerminalSize = { columns: 120, rows: 32 };
/** The largest size that is accepted in either direction: what struct winsize can hold is far above what a screen can. */
export const MAX_TERMINAL_SIZE = 1000;

/** What is to be typed into an interactive run, in this order: data, text, Enter, keys, the end of input. */
export interface InputRequest {
  readonly id: string;
  /** Bytes that go out as they are, in base64; null for none. */
  readonly data: string | null;
  /** Text as it would be pasted: a newline is the Enter key, and several lines are bracketed where the program asked for it. */
  readonly text: string | null;
  readonly enter: boolean;
  /** Names of keys (see `keyBytes`). */
  readonly keys: readonly string[];
  readonly eof: boolean;
}

/** A new size for an interactive run's terminal. */
export interface ResizeRequest extends TerminalSize {
  readonly id: string;
}

/** Whether a program waits for input, and what speaks for it. */
export interface WaitingView {
  /** true and false are told by the system; null is not known. */
  readonly reads: boolean | null;
  /** What was seen, in words: who is in the foreground, where the cursor is, for how long nothing was printed. */
  readonly evidence: readonly string[];
}

/** What the terminal of an interactive run shows. */
export interface ScreenView extends TerminalSize {
  /** The rows from the top, without blanks at their ends and without empty rows at the end. */
  readonly text: string;
  /** Both from 0, from the left and from the top. */
  readonly cursor: { readonly column: number; readonly row: number; readonly visible: boolean };
  /** What the program called its window; null when it did not. */
  readonly title: string | null;
  /** Whether the program draws on the alternate screen, as full-screen programs do. */
  readonly fullScreen: boolean;
  /** Milliseconds since the last byte of output; null when there was none. */
  readonly quietMs: number | null;
  readonly waiting: WaitingView;
}
