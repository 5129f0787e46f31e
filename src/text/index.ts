/** Floor 1: bytes and text. Pure. */
export { plainText } from "./plain.ts";
export { estimateTokens } from "./tokens.ts";
export { compilePatterns, type CompiledPatterns, type LinePatterns } from "./patterns.ts";
export { LineRedactor, redact, REDACTED } from "./redact.ts";
export { estimateTokens, TokenEstimator } from "./tokens.ts";
