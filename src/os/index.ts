/** Floor 2: Linux and macOS behind the ports. */
export { systemCgroups } from "./cgroups.ts";
export { systemClock } from "./clock.ts";
export { findProgram, perlLauncher } from "./launcher.ts";
export { readPressure } from "./pressure.ts";
export { diskError, diskUnder, isDiskError } from "./private-files.ts";
export { processTable } from "./process-table.ts";
export { runStore } from "./run-store.ts";
export { rtkProcess } from "./rtk.ts";
export { sandboxPolicy } from "./sandbox-profile.ts";
export { resolveSandbox } from "./sandbox-tool.ts";
export { SystemdScope } from "./systemd-scope.ts";
export { terminals } from "./terminals.ts";
export { foregroundOf } from "./foreground.ts";
export { panes } from "./panes.ts";
export { Multiplexer } from "./multiplexer.ts";
