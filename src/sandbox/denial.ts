/**
 * Recognises in a sandboxed program's own output that it ran into its sandbox, so that nobody looks for a
 * broken disk or a broken network where there was a policy. Only what the system says is recognised: the
 * errno's texts of the C library, of Node and of Python, which are the same in every locale that prints
 * the names.
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
  /\bENETUNREACH\b|\bEAI_AGAIN\b|Network is unreachable|Temporary failure in name resolution|Could not resolve host|CONNECT tunnel failed, response 403/;

/** The refusals in some output, at most one of each kind. */
export function sandboxDenials(text: string, policy: SandboxPolicy, isDarwin: boolean): readonly SandboxDenial[] {
  const found: SandboxDenial[] = [];
  const take = (what: SandboxDenial["what"], pattern: RegExp): void => {
    const line = text.split("\n").find((one) => pattern.test(one));
    if (line !== undefined) found.push({ what, line: line.trim().slice(0, 200) });
  };
  take("write", isDarwin ? MACOS_WRITE : WRITE);
  if (policy.network !== "full") take("network", NETWORK);
  return found;
}
