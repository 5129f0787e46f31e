/** Floor 1: bytes and text. Pure. */
export { decodeLines, type Encoding, encodingOf, wellFormed } from "./lines.ts";
export { StemMatcher } from "./stem-matcher.ts";
export { hasControls, type PlayedRow, playOut, stripControls } from "./terminal.ts";
export { estimateTokens } from "./tokens.ts";
