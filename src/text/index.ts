/** Floor 1: bytes and text. Pure. */
export { keyBytes } from "./keys.ts";
export { countLineFeeds, LineFeedCountdown } from "./line-feeds.ts";
export { type Lines, readLines, wellFormed } from "./lines.ts";
export { longestLine, pastedText } from "./pasted.ts";
export { compilePatterns, type CompiledPatterns, type LinePatterns } from "./patterns.ts";
export { plainText } from "./plain.ts";
export { writePlainLine } from "./plain-bytes.ts";
export { LineRedactor, redact } from "./redact.ts";
export { REDACTED } from "./secret-values.ts";
export { endOfLine, StemMatcher } from "./stem-matcher.ts";
export { hasControls, playOut, stripControls } from "./terminal.ts";
export { estimateTokens, TokenEstimator } from "./tokens.ts";
export { ModeScan } from "./terminal-modes.ts";
export { QueryFilter } from "./terminal-queries.ts";
export {
  decodeWide,
  unitsBefore,
  WIDE_EXTRA,
  WIDE_PIECE,
  type WideEncoding,
  wideEncodingOf,
  type WidePiece,
} from "./wide.ts";
