/** Starts the program that cleans up, as a process that outlives the call. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { hostEnvironment } from "../session/index.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/sweep-main.js", import.meta.url));

/** Starts it; a failure to start is no failure of the call. */
export function startSweep(): void {
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: "/",
    env: hostEnvironment(process.env),
    detached: true,
    stdio: "ignore",
  });
  child.on("error", () => undefined);
  child.unref();
}
