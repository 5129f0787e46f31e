/**
 * Single lines of a log that answers quote: a run's last line, a line that was waited for. They are masked as
 * an excerpt is, by the settings of the run's command. What reads the log itself gives its bytes.
 */
import type { RunView } from "../model/index.ts";
import { callSettings } from "./call-settings.ts";
import { readLog } from "./log-reader.ts";

/** Whoever is told only the last line of a key must not be told it: so much before it is looked at. */
const LOOKED_AT = { lines: 200, from: null, fromLine: null, grep: null, maxBytes: 16_384 };

/** What masks secrets in text of a run's log; null where the settings say that nothing is masked. */
export async function maskOf(view: RunView, env: NodeJS.ProcessEnv): Promise<((text: string) => string) | null> {
  const call = callSettings(view.commands ?? [view.command], { env, cwd: view.cwd });
  if (!call.of(view.command).settings.redact) return null;
  const { redact } = await import("../text/index.ts");
  return redact;
}

/** The last line of a run's log that says something, masked; "" when there is none. A sequence's is that of its last stage. */
export async function lastLineOf(view: RunView, env: NodeJS.ProcessEnv): Promise<string> {
  const shown = view.stages?.at(-1) ?? view;
  const [mask, { text }] = await Promise.all([maskOf(shown, env), readLog(shown, LOOKED_AT)]);
  return (mask === null ? text : mask(text)).split("\n").findLast((line) => line.trim() !== "") ?? "";
}
