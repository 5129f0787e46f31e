/** The seam for the terminals of interactive runs: what reaches the scribe that holds one. */
import type { TerminalSize } from "../model/index.ts";

/** Modes that a program has set by control sequences and that decide how keys are sent (XTerm Control Sequences, DECSET). */
export interface TerminalModes {
  /** 2004: pasted text is to be told from typed text. */
  readonly bracketedPaste: boolean;
  /** 1: cursor keys send SS3 instead of CSI. */
  readonly applicationCursor: boolean;
}

/** How far typing got. */
export interface TypedReport {
  readonly bytes: number;
  /** `gone`: nobody holds the terminal any more. `stuck`: the program has taken nothing for a while. */
  readonly outcome: "done" | "gone" | "stuck";
}

/** Terminals of runs, by the run's directory. */
export interface Terminals {
  /** Types bytes, in order and at the speed at which the program takes them. */
  type(runDir: string, bytes: Uint8Array): Promise<TypedReport>;
  /** Changes the size; false when nobody holds the terminal any more. */
  resize(runDir: string, size: TerminalSize): Promise<boolean>;
  /** The modes that the program has set last, looked for from the log's end. */
  modes(logPath: string): TerminalModes;
  /** Whether the terminal hands its input out line by line (termios(3), ICANON); null when that can't be told. */
  isCanonical(terminal: string): Promise<boolean | null>;
}
