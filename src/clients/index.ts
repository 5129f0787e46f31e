/** Floor 5: the clients that agents run in, and how proctor gets into their configuration and out of it. */
export { CLIENT_IDS } from "./client.ts";
export type { Client, Place, Scope } from "./client.ts";
export { clientNamed } from "./client-table.ts";
export { findServers } from "./configured-server.ts";
export { planInstall } from "./install-plan.ts";
export { carryOut } from "./plan.ts";
export type { Plan, PlannedChange } from "./plan.ts";
export { planUninstall } from "./uninstall-plan.ts";
export { checkServer } from "./server-check.ts";
export { serverCommand } from "./server-command.ts";
export { unifiedDiff } from "./unified-diff.ts";
