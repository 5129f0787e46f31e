/** ansible, salt and puppet: a task, its hosts, the recap. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of ansible. */
export const ansible: Recogniser = {
  name: "ansible",
  opens: /^(?:fatal|failed): \[/,
  closes: /^/,
  heading: /^(?:TASK|RUNNING HANDLER|PLAY) \[/,
  harmless:
    /^(?:TASK|PLAY|RUNNING HANDLER) \[|^(?:ok|changed|skipping|included): \[|^\S+\s+: ok=\d+ .*unreachable=0\s+failed=0/,
  outcome: /^\S+\s+: ok=\d+ .*unreachable=\d+ .*failed=\d/,
};
