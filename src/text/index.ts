/** Floor 1: bytes and text. Pure. */
export { estimateTokens } from "./tokens.ts";
