/** Floor 1: bytes and text. Pure. */
export { estimateTokens, TokenEstimator } from "./tokens.ts";
