/** Floor 5: the MCP face. Importing this door loads the SDK, so whoever may not need it imports it late. */
export { createServer } from "./server.ts";
export type { ServerParts } from "./server.ts";
export { serveMcp } from "./serve.ts";
export type { ServeOptions } from "./serve.ts";
