/**
 * What dead sessions left is cleaned up by whoever calls next, without waiting for it: a look at the
 * registry, and only when something was abandoned a process of its own that does the work.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { abandonedSessions, hostEnvironment } from "../session/access.ts";

const PROGRAM = fileURLToPath(new URL("./sweep-main.js", import.meta.url));

/** Starts the clean-up where there is something to clean up; never fails the call that it is a part of. */
export function sweepInBackground(): void {
  try {
    if (abandonedSessions().length === 0) return;
    const child = spawn(process.execPath, [PROGRAM], {
      cwd: "/",
      env: hostEnvironment(process.env),
      detached: true,
      stdio: "ignore",
    });
    child.on("error", () => undefined);
    child.unref();
  } catch {
    // A registry that can't be read or a process that can't be started: the next call tries again.
  }
}
