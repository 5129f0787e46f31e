/**
 * Agent runs: an agent CLI spawned, parsed, supervised and limited, with a report that says exactly why it
 * ended.
 *
 * @example
 * ```ts
 * import { run } from "proctor/agent";
 *
 * const report = await run({
 *   provider: "claude",
 *   workspace: process.cwd(),
 *   args: ["-p", "Fix the tests", "--output-format", "stream-json", "--verbose"],
 *   onEvent: ({ kind, payload }) => console.log(kind, payload),
 * });
 * console.log(report.turn, report.costUsd);
 * ```
 */
export type { AgentControl, LimitOptions, RunConfig, StderrOption, StdinOption, SupervisorOptions } from "./config.ts";
export type { AgentEvent, ExitPayload } from "./events.ts";
export { ExitError } from "./exit-error.ts";
export type { AgentReport } from "./report.ts";
export { run } from "./run.ts";
export type { AgentCause } from "../machine/index.ts";
export {
  GROUP_INTERRUPT,
  OWN_TERMINATE,
  PROVIDER_NAMES,
  checkAdapter,
  detect,
  eventsOf,
  providerNamed,
} from "../providers/index.ts";
export type {
  DetectedProvider,
  JsonObject,
  NoiseReason,
  PromptOptions,
  ProviderAdapter,
  ProviderEvent,
  ProviderFact,
  ProviderParser,
  StreamEnd,
  Usage,
} from "../providers/index.ts";
