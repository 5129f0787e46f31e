/** What a sandbox needs to know about one run, besides its policy. All paths are absolute. */

/** Where a sandboxed command runs, and what of proctor's own must be hidden from it. */
export interface SandboxPlace {
  /** Where the command starts. */
  readonly cwd: string;
  /** Whether the command is started by root. */
  readonly isRoot: boolean;
  /** A private directory that becomes TMPDIR. */
  readonly tmpDir: string;
  /** Files of proctor's own that the command must be able to read: its own text. */
  readonly needed: readonly string[];
  /**
   * Directories of proctor's own: whoever can read a session's token can ask its host for a command
   * outside the sandbox.
   */
  readonly hidden: readonly string[];
}
