/** Floor 2: agent CLIs, what they say, and how they like to be treated. */
export { GROUP_INTERRUPT, OWN_TERMINATE } from "./adapter.ts";
export type { PromptOptions, ProviderAdapter, ProviderParser, StreamEnd } from "./adapter.ts";
export { checkAdapter, eventsOf } from "./check-adapter.ts";
export { detect, findBinary } from "./detect.ts";
export type { DetectedProvider } from "./detect.ts";
export { ProviderStream } from "./provider-stream.ts";
export { PROVIDER_NAMES, providerNamed } from "./registry.ts";
export { TurnSummary } from "./turn-summary.ts";
export type { JsonObject, NoiseReason, ProviderEvent, ProviderFact, Usage } from "./vocabulary.ts";
