/** Floor 1: bytes and text. Pure. */
export { decodeLines, type Encoding, encodingOf, wellFormed } from "./lines.ts";
export { compilePatterns, type CompiledPatterns, type LinePatterns } from "./patterns.ts";
export { plainText } from "./plain.ts";
export { LineRedactor, REDACTED, redact } from "./redact.ts";
export { StemMatcher } from "./stem-matcher.ts";
export { hasControls, playOut, stripControls } from "./terminal.ts";
export { estimateTokens, TokenEstimator } from "./tokens.ts";
