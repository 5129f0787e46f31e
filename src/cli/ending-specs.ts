/** Commands that end something: the tables of `stop`, `stop-all` and `session end`. */
import type { CommandSpec } from "./command-spec.ts";
import { GRACE_OPTION, REASON_OPTION, REFUSED, SESSION_OPTION, jsonOption } from "./shared-options.ts";

const CONFIRMED: CommandSpec["exits"] = [
  { status: "0", text: "no process is left, verified" },
  { status: "1", text: "a process survived; it is named" },
  REFUSED,
];

/** Stops one run. */
export const STOP: CommandSpec = {
  name: "stop",
  summary: "Stop a run with every process that it started",
  operands: "ID",
  operandKind: "run",
  minOperands: 1,
  maxOperands: 1,
  about: [
    "ID is a run's id or the beginning of one, at least 4 characters long. SIGTERM to every process, then SIGKILL after the " +
      "grace period, then a look whether all are gone. Stopping what has ended already is no error.",
  ],
  options: [GRACE_OPTION, REASON_OPTION, SESSION_OPTION, jsonOption("what was needed, and who survived")],
  examples: [
    { line: "proctor stop 4kz7", text: "ask, wait, kill, verify" },
    { line: "proctor stop 4kz7 --grace 0 --reason 'wrong branch'", text: "kill at once" },
  ],
  exits: CONFIRMED,
  load: () => import("./commands/stop.ts"),
};

/** Stops every run of a session. */
export const STOP_ALL: CommandSpec = {
  name: "stop-all",
  summary: "Stop every run of the session",
  operands: "",
  operandKind: "none",
  minOperands: 0,
  maxOperands: 0,
  about: ["The session itself goes on. What ended runs left behind is stopped as well."],
  options: [GRACE_OPTION, REASON_OPTION, SESSION_OPTION, jsonOption('{"stopped": [...]}')],
  examples: [
    { line: "proctor stop-all", text: "everything in this session" },
    { line: "proctor stop-all --grace 1s --json", text: "with a short grace period" },
  ],
  exits: CONFIRMED,
  load: () => import("./commands/stop-all.ts"),
};

/** Ends a session. */
export const SESSION_END: CommandSpec = {
  name: "session end",
  summary: "End a session: stop its runs, remove its directory",
  operands: "[DIR]",
  operandKind: "directory",
  minOperands: 0,
  maxOperands: 1,
  about: [
    "DIR is the session's directory. Ending a session that is not there is no error. Logs are removed with the session.",
  ],
  options: [GRACE_OPTION, REASON_OPTION, SESSION_OPTION, jsonOption('{"ended": true, "stopped": [...]}')],
  examples: [
    { line: "proctor session end", text: "this session" },
    { line: "proctor session end /tmp/job-17", text: "another one" },
  ],
  exits: CONFIRMED,
  load: () => import("./commands/session-end.ts"),
};
