/** The command line that puts a command into its sandbox, whichever tool enforces it. */
import type { SandboxSpec } from "../model/index.ts";
import { bubblewrapArgv } from "./bubblewrap.ts";
import type { SandboxPlace } from "./place.ts";
import { seatbeltProfile } from "./seatbelt.ts";

/** The whole command line: the tool, the policy, the command. */
export function sandboxArgv(spec: SandboxSpec, place: SandboxPlace, command: readonly string[]): readonly string[] {
  switch (spec.tool.kind) {
    case "bwrap":
      return bubblewrapArgv(spec.tool.path, spec.policy, place, command);
    case "sandbox-exec":
      return [
        spec.tool.path,
        "-p",
        seatbeltProfile(spec.policy, place),
        "/usr/bin/env",
        `TMPDIR=${place.tmpDir}`,
        ...command,
      ];
    case "srt":
      return command; // whoever started the proxies has wrapped it already
  }
}

const TOOLS: Readonly<Record<SandboxSpec["tool"]["kind"], string>> = {
  bwrap: "bubblewrap",
  "sandbox-exec": "sandbox-exec",
  srt: "@anthropic-ai/sandbox-runtime",
};

/** What holds the run, in one line for people. */
export function sandboxSummary(spec: SandboxSpec): string {
  const { network, name } = spec.policy;
  const reach = typeof network === "string" ? network : `allow ${network.allow.join(", ")}`;
  return `sandbox: ${name} by ${TOOLS[spec.tool.kind]}, network ${reach}`;
}
