/** Floor 5: the MCP face. Importing this door loads the SDK, so whoever may not need it imports it late. */
export { serveMcp } from "./serve.ts";
export { parseFlags } from "./flags.ts";
