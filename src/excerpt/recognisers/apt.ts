/** apt, dpkg, pip: packages that can not be had. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of packages. */
export const apt: Recogniser = {
  name: "packages",
  opens: /^E: |^dpkg: error|^ERROR: (?:Could not|No matching|Cannot|Package)|^\s*\S+ : (?:Depends|Conflicts|Breaks): /,
  closes: /^(?!\s)/,
  outcome: /^\d+ upgraded, \d+ newly installed|^Successfully (?:installed|built)|newly installed/,
  harmless: /^(?:Get|Hit|Ign|Unpacking|Setting up|Selecting|Preparing to unpack|Requirement already)\b/,
};
