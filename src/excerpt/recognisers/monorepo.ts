/** turbo, nx, lerna, pnpm -r: many tasks in one stream, each line behind the name of its task. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of monorepo. */
export const monorepo: Recogniser = {
  name: "monorepo",
  outcome:
    /^\s*(?:Tasks|Cached|Failed|Time):\s+\S|Successfully ran target|Ran target|^NX\s|Running target .* failed|^\s*Lerna .* (?:Successfully|failed)|read the output from the cache|^Failed tasks:|^- \S+:\w+$|\bexited with code [1-9]\d*$/i,
  follows: /^Failed tasks:|^\s*NX\s+Running target .* failed|run failed: command|^ERROR\s+run failed/,
};
