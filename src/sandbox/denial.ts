/**
 * Recognises in a sandboxed program's own output that it ran into its sandbox, so that nobody looks for a
 * broken disk or a broken network where there was a policy. Only what the system or a proxy says is recognised:
 * the errno's texts of the C library, of Node and of Python, which are the same in every locale that prints
 * the names, and how the common clients tell of a proxy that refused.
 */
import type { SandboxPolicy } from "../model/index.ts";

/** One refusal that was recognised. */
export interface SandboxDenial {
  readonly what: "write" | "network";
  /** The line that told it, cut. */
  readonly line: string;
}

const WRITE = /\bEROFS\b|Read-only file system/;
const MACOS_WRITE = /Operation not permitted/;
const NETWORK =
  /\bENETUNREACH\b|\bEAI_AGAIN\b|Network is unreachable|Temporary failure in name resolution|Could not resolve host/;
/** A filtering proxy's answer, as curl and git, Python, npm, undici and wget tell of it, and its own words. */
const PROXY =
  /CONNECT tunnel failed, response 403|Tunnel connection failed: 403|statusCode=403|Proxy response \(403\)|Proxy tunneling failed: Forbidden|blocked by network allowlist/;

/** The longest line that is kept, in characters. */
const LINE_CHARS = 200;
/** How much of an unfinished line is held, in characters. */
const HELD_CHARS = 4096;

/** The refusals in some output, at most one of each kind. */
export function sandboxDenials(text: string, policy: SandboxPolicy, isDarwin: boolean): readonly SandboxDenial[] {
  const watch = new DenialWatch(policy, isDarwin);
  watch.take(text);
  watch.end();
  return watch.found;
}

/** Looks for refusals in text that comes in pieces; holds one line at most. */
export class DenialWatch {
  readonly #patterns: readonly (readonly [SandboxDenial["what"], RegExp])[];
  readonly #found = new Map<SandboxDenial["what"], string>();
  #rest = "";

  constructor(policy: SandboxPolicy, isDarwin: boolean) {
    const write = isDarwin ? MACOS_WRITE : WRITE;
    const network = policy.network === "full" ? [] : [["network", NETWORK] as const, ["network", PROXY] as const];
    this.#patterns = [["write", write], ...network];
  }

  /** What was found, at most one of each kind: the first. */
  get found(): readonly SandboxDenial[] {
    return [...this.#found].map(([what, line]) => ({ what, line }));
  }

  /** Takes a piece; lines end with LF. */
  take(piece: string): void {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = (lines.pop() ?? "").slice(-HELD_CHARS);
    for (const line of lines) this.#look(line);
  }

  /** The last line has no end. */
  end(): void {
    this.#look(this.#rest);
    this.#rest = "";
  }

  #look(line: string): void {
    for (const [what, pattern] of this.#patterns) {
      if (!this.#found.has(what) && pattern.test(line)) this.#found.set(what, line.trim().slice(0, LINE_CHARS));
    }
  }
}
