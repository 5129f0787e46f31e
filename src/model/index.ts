/** Floor 0: the words of proctor as types. Nothing here does anything. */
export * from "./errors.ts";
export * from "./ids.ts";
export * from "./outcome.ts";
export type { FilterName } from "./output-filter.ts";
export * from "./process-identity.ts";
export * from "./quantities.ts";
export type * from "./queue.ts";
export type * from "./record.ts";
export * from "./request.ts";
export type * from "./sandbox.ts";
export type * from "./session-api.ts";
export {
  DEFAULT_SETTINGS,
  resolveSettings,
  resultLimits,
  type ResolvedSettings,
  type ResultLimits,
  type Settings,
  type SettingsSources,
} from "./settings.ts";
export * from "./signals.ts";
export * from "./suggestion.ts";
export * from "./terminal.ts";
export type * from "./view.ts";
