/**
 * The program of a session host: `host-main.js SESSION_DIR first|follower`. Says "ready" on its standard output
 * once it serves, or one line of JSON with the error, and closes it. Its parent is its guardian, which starts a
 * follower when the host that it had was killed.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { isProctorError, messageOf } from "../model/index.ts";
import { findSession } from "./session-dir.ts";
import { SessionHost } from "./session-host.ts";

/** The exit status that tells the guardian not to try again (EX_CONFIG of sysexits.h). */
const CAN_NOT_START = 78;

function tell(line: string): void {
  try {
    writeSync(1, `${line}\n`);
  } catch {
    // Whoever started us is gone: there is nobody to tell.
  }
}

/** Faults go to standard error, which is the session's host.log. */
function report(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  try {
    writeSync(2, `${new Date().toISOString()} ${text}\n`);
  } catch {
    // The disk is full or the directory is gone: the host goes on.
  }
}

async function main(): Promise<void> {
  process.umask(0o077);
  for (const signal of ["SIGHUP", "SIGINT", "SIGPIPE"] as const) process.on(signal, () => undefined);
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
  const [dir, mode] = process.argv.slice(2);
  const place = dir === undefined ? null : findSession(dir);
  if (place === null) {
    tell(
      JSON.stringify({
        code: "ERR_SESSION_NOT_FOUND",
        message: `There is no session in ${dir ?? "(no directory given)"}.`,
      }),
    );
    process.exit(CAN_NOT_START);
  }
  const started = await SessionHost.start(place, {
    embedded: false,
    guarded: true,
    follows: mode === "follower",
    report,
  });
  if (started.kind === "served-by-another") {
    tell("ready");
    process.exit(0);
  }
  // Asked to leave by the system: the runs go on, and the guardian's recovery takes them up.
  process.on("SIGTERM", () => process.exit(143));
  tell("ready");
  closeSync(1);
  openSync("/dev/null", "w"); // takes the number 1, so that nothing else ever does
  await started.host.whenOver;
  // Sockets that still have an answer to send keep the process alive for a moment.
  setTimeout(() => process.exit(0), 500).unref();
}

try {
  await main();
} catch (error) {
  tell(JSON.stringify(isProctorError(error) ? error.toJSON() : { code: "ERR_BUG", message: messageOf(error) }));
  report(error);
  process.exit(CAN_NOT_START);
}
