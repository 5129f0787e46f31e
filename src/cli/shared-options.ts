/** Options, groups and exit statuses that several commands share, so that they read the same everywhere. */
import type { CommandSpec, OptionSpec } from "./command-spec.ts";

/** The heading of options that say how the answer looks. */
export const OUTPUT = "Output";
/** The heading of options that say which session is meant. */
export const SESSION = "Session";

/** `--json`, with what the document is. */
export function jsonOption(document: string): OptionSpec {
  return { long: "json", kind: { type: "flag" }, group: OUTPUT, text: `Print exactly one JSON document: ${document}.` };
}

/** `--session DIR`. */
export const SESSION_OPTION: OptionSpec = {
  long: "session",
  kind: { type: "directory" },
  placeholder: "DIR",
  group: SESSION,
  text: "The session's directory.",
  fallback: "$PROCTOR_SESSION_DIR, else your default session",
};

/** `--grace D` of everything that stops. */
export const GRACE_OPTION: OptionSpec = {
  long: "grace",
  kind: { type: "duration", zero: true },
  placeholder: "D",
  group: "Stopping",
  text: "Time between SIGTERM and SIGKILL; 0 is SIGKILL at once.",
  fallback: "5s",
};

/** `--reason R` of everything that stops. */
export const REASON_OPTION: OptionSpec = {
  long: "reason",
  kind: { type: "text" },
  placeholder: "TEXT",
  group: "Stopping",
  text: "Recorded with the run, for whoever asks later why it ended.",
};

/** The status of every refusal. */
export const REFUSED: CommandSpec["exits"][number] = {
  status: "125",
  text: "proctor refused or failed; the message is on stderr",
};
/** The status of every success. */
export const DONE: CommandSpec["exits"][number] = { status: "0", text: "done" };
