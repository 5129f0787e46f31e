/** Floor 1: bytes and text. Pure. */
export { LineRedactor, redact, REDACTED } from "./redact.ts";
export { estimateTokens, TokenEstimator } from "./tokens.ts";
