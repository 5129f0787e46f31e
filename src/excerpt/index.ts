/** Floor 1: what to show of a log. Pure: bytes in, text and an account of the choice out. */
export { excerpt, excerptOfBytes } from "./excerpt.ts";
export { FilterProcessor, type FilterRequest, type FilterResult } from "./filters/filter-processor.ts";
export type { ByteSource, Excerpt, ExcerptLimits, ExcerptRange, ExcerptRequest, LinePattern } from "./types.ts";
export { FAILURE_LIMITS, SUCCESS_LIMITS } from "./types.ts";
