/**
 * A policy as a profile of sandbox-exec(1) of macOS, in its Scheme-like language (SBPL). The last rule that
 * matches wins, so the order is: everything, what may be written, what is protected, what is denied, and at
 * last what the run itself needs. The language is not documented by Apple; the rules here are the ones that
 * the system's own profiles in /System/Library/Sandbox/Profiles use.
 */
import type { SandboxPolicy } from "../model/index.ts";
import type { SandboxPlace } from "./place.ts";

/** What a program needs to start at all, where not everything is readable. */
const SYSTEM = ["/System", "/Library", "/usr", "/bin", "/sbin", "/private/etc", "/private/var/db", "/dev", "/opt"];

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&")}"`;
}

function rule(verb: "allow" | "deny", what: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [`(${verb} ${what}`, ...paths.map((path) => `  (subpath ${quoted(path.replace(/(.)\/$/, "$1"))})`), ")"];
}

/** The profile's text, for `sandbox-exec -p`. */
export function seatbeltProfile(policy: SandboxPolicy, place: SandboxPlace): string {
  const lines = ["(version 1)", "(allow default)", "(deny file-write*)"];
  if (policy.readable !== null) {
    lines.push(
      "(deny file-read*)",
      '(allow file-read* (literal "/"))',
      ...rule("allow", "file-read*", [...SYSTEM, ...policy.readable, ...policy.writable]),
    );
    lines.push("(allow file-read-metadata)");
  }
  lines.push(...rule("allow", "file-write*", policy.writable));
  lines.push(
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/fd/"))',
  );
  lines.push(...rule("deny", "file-write*", policy.protected));
  lines.push(...rule("deny", "file-read* file-write*", [...policy.denied, ...place.hidden]));
  lines.push(...rule("allow", "file-read* file-write*", [place.tmpDir]));
  lines.push(...rule("allow", "file-read*", place.needed));
  if (policy.network !== "full") {
    lines.push("(deny network*)");
    if (policy.network === "loopback") {
      lines.push('(allow network* (local ip "localhost:*"))', '(allow network* (remote ip "localhost:*"))');
    }
  }
  return `${lines.join("\n")}\n`;
}
