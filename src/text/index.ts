/** Floor 1: bytes and text. Pure. */
export { plainText } from "./plain.ts";
export { estimateTokens } from "./tokens.ts";
