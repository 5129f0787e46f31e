/** Floor 1: what a sandbox is, as text for the tools that enforce it; pure. */
export { bubblewrapArgv } from "./bubblewrap.ts";
export { DenialWatch, sandboxDenials } from "./denial.ts";
export { sandboxArgv, sandboxSummary } from "./sandbox-argv.ts";
export { seatbeltProfile } from "./seatbelt.ts";
