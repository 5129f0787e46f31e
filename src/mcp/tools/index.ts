/** The tools, in the order in which they are offered (contract: MCP tools). */
import { bash } from "./bash.ts";
import { input } from "./input.ts";
import { list } from "./list.ts";
import { logs } from "./logs.ts";
import { status } from "./status.ts";
import { stop, stopAll } from "./stop.ts";
import type { Tool } from "./tool.ts";
import { wait } from "./wait.ts";

export type { JsonSchema, Tool } from "./tool.ts";

/** Every tool. */
export const TOOLS: readonly Tool[] = [bash, list, status, logs, wait, input, stop, stopAll];
