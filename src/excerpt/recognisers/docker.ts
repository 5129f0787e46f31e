/** docker: the step that failed, and the lines it printed. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of docker. */
export const docker: Recogniser = {
  name: "docker",
  opens: /^(?:#\d+ )?ERROR: |^> \[.*\]:?$|^------$/,
  closes: /^-{4,}$/,
  heading: /^#\d+ \[.*\]/,
  outcome: /^Successfully (?:built|tagged)|naming to \S+ done|exporting to image/,
  follows: /^ERROR: failed to (?:build|solve): process/,
};
