/** How many heavy commands of all sessions run at once: of the machine, so the environment sets it and no file. */
import { resolveSettings } from "../model/index.ts";

/** The limit in `env` (PROCTOR_MAX_HEAVY_JOBS, 1 to 64), else the default of two. */
export function maxHeavyJobs(env: NodeJS.ProcessEnv): number {
  return resolveSettings({ env }).settings.maxHeavyJobs;
}
