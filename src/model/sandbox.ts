/**
 * What a sandbox allows, as data. The policy is ours; how it is enforced (bubblewrap on Linux, sandbox-exec
 * on macOS) is decided by whoever probed the machine, and stands beside it, so that a run's record tells
 * both what was asked for and what did it.
 */

/** What the inside may reach. "none" and "loopback" have a loopback of their own; "allow" goes through a proxy. */
export type SandboxNetwork = "none" | "loopback" | "full" | { readonly allow: readonly string[] };

/** Paths are absolute and exist; the most specific rule wins in the order denied, protected, writable, readable. */
export interface SandboxPolicy {
  /** For people: a built-in name, or the profile file's path. */
  readonly name: string;
  /** null: everything on the disk. */
  readonly readable: readonly string[] | null;
  readonly writable: readonly string[];
  /** Inside something writable, and read-only all the same. */
  readonly protected: readonly string[];
  /** Not to be seen at all. */
  readonly denied: readonly string[];
  readonly network: SandboxNetwork;
}

/** A policy and the tool that was found to be able to enforce it. */
export interface SandboxSpec {
  readonly policy: SandboxPolicy;
  readonly tool: { readonly kind: "bwrap" | "sandbox-exec" | "srt"; readonly path: string };
}
