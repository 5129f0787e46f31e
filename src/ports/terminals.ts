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

/** The modes of one run's terminal, from its log; what was read once is not read again. */
export interface ModeReader {
  /** The modes that the program has set last. */
  read(): Promise<TerminalModes>;
}

/** What a run's terminal answers to a program that asks it something, such as where its cursor stands. */
export interface QueryAnswers {
  /** The answers to the queries that the log holds from byte `from` on, and up to which byte it was read. */
  answersFrom(from: number): Promise<{ readonly bytes: Uint8Array; readonly to: number }>;
  /** Lets go of what was kept to be faster next time. */
  close(): Promise<void>;
}

/** Terminals of runs, by the run's directory. */
export interface Terminals {
  /** Types bytes, in order and at the speed at which the program takes them. */
  type(runDir: string, bytes: Uint8Array): Promise<TypedReport>;
  /** Changes the size; false when nobody holds the terminal any more. */
  resize(runDir: string, size: TerminalSize): Promise<boolean>;
  /**
   * Types a terminal's own answers, and tells the scribe up to which byte of the log queries are answered. With
   * neither bytes nor a byte the scribe is asked to tell again what is unanswered.
   */
  answer(runDir: string, bytes: Uint8Array, to: number): Promise<TypedReport>;
  /** Reads the modes that the program of a log has set. */
  modes(logPath: string): ModeReader;
  /** Whether the terminal hands its input out line by line (termios(3), ICANON); null when that can't be told. */
  isCanonical(terminal: string): Promise<boolean | null>;
}
