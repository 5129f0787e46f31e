/** Starts a session's host: a process of its own, under its guardian, that says "ready" once it serves. */
import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ProctorError, errnoOf } from "../model/index.ts";
import type { ErrorCode } from "../model/index.ts";
import { diskError, isDiskError } from "../os/private-files.ts";
import { GUARDIAN_SCRIPT, HOST_PROGRAM } from "./guardian.ts";
import { hostEnvironment } from "./host-environment.ts";
import type { SessionPlace } from "./session-dir.ts";

/**
 * Starts a host and waits until it serves.
 *
 * @throws ProctorError `ERR_HOST_DISK`, `ERR_HOST_UNREACHABLE`, or what the host itself could not do.
 */
export function startHost(place: SessionPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    let log: number;
    let logFrom: number;
    try {
      log = openSync(join(place.dir, "host.log"), "a", 0o600);
      logFrom = fstatSync(log).size;
    } catch (error) {
      reject(isDiskError(error) ? diskError(place.dir, error) : error);
      return;
    }
    const child = spawn("/bin/sh", [GUARDIAN_SCRIPT, process.execPath, HOST_PROGRAM, place.dir], {
      cwd: "/",
      env: hostEnvironment(process.env),
      detached: true,
      stdio: ["ignore", "pipe", log],
    });
    closeSync(log);
    let text = "";
    const finish = (then: () => void): void => {
      child.removeAllListeners();
      child.on("error", () => undefined);
      child.stdout?.removeAllListeners();
      child.stdout?.on("error", () => undefined);
      child.stdout?.destroy();
      child.unref();
      then();
    };
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.startsWith("ready\n")) finish(resolve);
    });
    child.on("error", (error) =>
      finish(() =>
        reject(
          new ProctorError(
            "ERR_HOST_UNREACHABLE",
            `The session's host could not be started (${errnoOf(error) ?? error.message}).`,
            { cause: error },
          ),
        ),
      ),
    );
    child.on("close", () => finish(() => reject(hostError(text, place.dir, logFrom))));
  });
}

/** The last thing that was said in the host's log after `from`; null when nothing was. */
function lastWords(dir: string, from: number): string | null {
  try {
    const said = readFileSync(join(dir, "host.log")).subarray(from).toString("utf8").trim();
    const lines = said.split("\n").filter((line) => /\w/.test(line) && !/^\s+at /.test(line));
    return lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? null;
  } catch {
    return null; // the directory went away, or no descriptor is left: there is nothing to add
  }
}

function hostError(text: string, dir: string, logFrom: number): ProctorError {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "code" in value && "message" in value) {
      return new ProctorError(value.code as ErrorCode, String(value.message));
    }
  } catch {
    // Not a document of the host's: it died before it could say anything.
  }
  const said = lastWords(dir, logFrom);
  return new ProctorError(
    "ERR_HOST_UNREACHABLE",
    `The session's host ended before it served${said === null ? "" : `: ${said}`} (${join(dir, "host.log")}).`,
  );
}
