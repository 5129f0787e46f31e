/** The rejection of a run that was started and did not leave with 0 by itself. */
import { constants } from "node:os";
import type { AgentCause } from "../machine/index.ts";
import type { AgentReport } from "./report.ts";

/** How an agent run ended, when not cleanly. */
export class ExitError extends Error {
  /** The exit code; -1 when a signal ended it. */
  readonly code: number;
  /** The signal's number; 0 when none did. */
  readonly signal: number;
  /** Whether it was SIGKILL. */
  readonly killed: boolean;
  /** Why; "" when the agent ended by itself. (An `Error`'s own `cause` is what led to it: this is narrower.) */
  override readonly cause: AgentCause;
  readonly report: AgentReport;

  constructor(report: AgentReport) {
    super(messageOf(report));
    this.name = "ExitError";
    this.code = report.exitCode ?? -1;
    this.signal = report.signal === null ? 0 : signalNumber(report.signal);
    this.killed = report.signal === "SIGKILL";
    this.cause = report.cause;
    this.report = report;
  }
}

/** A signal's number on this system; 0 for a name that it does not have. */
export function signalNumber(name: string): number {
  const known = (constants.signals as Readonly<Record<string, number>>)[name];
  if (known !== undefined) return known;
  const realtime = /^SIGRTMIN\+(\d+)$/.exec(name);
  return realtime === null ? Number(/^SIG(\d+)$/.exec(name)?.[1] ?? 0) : 34 + Number(realtime[1]);
}

function messageOf(report: AgentReport): string {
  const how = report.signal === null ? `exit code ${report.exitCode ?? "unknown"}` : `killed by ${report.signal}`;
  const why = report.cause === "" ? "" : `, ${report.cause}`;
  return `The agent ended with ${how}${why}${report.error === null ? "" : `: ${report.error}`}`;
}
