/** Every command, in the order in which the help names them. */
import { AGENT } from "./agent-spec.ts";
import type { CommandSpec } from "./command-spec.ts";
import { SESSION_END, STOP, STOP_ALL } from "./ending-specs.ts";
import { INSTALL, UNINSTALL } from "./install-specs.ts";
import { COMPLETION, DOCTOR, EXCERPT, EXPLAIN, GC, MCP, QUEUE } from "./other-specs.ts";
import { ATTACH, INPUT } from "./typing-specs.ts";
import { LIST, LOGS, SESSIONS, STATUS, WAIT } from "./reading-specs.ts";
import { RUN } from "./run-spec.ts";
import { TRUST, UNTRUST } from "./trust-specs.ts";

/** The commands by heading. */
export const COMMAND_GROUPS: readonly { readonly title: string; readonly commands: readonly CommandSpec[] }[] = [
  { title: "Run", commands: [RUN, INPUT, ATTACH, AGENT] },
  { title: "Look", commands: [LIST, STATUS, LOGS, WAIT, QUEUE] },
  { title: "Stop", commands: [STOP, STOP_ALL] },
  { title: "Sessions", commands: [SESSIONS, SESSION_END] },
  { title: "Settings", commands: [TRUST, UNTRUST] },
  { title: "Agents", commands: [INSTALL, UNINSTALL] },
  { title: "More", commands: [EXCERPT, EXPLAIN, GC, DOCTOR, MCP, COMPLETION] },
];

/** The commands. */
export const COMMANDS: readonly CommandSpec[] = COMMAND_GROUPS.flatMap((group) => group.commands);

/** The command that `words` begin with and how many of them are its name; null when there is none. */
export function findCommand(
  words: readonly string[],
): { readonly command: CommandSpec; readonly length: number } | null {
  for (const command of COMMANDS) {
    const name = command.name.split(" ");
    if (name.every((word, i) => words[i] === word)) return { command, length: name.length };
  }
  return null;
}
